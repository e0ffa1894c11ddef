-- Tables distributed by game with Citus (12 or newer), on a migrated database without games, as its owner, on the coordinator.
-- NOT TRIED on Citus, and not enough by itself: SCALING.md says what the program would have to do otherwise. A test runs it on plain
-- PostgreSQL with stand-ins for Citus' functions, so the SQL is whole and `append_move` does what a move has to do.
begin;

-- Keys: what is unique must be so within one game, because a shard can only look at itself.
alter table idempotency_keys
    add column game_id uuid not null,
    drop constraint idempotency_keys_pkey,
    add primary key (game_id, player_id, key);
-- Notices about no game (links for addresses and passwords, digests) belong to the game of all zeros.
update notices set game_id = '00000000-0000-0000-0000-000000000000' where game_id is null;
alter table notices
    alter column game_id set default '00000000-0000-0000-0000-000000000000',
    alter column game_id set not null,
    drop constraint notices_pkey,
    add primary key (game_id, id);
alter table replies
    drop constraint replies_pkey,
    drop constraint replies_notice_id_mail_key_key,
    add primary key (game_id, id),
    add unique (game_id, notice_id, mail_key);
alter table table_messages
    drop constraint table_messages_pkey,
    add primary key (game_id, id);

-- Foreign keys to games: taken off while the tables move, put back once both ends are distributed.
alter table game_players drop constraint game_players_game_id_fkey;
alter table table_messages drop constraint table_messages_game_id_fkey;
alter table game_wishes drop constraint game_wishes_game_id_fkey;
-- Triggers of distributed tables are the owner's risk in Citus' words; these only refuse, so it does not matter where they run.
drop trigger events_are_final on events;
drop trigger events_are_kept on events;
drop trigger clock_lines_are_final on clock_lines;
drop trigger clock_lines_are_kept on clock_lines;

-- Small, on every node, and referred to by the others. What belongs to people (sessions, tokens, links, preferences, the order of feeds) follows as local
-- tables of the coordinator, and so do server, audits and declined_addresses.
select create_reference_table('players');

select create_distributed_table('games', 'id');
select create_distributed_table('game_players', 'game_id', colocate_with => 'games');
select create_distributed_table('game_states', 'game_id', colocate_with => 'games');
select create_distributed_table('events', 'game_id', colocate_with => 'games');
select create_distributed_table('clock_lines', 'game_id', colocate_with => 'games');
select create_distributed_table('checkpoints', 'game_id', colocate_with => 'games');
select create_distributed_table('notices', 'game_id', colocate_with => 'games');
select create_distributed_table('idempotency_keys', 'game_id', colocate_with => 'games');
select create_distributed_table('replies', 'game_id', colocate_with => 'games');
select create_distributed_table('table_messages', 'game_id', colocate_with => 'games');
select create_distributed_table('game_wishes', 'game_id', colocate_with => 'games');

alter table game_players add constraint game_players_game_id_fkey foreign key (game_id) references games on delete cascade;
alter table table_messages add constraint table_messages_game_id_fkey foreign key (game_id) references games on delete cascade;
alter table game_wishes add constraint game_wishes_game_id_fkey foreign key (game_id) references games on delete cascade;

set local citus.enable_unsafe_triggers = on;
create trigger events_are_final before update or delete on events
    for each row execute function refuse_change_of_history();
create trigger events_are_kept before truncate on events
    for each statement execute function refuse_change_of_history();
create trigger clock_lines_are_final before update or delete on clock_lines
    for each row execute function refuse_change_of_history();
create trigger clock_lines_are_kept before truncate on clock_lines
    for each statement execute function refuse_change_of_history();
alter table clock_lines enable always trigger clock_lines_are_final;
alter table clock_lines enable always trigger clock_lines_are_kept;
alter table events enable always trigger events_are_final;
alter table events enable always trigger events_are_kept;

-- A move where its game lives: the call goes to that node as a whole, and all it does is local there. Does what
-- the statement for a single move in src/commit/statement.rs does (a move that makes a checkpoint goes by the one for a group); false if the game has moved on or the key has been used.
create function append_move(
    of_game uuid, expected_seq bigint, expected_edition integer, new_line text, new_head bytea, new_at timestamptz,
    new_snapshot text, new_to_act_seat smallint, new_to_act_player uuid, new_turn_since timestamptz,
    new_deadline_at timestamptz, new_remind_at timestamptz, new_clock text, new_notice_id uuid, new_notice_kind text, new_notice_player uuid,
    key_player uuid, new_key text, new_fingerprint bytea, new_answer text, new_now timestamptz
) returns boolean language plpgsql as $$
begin
    update game_states s
    set seq = expected_seq + 1, head = new_head, at = new_at, snapshot = new_snapshot, to_act_seat = new_to_act_seat,
        to_act_player = new_to_act_player, turn_since = new_turn_since, deadline_at = new_deadline_at, remind_at = new_remind_at,
        clock = new_clock
    where s.game_id = of_game and s.seq = expected_seq and s.edition = expected_edition and not exists (
        select from idempotency_keys k where k.game_id = of_game and k.player_id = key_player and k.key = new_key);
    if not found then
        return false;
    end if;
    insert into events (game_id, seq, line) values (of_game, expected_seq + 1, new_line);
    if new_notice_id is not null then
        insert into notices (id, kind, player_id, game_id, seq, created_at, state, next_attempt_at)
        values (new_notice_id, new_notice_kind, new_notice_player, of_game, expected_seq + 1, new_now, 'waiting', new_now);
    end if;
    if new_key is not null then
        insert into idempotency_keys (game_id, player_id, key, fingerprint, answer, created_at)
        values (of_game, key_player, new_key, new_fingerprint, new_answer, new_now);
    end if;
    return true;
end
$$;
select create_distributed_function(
    'append_move(uuid, bigint, integer, text, bytea, timestamptz, text, smallint, uuid, timestamptz, timestamptz, timestamptz, text, '
    'uuid, text, uuid, uuid, text, bytea, text, timestamptz)',
    'of_game', colocate_with => 'games');

commit;
