drop index games_starting;
update games set status = 'open' where status = 'starting';
alter table games
    drop constraint games_starting_check,
    drop constraint games_status_check,
    drop column beacon_round,
    add constraint games_status_check check (status in ('open', 'running', 'finished', 'cancelled'));
