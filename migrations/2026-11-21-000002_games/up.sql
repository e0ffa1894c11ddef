create table games (
    id uuid primary key,
    rules text not null,
    rules_version integer not null,
    -- Complete: defaults filled in. JSON as text, so that it comes back byte for byte.
    options text not null,
    seating text not null check (seating in ('random', 'joined')),
    seats smallint not null check (seats between 1 and 8),
    private boolean not null,
    -- Null: no limit.
    limit_hours integer check (limit_hours > 0),
    commitment bytea not null,
    -- The master, sealed under the server's secret key.
    master_sealed bytea not null,
    creator_id uuid not null references players,
    status text not null check (status in ('open', 'running', 'finished', 'cancelled')),
    created_at timestamptz not null,
    started_at timestamptz,
    finished_at timestamptz,
    -- The record's header as JSON, once the game has started.
    header text
);
create index games_open on games (id desc) where status = 'open' and not private;
create index games_open_rules on games (rules, id desc) where status = 'open' and not private;
create index games_public on games (status, id desc) where not private;

create table game_players (
    game_id uuid not null references games on delete cascade,
    player_id uuid not null references players,
    -- Place in joining order, from 0.
    joined smallint not null,
    entropy text not null check (char_length(entropy) <= 64),
    -- Known once the game has started.
    seat smallint,
    primary key (game_id, player_id),
    unique (game_id, joined)
);
create index game_players_player on game_players (player_id, game_id desc);

-- The state of a started game, derived from its events. `seq` is the version that every move must name.
create table game_states (
    game_id uuid primary key,
    seq bigint not null,
    head bytea not null,
    at timestamptz not null,
    snapshot text not null,
    -- Whose choice it is: null when the game is over.
    to_act_seat smallint,
    to_act_player uuid,
    turn_since timestamptz,
    deadline_at timestamptz,
    -- When the one reminder is due; null when there is none, or it is queued.
    remind_at timestamptz
);
create index game_states_turns on game_states (to_act_player, game_id desc) where to_act_player is not null;
create index game_states_deadlines on game_states (deadline_at) where deadline_at is not null;
create index game_states_reminders on game_states (remind_at) where remind_at is not null;

-- The truth. `line` is the event's line of the record, byte for byte. No foreign key: the guarded statement that writes here
-- has just changed the game's own row.
create table events (
    game_id uuid not null,
    seq bigint not null,
    line text not null,
    primary key (game_id, seq)
);

create function refuse_change_of_history() returns trigger language plpgsql as $$
begin
    raise exception 'events are never changed or removed' using errcode = 'insufficient_privilege';
end
$$;
create trigger events_are_final before update or delete on events
    for each row execute function refuse_change_of_history();
create trigger events_are_kept before truncate on events
    for each statement execute function refuse_change_of_history();

-- Saved answers, so that a repeated request gets the same one.
create table idempotency_keys (
    player_id uuid not null,
    key text not null,
    -- SHA-256 over what was asked: the same key for another request is refused.
    fingerprint bytea not null,
    answer text not null,
    created_at timestamptz not null,
    primary key (player_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
