-- Moves that a player has given in advance for a game, and how far they have come. For the player alone.
create table standing_orders (
    game_id uuid not null references games on delete cascade,
    player_id uuid not null,
    -- JSON: what is left of them.
    orders text not null check (octet_length(orders) <= 131072),
    -- The newest event that they have taken into account.
    seq bigint not null,
    is_active boolean not null,
    -- Nobody looks at them before; later than now after a failure.
    look_at timestamptz not null,
    primary key (game_id, player_id)
);
create index standing_orders_active on standing_orders (look_at) where is_active;
-- For the deletion of accounts.
create index standing_orders_player on standing_orders (player_id);
