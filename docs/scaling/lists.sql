-- Rows of 100,000 running games of 1,000 players, 200 games each, to measure lists on (docs/SCALING.md): run it by psql on a new
-- database that `pippost migrate`, and `pippost distribute` for a cluster, have made.
insert into players (id, handle, email, email_key, password_hash, created_at)
select lpad(to_hex(i), 32, '0')::uuid, 'p' || i || 'x', i || '@example.org', i || '@example.org', '', now() from generate_series(1, 1000) i;
insert into games (id, rules, rules_version, options, seating, seats, private, commitment, master_sealed, creator_id, status, created_at)
select ('1' || lpad(to_hex(i), 31, '0'))::uuid, 'a-game', 1, '{}', 'joined', 2, false, '', '', lpad(to_hex(1 + i % 1000), 32, '0')::uuid,
    'running', now() from generate_series(1, 100000) i;
insert into game_states (game_id, seq, head, at, snapshot, to_act_seat, to_act_player, deadline_at, remind_at)
select ('1' || lpad(to_hex(i), 31, '0'))::uuid, 1, '', now(), repeat(md5(i::text), 12), 0, lpad(to_hex(1 + i % 1000), 32, '0')::uuid,
    now() + i * interval '1 minute', now() + i * interval '1 minute' from generate_series(1, 100000) i;
insert into game_players (game_id, player_id, joined, entropy, seat)
select ('1' || lpad(to_hex(i), 31, '0'))::uuid, lpad(to_hex(1 + (i + seat) % 1000), 32, '0')::uuid, seat, '', seat
from generate_series(1, 100000) i, generate_series(0, 1) seat;
analyze;
