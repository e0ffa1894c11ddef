-- Those of the new kind cannot be carried on without it.
delete from tournament_pairings where tournament_id in (select id from tournaments where kind = 'league');
delete from tournament_players where tournament_id in (select id from tournaments where kind = 'league');
delete from tournaments where kind = 'league';
alter table tournament_players drop column ladder;
drop index tournaments_previous;
alter table tournaments drop column previous_id;
alter table tournaments drop column season;
alter table tournaments drop column seasons;
alter table tournaments drop column promoted;
alter table tournaments drop column division_size;
alter table tournaments drop constraint tournaments_kind_check;
alter table tournaments add constraint tournaments_kind_check
    check (kind in ('round_robin', 'swiss', 'knock_out', 'double_elimination'));
