-- The order in which a player is told of the events of all own games. Rows are written when the feed is read, never by a move, and follow
-- from events: a position is given under a lock on the player's row here, to events that are committed.
create table feed_heads (
    player_id uuid primary key references players on delete cascade,
    -- The position of the last event; 0 before the first.
    newest bigint not null check (newest >= 0)
);

-- Consecutive events of a game at consecutive positions of the player's feed.
create table feed_ranges (
    player_id uuid not null references feed_heads on delete cascade,
    -- The position of the last event.
    position bigint not null,
    -- No foreign key, as of `events`.
    game_id uuid not null,
    first_seq bigint not null check (first_seq >= 0),
    last_seq bigint not null check (last_seq >= first_seq),
    primary key (player_id, position)
);
-- Up to which event the feed knows a game, and where in the feed an event is.
create unique index feed_ranges_games on feed_ranges (player_id, game_id, last_seq);
