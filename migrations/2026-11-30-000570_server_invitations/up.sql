-- Open invitations to register on a server that takes no others, by the SHA-256 of their tokens. One is removed once it is used.
create table server_invitations (
    id uuid primary key,
    token_hash bytea not null unique,
    -- Null: the operator has made it.
    player_id uuid,
    created_at timestamptz not null,
    expires_at timestamptz not null
);
create index server_invitations_player on server_invitations (player_id);
create index server_invitations_expiry on server_invitations (expires_at);

-- An invitation to a game by address lets one person register.
alter table address_invitations add column registered_at timestamptz;
