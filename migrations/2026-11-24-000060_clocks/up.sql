-- The whole time control, as JSON; null in games from before, which have the limit of `limit_hours` and nobody's calendar.
alter table games add column time_control text;
-- What bears on the clock of a started game and does not change with moves, as JSON.
alter table games add column clock text;
-- The running clock, as JSON; null if it follows from `turn_since` and the limit.
alter table game_states add column clock text;

-- Until now every act gave its seat the whole limit anew; from now on the steps of a turn share one. Who is to act keeps the
-- deadline that was promised, and no later one comes with the next step of the same turn.
update games g set clock = json_build_object('base', json_build_object(
    'seq', s.seq, 'since', (extract(epoch from s.turn_since) * 1000000)::bigint))::text
from game_states s where s.game_id = g.id and s.turn_since is not null;
