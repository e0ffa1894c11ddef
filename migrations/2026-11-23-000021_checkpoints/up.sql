-- The game after some of its events, so that any moment can be shown without playing the game from its start. They follow from the events
-- and may be removed and made anew at any time. No foreign key, as of `events`: the statement that writes here has just changed the
-- game's own row.
create table checkpoints (
    game_id uuid not null,
    seq bigint not null check (seq > 0),
    -- The turn that the event belongs to, and whether the event is its last.
    turn bigint not null,
    ends_turn boolean not null,
    snapshot text not null,
    -- By seat the newest event of its own, as a JSON list of numbers and nulls.
    last_events text not null,
    primary key (game_id, seq)
);
create index checkpoints_turns on checkpoints (game_id, turn, seq);
