-- Those of the new kind cannot be carried on without it.
delete from tournament_pairings where tournament_id in (select id from tournaments where kind = 'double_elimination');
delete from tournament_players where tournament_id in (select id from tournaments where kind = 'double_elimination');
delete from tournaments where kind = 'double_elimination';
alter table tournaments drop constraint tournaments_kind_check;
alter table tournaments add constraint tournaments_kind_check check (kind in ('round_robin', 'swiss', 'knock_out'));
