-- Whom a player follows. Nobody else is told.
create table followed_players (
    player_id uuid not null,
    followed_id uuid not null,
    followed_at timestamptz not null,
    primary key (player_id, followed_id)
);
create index followed_players_followed on followed_players (followed_id);

-- The games that a player has marked.
create table favourite_games (
    player_id uuid not null,
    game_id uuid not null,
    marked_at timestamptz not null,
    primary key (player_id, game_id)
);
