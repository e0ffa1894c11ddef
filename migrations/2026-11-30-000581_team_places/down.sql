drop table closed_clubs;
alter table tournament_players drop column club_id;
alter table tournaments drop column team_size;
