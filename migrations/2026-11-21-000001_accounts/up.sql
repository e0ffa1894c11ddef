-- One row: what this database belongs to.
create table server (
    only_row boolean primary key default true check (only_row),
    -- SHA-256 over the secret key's purpose of checking: a server with another key refuses to start.
    secret_fingerprint bytea not null
);

create table players (
    id uuid primary key,
    handle text not null unique check (handle ~ '^[a-z0-9][a-z0-9_-]{0,30}[a-z0-9]$'),
    -- As the player wrote it; email_key is what makes it unique.
    email text not null check (char_length(email) <= 254),
    email_key text not null unique,
    email_confirmed_at timestamptz,
    -- PHC string of argon2id.
    password_hash text not null,
    mail_enabled boolean not null default true,
    created_at timestamptz not null
);

-- A family of refresh tokens: one log-in on one device.
create table sessions (
    id uuid primary key,
    player_id uuid not null references players on delete cascade,
    created_at timestamptz not null,
    revoked_at timestamptz
);
create index sessions_player on sessions (player_id);

create table refresh_tokens (
    -- SHA-256 of the token.
    token_hash bytea primary key,
    session_id uuid not null references sessions on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    -- Set when it was exchanged for the next one. A second use revokes the session.
    used_at timestamptz
);
create index refresh_tokens_session on refresh_tokens (session_id);
create index refresh_tokens_expiry on refresh_tokens (expires_at);

create table personal_tokens (
    id uuid primary key,
    player_id uuid not null references players on delete cascade,
    name text not null check (char_length(name) between 1 and 64),
    token_hash bytea not null unique,
    scopes text[] not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    revoked_at timestamptz
);
create index personal_tokens_player on personal_tokens (player_id);

-- Links sent by mail. The token in the link is made from the id under the server's secret key, so none is stored.
create table mail_links (
    id uuid primary key,
    player_id uuid not null references players on delete cascade,
    purpose text not null check (purpose in ('confirm_email', 'reset_password')),
    -- The address that the link was sent to, and that it confirms.
    email text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz
);
create index mail_links_player on mail_links (player_id);
create index mail_links_expiry on mail_links (expires_at);
