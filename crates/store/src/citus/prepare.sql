-- What a shard cannot do: refer to rows of other shards, and know keys that do not name the game. Runs before tables are distributed.
create table move_keys (
    game_id uuid not null,
    player_id uuid not null,
    key text not null,
    fingerprint bytea not null,
    answer text not null,
    created_at timestamptz not null,
    primary key (game_id, player_id, key)
);
create index move_keys_age on move_keys (created_at);
create index move_keys_player on move_keys (player_id);

-- Notices that moves have written, until a worker takes them into `notices`, which stays on the coordinator.
create table move_notices (
    game_id uuid not null,
    id uuid not null,
    kind text not null,
    player_id uuid not null,
    seq bigint not null,
    created_at timestamptz not null,
    urgent boolean not null default false,
    primary key (game_id, id)
);

alter table table_messages
    drop constraint table_messages_pkey,
    add primary key (game_id, id);

-- Put back between distributed tables afterwards; `game_preferences` stays on the coordinator, and games are never deleted.
alter table game_preferences drop constraint game_wishes_game_id_fkey;
alter table game_players drop constraint game_players_game_id_fkey;
alter table turn_reminders drop constraint turn_reminders_game_id_fkey;
alter table pause_proposals drop constraint pause_proposals_game_id_fkey;
alter table standing_orders drop constraint standing_orders_game_id_fkey;
alter table table_messages drop constraint table_messages_game_id_fkey;
alter table private_notes drop constraint private_notes_game_id_fkey;

-- A cluster has no log.
alter table events alter column position drop default;
drop index events_by_position;

drop trigger events_are_final on events;
drop trigger events_are_kept on events;
drop trigger clock_lines_are_final on clock_lines;
drop trigger clock_lines_are_kept on clock_lines;
drop trigger archived_games_are_true on archived_games;
drop trigger archived_games_are_kept on archived_games;
