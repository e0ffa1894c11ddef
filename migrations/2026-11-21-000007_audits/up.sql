-- Rises when an audit has rebuilt the row without a move, so that servers forget what they know of the game.
alter table game_states add column edition integer not null default 0;

-- Also where triggers are switched off for a session (session_replication_role).
alter table events enable always trigger events_are_final;
alter table events enable always trigger events_are_kept;

-- The nightly audits: one row a day, whichever process ran it.
create table audits (
    day date primary key,
    finished_at timestamptz not null,
    seconds double precision not null,
    games bigint not null,
    findings bigint not null
);
