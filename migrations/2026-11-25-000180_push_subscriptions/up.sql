-- Browsers and programs of players that are told by web push.
create table push_subscriptions (
    id uuid primary key,
    player_id uuid not null references players on delete cascade,
    -- What it was made with, one of them. It ends with that.
    session_id uuid references sessions on delete cascade,
    token_id uuid references personal_tokens on delete cascade,
    grant_id uuid references app_grants on delete cascade,
    -- SHA-256 of the address at the push service: a browser has one subscription, of the player who made the last.
    endpoint_hash bytea not null unique check (octet_length(endpoint_hash) = 32),
    -- The host of that address, and what its owner knows the browser by.
    host text not null check (char_length(host) <= 255),
    label text check (char_length(label) <= 64),
    -- Sealed: the address and the browser's keys.
    sealed bytea not null check (octet_length(sealed) <= 4096),
    created_at timestamptz not null,
    -- Attempts that failed since the last that succeeded.
    failures smallint not null default 0,
    failing_since timestamptz,
    last_sent_at timestamptz,
    -- Nothing is sent before: after a failure, or because much was sent.
    not_before timestamptz not null,
    -- When as much as ever may be sent at once again.
    rate_free_at timestamptz not null,
    -- The claim of the worker that sends now.
    leased_until timestamptz,
    check (num_nonnulls(session_id, token_id, grant_id) = 1)
);
create index push_subscriptions_player on push_subscriptions (player_id, id);
create index push_subscriptions_session on push_subscriptions (session_id) where session_id is not null;
create index push_subscriptions_token on push_subscriptions (token_id) where token_id is not null;
create index push_subscriptions_grant on push_subscriptions (grant_id) where grant_id is not null;

-- Notices that are to be told to a subscription. A row goes once it is told, or need not be told any more.
create table push_messages (
    subscription_id uuid not null references push_subscriptions on delete cascade,
    notice_id uuid not null,
    next_attempt_at timestamptz not null,
    primary key (subscription_id, notice_id)
);
create index push_messages_due on push_messages (next_attempt_at);

-- Whether its messages were written: a notice may be claimed several times.
alter table notices add column fanned_out boolean not null default false;

-- Which notices come by push.
alter table player_wishes
    add column push_turns boolean not null default true,
    add column push_reminders boolean not null default true,
    add column push_games boolean not null default true,
    add column push_invitations boolean not null default true;
