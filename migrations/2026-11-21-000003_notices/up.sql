-- What must be told to whom: written with the fact it tells of, sent by the worker, kept with its fate.
create table notices (
    -- UUIDv7; the mail's Message-ID is made from it.
    id uuid primary key,
    kind text not null check (kind in
        ('turn', 'reminder', 'game_started', 'game_over', 'invitation', 'confirm_email', 'reset_password')),
    -- To a player, or (an invitation) to an address that has no player.
    player_id uuid,
    address text check (char_length(address) <= 254),
    game_id uuid,
    -- The event that it tells of.
    seq bigint,
    -- The mail link that it carries, or who invites.
    link_id uuid,
    from_player_id uuid,
    created_at timestamptz not null,
    state text not null check (state in ('waiting', 'sent', 'failed', 'skipped')),
    attempts smallint not null default 0,
    -- When to try (again). While a worker is at it: when to think it dead.
    next_attempt_at timestamptz not null,
    finished_at timestamptz,
    -- Why it failed or was skipped; never an address.
    reason text,
    check ((player_id is null) <> (address is null))
);
create index notices_waiting on notices (next_attempt_at) where state = 'waiting';
create index notices_player on notices (player_id, id desc);
create index notices_game on notices (game_id) where kind = 'invitation';
