-- What a player proposes to all others of a game, once at a time: to pause all clocks, or to end the pause that lasts.
create table pause_proposals (
    game_id uuid primary key references games on delete cascade,
    by_player uuid not null references players on delete cascade,
    -- Until when the clocks shall stand still; null: the pause shall end.
    until_at timestamptz,
    created_at timestamptz not null,
    -- Who agrees, the proposer first.
    agreed uuid[] not null
);
