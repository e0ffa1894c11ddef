-- The ladders, one for each rule set: who stands where, as it follows from what has happened.
create table ladders (
    rules text primary key,
    -- As JSON; empty before anything has happened.
    state text not null
);

-- What has happened on each, in order.
create table ladder_happenings (
    rules text not null references ladders,
    number integer not null,
    at timestamptz not null,
    kind text not null check (kind in ('joined', 'challenged', 'accepted', 'ended', 'expired', 'left')),
    -- Who joined or left; of all else who has challenged.
    player_id uuid not null,
    -- Who was challenged.
    other_id uuid,
    -- The number of the happening that made the challenge.
    challenge integer,
    game_id uuid,
    -- How a game ended, or why somebody left.
    how text,
    primary key (rules, number)
);
create index ladder_happenings_player on ladder_happenings (player_id);
create index ladder_happenings_other on ladder_happenings (other_id) where other_id is not null;
