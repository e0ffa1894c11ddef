-- A token may be for one game only. No foreign key, as of `checkpoints`: games are never deleted.
alter table personal_tokens add column game_id uuid;
-- Until now `play` allowed what `manage` allows from now on. Tokens that exist keep what they could do.
update personal_tokens set scopes = scopes || '{manage}' where 'play' = any (scopes) and not 'manage' = any (scopes);

-- Programs of others that players may let act for them (OAuth 2.1). They are public clients: none has a secret.
create table apps (
    id uuid primary key,
    -- Who registered it.
    player_id uuid not null references players on delete cascade,
    name text not null check (char_length(name) between 1 and 64),
    homepage text not null check (octet_length(homepage) <= 512),
    redirect_uris text[] not null check (cardinality(redirect_uris) between 1 and 10),
    created_at timestamptz not null
);
create index apps_player on apps (player_id);

-- What a player allows an app, until it is revoked or nobody has used it for as long as a refresh token lives.
create table app_grants (
    id uuid primary key,
    app_id uuid not null references apps on delete cascade,
    player_id uuid not null references players on delete cascade,
    scopes text[] not null,
    -- The only game that it is for.
    game_id uuid,
    created_at timestamptz not null,
    last_used_on date,
    revoked_at timestamptz
);
create index app_grants_player on app_grants (player_id);
create index app_grants_app on app_grants (app_id);

-- Authorization codes, valid for a minute and once. They are kept for a while after: a replayed one revokes what it gave.
create table app_codes (
    -- The id in the form that was approved, which therefore can be approved once.
    request_id uuid primary key,
    -- SHA-256 of the code.
    code_hash bytea not null unique,
    app_id uuid not null references apps on delete cascade,
    player_id uuid not null references players on delete cascade,
    redirect_uri text not null,
    -- The PKCE challenge (S256), as it was sent.
    challenge text not null,
    scopes text[] not null,
    game_id uuid,
    expires_at timestamptz not null,
    used_at timestamptz,
    -- What it was exchanged for.
    grant_id uuid references app_grants on delete set null
);
create index app_codes_expiry on app_codes (expires_at);
create index app_codes_grant on app_codes (grant_id);

-- Access and refresh tokens of apps.
create table app_tokens (
    -- SHA-256 of the token.
    token_hash bytea primary key,
    grant_id uuid not null references app_grants on delete cascade,
    kind text not null check (kind in ('access', 'refresh')),
    -- An access token may have fewer scopes than its grant.
    scopes text[] not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    -- Set when a refresh token was exchanged for the next one. A second use revokes the grant.
    used_at timestamptz
);
create index app_tokens_grant on app_tokens (grant_id);
create index app_tokens_expiry on app_tokens (expires_at);
