-- What is written where a game lives: a call goes to that node as a whole, and all that it does is local there.

-- Does for one game what the statements of src/commit/statement.rs do; false if the game has moved on or the key was used.
create or replace function append_move(
    of_game uuid, expected_seq bigint, expected_edition integer, new_seq bigint, new_head bytea, new_at timestamptz,
    new_snapshot text, new_to_act_seat smallint, new_to_act_player uuid, new_turn_since timestamptz,
    new_deadline_at timestamptz, new_remind_at timestamptz, new_clock text, new_finished_at timestamptz,
    new_lines text[], notice_ids uuid[], notice_kinds text[], notice_players uuid[],
    key_player uuid, new_key text, new_fingerprint bytea, new_answer text, new_now timestamptz,
    mark_turn bigint, mark_ends boolean, mark_last_events text
) returns boolean language plpgsql as $$
begin
    update game_states s
    set seq = new_seq, head = new_head, at = new_at, snapshot = new_snapshot, to_act_seat = new_to_act_seat,
        to_act_player = new_to_act_player, turn_since = new_turn_since, deadline_at = new_deadline_at, remind_at = new_remind_at,
        clock = new_clock
    where s.game_id = of_game and s.seq = expected_seq and s.edition = expected_edition and not exists (
        select from move_keys k where k.game_id = of_game and k.player_id = key_player and k.key = new_key);
    if not found then
        return false;
    end if;
    if new_key is not null then
        insert into move_keys (game_id, player_id, key, fingerprint, answer, created_at)
        values (of_game, key_player, new_key, new_fingerprint, new_answer, new_now);
    end if;
    for i in 1 .. cardinality(new_lines) loop
        insert into events (game_id, seq, line) values (of_game, expected_seq + i, new_lines[i]);
    end loop;
    for i in 1 .. cardinality(notice_ids) loop
        insert into move_notices (game_id, id, kind, player_id, seq, created_at)
        values (of_game, notice_ids[i], notice_kinds[i], notice_players[i], new_seq, new_now);
    end loop;
    if new_finished_at is not null then
        update games set status = 'finished', finished_at = new_finished_at, result = new_snapshot::json ->> 'result'
        where id = of_game;
    end if;
    if mark_turn is not null then
        insert into checkpoints (game_id, seq, turn, ends_turn, last_events, snapshot)
        values (of_game, new_seq, mark_turn, mark_ends, mark_last_events, new_snapshot)
        on conflict (game_id, seq) do update set turn = excluded.turn, ends_turn = excluded.ends_turn,
            last_events = excluded.last_events, snapshot = excluded.snapshot;
    end if;
    return true;
end
$$;

-- Does for one game what REMIND of src/commit/states.rs does.
create or replace function remind_game(
    of_game uuid, expected_seq bigint, expected_edition integer, new_remind_at timestamptz, notice_id uuid, notice_urgent boolean,
    new_sent_left bigint, new_now timestamptz
) returns boolean language plpgsql as $$
declare
    reminded record;
begin
    update game_states s set remind_at = new_remind_at, edition = s.edition + 1
    where s.game_id = of_game and s.seq = expected_seq and s.edition = expected_edition
    returning s.seq, s.to_act_player, s.turn_since into reminded;
    if not found then
        return false;
    end if;
    if new_sent_left is not null then
        insert into turn_reminders (game_id, turn_since, sent_left) values (of_game, reminded.turn_since, new_sent_left)
        on conflict (game_id) do update set turn_since = excluded.turn_since, sent_left = excluded.sent_left;
        if reminded.to_act_player is not null then
            insert into move_notices (game_id, id, kind, player_id, seq, created_at, urgent)
            values (of_game, notice_id, 'reminder', reminded.to_act_player, reminded.seq, new_now, notice_urgent);
        end if;
    end if;
    return true;
end
$$;

-- Does for one game what CHANGE_CLOCKS of src/commit/states.rs does.
create or replace function change_clock(
    of_game uuid, expected_seq bigint, expected_edition integer, new_clock text, new_deadline_at timestamptz, new_remind_at timestamptz,
    new_circumstances text, new_outage bigint, remind_anew boolean, line_numbers integer[], new_lines text[], new_openings text[]
) returns boolean language plpgsql as $$
begin
    update game_states s
    set clock = new_clock, deadline_at = new_deadline_at, remind_at = new_remind_at, edition = s.edition + 1
    where s.game_id = of_game and s.seq = expected_seq and s.edition = expected_edition;
    if not found then
        return false;
    end if;
    update games set clock = new_circumstances, outage = new_outage where id = of_game;
    if remind_anew then
        delete from turn_reminders where game_id = of_game;
    end if;
    for i in 1 .. cardinality(line_numbers) loop
        insert into clock_lines (game_id, number, line, openings) values (of_game, line_numbers[i], new_lines[i], new_openings[i]);
    end loop;
    return true;
end
$$;
