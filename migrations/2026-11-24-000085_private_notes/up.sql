-- What a player writes down about a game for himself alone.
create table private_notes (
    game_id uuid not null references games on delete cascade,
    player_id uuid not null,
    text text not null check (char_length(text) between 1 and 4000),
    updated_at timestamptz not null,
    primary key (game_id, player_id)
);
