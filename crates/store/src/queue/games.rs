//! Queues of games: what a worker does about single games, one task each.

use diesel::QueryableByName;
use diesel::sql_types::Uuid as SqlUuid;
use uuid::Uuid;

/// Until when a game is set aside for a task, in a form that the planner cannot estimate. Its row is read by a subquery, because a join
/// could be planned as a full read and a sort.
macro_rules! set_aside_until {
    ($task:literal, $game:literal) => {
        concat!(
            "coalesce((select retry_at from set_aside_games f where f.task = '",
            $task,
            "' and f.game_id = ",
            $game,
            "), '-infinity')"
        )
    };
}
pub(crate) use set_aside_until;

/// The games that wait for a task and are not set aside: `$1` now, `$2` how many.
macro_rules! due_games {
    ($columns:literal, $waiting:literal, $task:literal, $order:literal) => {
        concat!(
            "select ",
            $columns,
            " from games g where ",
            $waiting,
            " and ",
            $crate::queue::set_aside_until!($task, "g.id"),
            " <= $1 order by ",
            $order,
            " limit $2"
        )
    };
}
pub(crate) use due_games;

/// The id of a game.
#[derive(QueryableByName)]
pub(crate) struct GameId {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

impl GameId {
    pub(crate) fn all(rows: Vec<Self>) -> Vec<Uuid> {
        rows.into_iter().map(|row| row.id).collect()
    }
}
