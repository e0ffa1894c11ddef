alter table game_players drop column substitute_for;
drop index games_seats_offered;
alter table games drop column seats_offered, drop column substitutes;
