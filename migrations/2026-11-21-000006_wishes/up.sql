-- How a player wants to be told; no row: as the defaults say.
create table player_wishes (
    player_id uuid primary key references players on delete cascade,
    -- A tag of BCP 47, and a name of the IANA time zone database.
    language text not null default 'en' check (char_length(language) <= 16),
    zone text not null default 'UTC' check (char_length(zone) <= 64),
    -- Of its player's turns: every one; one until the player comes back; in the digest; none.
    turns text not null default 'each' check (turns in ('each', 'once', 'digest', 'none')),
    reminders boolean not null default true,
    -- Starts and ends of games.
    games boolean not null default true,
    invitations boolean not null default true,
    -- Minutes after midnight in the zone.
    digest_minute smallint not null default 480 check (digest_minute between 0 and 1439),
    quiet_from smallint check (quiet_from between 0 and 1439),
    quiet_until smallint check (quiet_until between 0 and 1439),
    -- When the next digest is due; null when no game is told of by digest.
    digest_at timestamptz,
    -- The last turn that was told of with the wish 'once', until the player is seen again.
    told_by uuid,
    told_at timestamptz,
    check ((quiet_from is null) = (quiet_until is null) and quiet_from <> quiet_until),
    check ((told_by is null) = (told_at is null))
);
create index player_wishes_digests on player_wishes (digest_at) where digest_at is not null;

-- What a player wants otherwise in one game; null: as the player's own wishes say.
create table game_wishes (
    player_id uuid not null references players on delete cascade,
    game_id uuid not null references games on delete cascade,
    turns text check (turns in ('each', 'once', 'digest', 'none')),
    reminders boolean,
    primary key (player_id, game_id)
);

-- People without an account who want no invitations.
create table declined_addresses (
    email_key text primary key check (char_length(email_key) <= 254),
    declined_at timestamptz not null
);

-- The first mail of a player about a game, which all later ones refer to.
create index notices_roots on notices (game_id, player_id) where seq = 0 and kind in ('turn', 'game_started');
