-- What a worker could not do about a game, because of that game: it is tried again later, and keeps nobody waiting meanwhile.
create table set_aside_games (
    -- What was tried: let a flag fall, start a full game.
    task text not null check (char_length(task) between 2 and 32),
    game_id uuid not null,
    failures integer not null,
    reason text not null,
    first_failed_at timestamptz not null,
    retry_at timestamptz not null,
    primary key (task, game_id)
);
