-- What has happened in tournaments, each one's numbered from 0 on, written with what it tells while the tournament's row is locked.
create table tournament_events (
    tournament_id uuid not null references tournaments (id),
    seq bigint not null,
    at timestamptz not null,
    kind text not null check (
        kind in ('started', 'round_began', 'round_ended', 'withdrew', 'timed_out', 'finished', 'cancelled')
    ),
    -- JSON, as feeds and webhooks tell it.
    line text not null,
    primary key (tournament_id, seq)
);
-- Those that webhooks have to be told. No key refers to the events: on a cluster it would tie their tables to those of players.
create table webhook_tournament_events (
    webhook_id uuid not null references webhooks (id) on delete cascade,
    tournament_id uuid not null,
    seq bigint not null,
    primary key (webhook_id, tournament_id, seq)
);
create index webhook_tournament_events_tournament on webhook_tournament_events (tournament_id);
alter table webhooks drop constraint webhooks_kinds_check;
alter table webhooks add constraint webhooks_kinds_check check (cardinality(kinds) between 1 and 6);
