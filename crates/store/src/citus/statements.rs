//! Statements that a cluster asks in another form. The plain ones name them.

/// As `events::LINES_OF`. No limit for each of several games is known here; a span has no gaps, so it is cut as there.
pub(crate) const LINES_OF: &str = "
select g.number, e.seq, e.line
from unnest({games}, {first_seqs}, {last_seqs}) with ordinality as g(game_id, first_seq, last_seq, number)
join events e on e.game_id = g.game_id and e.seq between g.first_seq and g.last_seq and e.seq < g.first_seq + 500
order by g.number, e.seq";

/// As `player_feeds::UNPLACED`. The feed is on the coordinator and the games are not: what the feed has is read once.
pub(crate) const UNPLACED: &str = "
select p.game_id, coalesce(r.last_seq + 1, 0) as first_seq, s.seq as last_seq
from game_players p join game_states s on s.game_id = p.game_id
left join (select game_id, max(last_seq) as last_seq from feed_ranges where player_id = $1 group by game_id) r
    on r.game_id = p.game_id
where p.player_id = $1 and s.seq > coalesce(r.last_seq, -1)";

/// As `player_feeds::RUNNING`.
pub(crate) const RUNNING: &str = "
select p.game_id, r.last_seq as seq
from game_players p join game_states s on s.game_id = p.game_id and s.to_act_seat is not null
join (
    select game_id, max(last_seq) as last_seq from feed_ranges where player_id = $1 and position <= $2 group by game_id
) r on r.game_id = p.game_id
where p.player_id = $1 order by p.game_id desc limit $3";

/// As the locks of rows in `calendars`: here several that share rows of a table with copies wait for each other in a circle.
pub(crate) const SHARE_PLAYERS: &str = "select pg_advisory_xact_lock_shared(hashtextextended(id::text, 0)) \
    from (select id from unnest($1) as ids (id) order by id) as ordered";

pub(crate) const LOCK_PLAYER: &str = "select pg_advisory_xact_lock(hashtextextended($1::uuid::text, 0))";
