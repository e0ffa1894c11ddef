-- Lines that players have tried out from a game that is over, with what they write to them.
create table studies (
    id uuid primary key,
    player_id uuid not null,
    game_id uuid not null,
    -- The event after which the line begins.
    seq bigint not null,
    rules text not null,
    title text not null,
    -- The actions with the outcomes of their draws, as JSON.
    line text not null,
    -- The texts to the position before the line and after each action, as JSON.
    comments text not null,
    -- Whether lists show it. Whoever has its address sees it in any case, if they see the game.
    listed boolean not null,
    created_at timestamptz not null
);
create index studies_player on studies (player_id, id);
create index studies_listed on studies (id) where listed;
create index studies_game on studies (game_id, id) where listed;
