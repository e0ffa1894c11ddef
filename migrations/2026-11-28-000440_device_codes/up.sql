-- Requests of apps on devices without a browser (RFC 8628), valid for some minutes: the app has one code, its player types the other.
create table app_device_codes (
    -- SHA-256 of the app's code.
    device_hash bytea primary key,
    -- A keyed digest of the player's code, which is short.
    user_hash bytea not null unique,
    app_id uuid not null references apps on delete cascade,
    scopes text[] not null,
    -- The only game that it is for.
    game_id uuid,
    -- A keyed digest of the network that asked.
    peer_key bytea not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    -- How long the app has to wait between two questions, and when it asked last.
    interval_seconds smallint not null,
    asked_at timestamptz,
    -- Who has decided, and how.
    player_id uuid references players on delete cascade,
    allowed boolean,
    check ((player_id is null) = (allowed is null))
);
create index app_device_codes_app on app_device_codes (app_id);
create index app_device_codes_player on app_device_codes (player_id);
create index app_device_codes_expiry on app_device_codes (expires_at);
