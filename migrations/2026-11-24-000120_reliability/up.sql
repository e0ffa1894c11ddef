-- Whether a finished public game has been counted in the reliability of its players.
alter table games add column reliability_counted boolean not null default false;
create index games_uncounted on games (finished_at) where status = 'finished' and not private and not reliability_counted;

-- What a finished public game says of a player; of each player the newest hundred.
create table player_outcomes (
    player_id uuid not null references players on delete cascade,
    game_id uuid not null,
    ended_at timestamptz not null,
    outcome text not null check (outcome in ('finished', 'left', 'timed_out')),
    -- The times to answer, ascending.
    answers_seconds integer[] not null,
    primary key (player_id, game_id)
);

-- The sum of these rows.
create table player_reliability (
    player_id uuid primary key references players on delete cascade,
    games_finished integer not null default 0,
    games_left integer not null default 0,
    games_timed_out integer not null default 0,
    answers integer not null default 0,
    -- Half of the answers took no longer, and nine of ten; null without answers.
    median_seconds integer,
    percentile_90_seconds integer
);
