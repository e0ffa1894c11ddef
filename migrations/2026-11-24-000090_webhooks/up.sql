-- Addresses of programs that are told of the events of a player's games. Each has a place in its player's feed; nothing is written for
-- it by a move.
create table webhooks (
    id uuid primary key,
    player_id uuid not null references players on delete cascade,
    -- What the player allows the app that registered it; when that ends, so does this.
    grant_id uuid references app_grants on delete cascade,
    -- Sealed: who knows the address of a chat's webhook may write there.
    url_sealed bytea not null check (octet_length(url_sealed) <= 2048),
    format text not null check (format in ('standard', 'discord', 'slack')),
    kinds text[] not null check (cardinality(kinds) between 1 and 4),
    -- The only game that it is told of. No foreign key, as of `checkpoints`: games are never deleted.
    game_id uuid,
    state text not null check (state in ('unverified', 'active', 'disabled')),
    created_at timestamptz not null,
    secret_sealed bytea not null,
    -- The secret before the last rotation, which signs as well until then.
    previous_secret_sealed bytea,
    previous_until timestamptz,
    -- SHA-256 of the challenge that was sent last.
    challenge_hash bytea,
    challenge_until timestamptz,
    -- The position in the player's feed up to which everything was delivered or is not wanted.
    cursor bigint not null check (cursor >= 0),
    -- Attempts that failed since the last that succeeded.
    failures smallint not null default 0,
    failing_since timestamptz,
    -- When a worker looks for news, or tries again.
    look_at timestamptz not null,
    -- The claim of the worker that delivers now.
    lease uuid,
    leased_until timestamptz,
    -- The notice that tells that it was disabled.
    notice_id uuid
);
create index webhooks_player on webhooks (player_id);
create index webhooks_due on webhooks (look_at) where state = 'active';
create index webhooks_grant on webhooks (grant_id) where grant_id is not null;
create index webhooks_notice on webhooks (notice_id) where notice_id is not null;

-- The newest attempts of each webhook.
create table webhook_deliveries (
    id uuid primary key,
    webhook_id uuid not null references webhooks on delete cascade,
    -- The event; null of a challenge.
    game_id uuid,
    seq bigint,
    at timestamptz not null,
    outcome text not null check (char_length(outcome) between 2 and 32),
    -- Of the answer, if there was one.
    status smallint,
    milliseconds integer not null check (milliseconds >= 0)
);
create index webhook_deliveries_newest on webhook_deliveries (webhook_id, id);
