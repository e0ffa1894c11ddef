-- A full game may wait for a round of a public beacon: that round was settled when its last player joined.
alter table games
    add column beacon_round bigint check (beacon_round >= 0),
    drop constraint games_status_check,
    add constraint games_status_check check (status in ('open', 'starting', 'running', 'finished', 'cancelled')),
    add constraint games_starting_check check (status <> 'starting' or beacon_round is not null);
create index games_starting on games (beacon_round) where status = 'starting';
