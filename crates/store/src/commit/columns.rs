//! The values of a move. Each is described once, here; the texts of the statements and their parameters are made from that.

use diesel::expression::Expression;
use diesel::pg::Pg;
use diesel::query_builder::AstPass;
use diesel::result::QueryResult;
use diesel::serialize::ToSql;
use diesel::sql_types::{
    Array, BigInt, Binary, Bool, HasSqlType, Integer, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid,
};
use uuid::Uuid;

use super::append::Append;
use crate::games::NewState;
use crate::schema::game_states;
use crate::stored_responses::NewStoredResponse;
use crate::{NoticeKind, Seq, TurnNumber};

/// A value in a move that is written as the SQL type `T`.
type Value<'a, T> = &'a (dyn ToSql<T, Pg> + Sync);

/// The name that SQL has for a type.
trait SqlName {
    const NAME: &'static str;
}

macro_rules! sql_names {
    ($($sql:ty = $name:literal,)*) => {
        $(impl SqlName for $sql {
            const NAME: &'static str = $name;
        })*
    };
}

sql_names! {
    BigInt = "bigint", Binary = "bytea", Integer = "integer", SmallInt = "smallint", SqlUuid = "uuid", Text = "text",
    Timestamptz = "timestamptz",
}

impl<T: SqlName> SqlName for Nullable<T> {
    const NAME: &'static str = T::NAME;
}

/// Describes values by name, SQL type and place in an [`Append`]. Columns of `game_states` have the schema's types, and lie in
/// [`Append::state`].
macro_rules! values {
    ($append:ident; state { $($column:ident,)* } $($name:ident: $sql:ty = $value:expr,)*) => {
        /// The columns of `game_states` that a move sets, each to the value of the same name.
        pub const STATE_COLUMNS: &[&str] = &[$(stringify!($column)),*];

        /// Does not compile if a column of [`NewState`] is missing above.
        const _: fn(&NewState) = |NewState { $($column: _,)* }| {};

        values! {
            @ $append;
            $($name: $sql = $value,)*
            $($column: <game_states::$column as Expression>::SqlType = &$append.state.$column,)*
        }
    };
    (@ $append:ident; $($name:ident: $sql:ty = $value:expr,)*) => {
        /// The values of a move with the names of their types, except its events, notices and checkpoint.
        pub const VALUES: &[(&str, &str)] = &[$((stringify!($name), <$sql as SqlName>::NAME)),*];

        /// The values of several moves.
        struct Arrays<'a> {
            $($name: Vec<Value<'a, $sql>>,)*
        }

        impl<'a> Arrays<'a> {
            fn of(appends: &[&'a Append]) -> Self {
                Self { $($name: appends.iter().map(|$append| -> Value<'a, $sql> { $value }).collect(),)* }
            }

            fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
                match name {
                    $(stringify!($name) => out.push_bind_param::<Array<$sql>, _>(&self.$name),)*
                    _ => unreachable!("the statements name no other value"),
                }
            }
        }

        /// Binds the value of one move.
        fn bind_value<'b>($append: &'b Append, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
            match name {
                $(stringify!($name) => push::<$sql>(out, $value),)*
                _ => unreachable!("the statements name no other value"),
            }
        }
    };
}

values! {
    append;
    state { seq, head, at, snapshot, to_act_seat, to_act_player, turn_since, deadline_at, remind_at, clock, }
    game_id: SqlUuid = &append.game_id,
    expected_seq: BigInt = &append.expected_seq,
    expected_edition: Integer = &append.expected_edition,
    finished_at: Nullable<Timestamptz> = &append.finished_at,
    key_player: Nullable<SqlUuid> = stored(append, |stored| &stored.player_id),
    key: Nullable<Text> = stored(append, |stored| &stored.key),
    fingerprint: Nullable<Binary> = stored(append, |stored| &stored.fingerprint),
    answer: Nullable<Text> = stored(append, |stored| &stored.response),
    now: Timestamptz = &append.now,
}

fn push<'b, T>(out: &mut AstPass<'_, 'b, Pg>, value: Value<'b, T>) -> QueryResult<()>
where
    Pg: HasSqlType<T>,
{
    out.push_bind_param::<T, _>(value)
}

fn stored<'a, T, V>(append: &'a Append, value: fn(&'a NewStoredResponse) -> &'a V) -> Value<'a, Nullable<T>>
where
    V: ToSql<Nullable<T>, Pg> + Sync + 'static,
    Option<V>: ToSql<Nullable<T>, Pg>,
{
    nullable(append.stored_response.as_ref().map(value))
}

fn nullable<T, V>(value: Option<&V>) -> Value<'_, Nullable<T>>
where
    V: ToSql<Nullable<T>, Pg> + Sync + 'static,
    Option<V>: ToSql<Nullable<T>, Pg>,
{
    match value {
        Some(value) => value,
        None => const { &None::<V> },
    }
}

/// What moves write beside the states, as arrays.
#[derive(Default)]
struct Rows<'a> {
    event_games: Vec<Uuid>,
    event_seqs: Vec<Seq>,
    lines: Vec<&'a str>,
    notice_games: Vec<Uuid>,
    notice_ids: Vec<Uuid>,
    notice_kinds: Vec<NoticeKind>,
    notice_players: Vec<Uuid>,
    mark_games: Vec<Uuid>,
    mark_turns: Vec<TurnNumber>,
    mark_ends: Vec<bool>,
    mark_last_events: Vec<&'a str>,
}

impl<'a> Rows<'a> {
    fn of(appends: &[&'a Append]) -> Self {
        let mut rows = Self::default();
        for append in appends {
            for (after, line) in (0..).zip(&append.lines) {
                rows.event_games.push(append.game_id);
                rows.event_seqs.push(append.expected_seq.next() + after);
                rows.lines.push(line);
            }
            for notice in &append.notices {
                rows.notice_games.push(append.game_id);
                rows.notice_ids.push(notice.id);
                rows.notice_kinds.push(notice.kind);
                rows.notice_players.push(notice.player_id);
            }
            if let Some(mark) = &append.checkpoint {
                rows.mark_games.push(append.game_id);
                rows.mark_turns.push(mark.turn);
                rows.mark_ends.push(mark.ends_turn);
                rows.mark_last_events.push(&mark.last_events);
            }
        }
        rows
    }
}

/// The values of a statement: of one move, and arrays of all moves.
pub(super) struct Values<'a> {
    one: &'a Append,
    all: Arrays<'a>,
    rows: Rows<'a>,
}

impl<'a> Values<'a> {
    /// `all` and `with_rows` are the moves of which the statement has arrays.
    pub fn new(one: &'a Append, all: &[&'a Append], with_rows: &[&'a Append]) -> Self {
        Self { one, all: Arrays::of(all), rows: Rows::of(with_rows) }
    }

    /// Binds the value of that name, or with `[]` behind it an array of the values of all moves.
    pub fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let (rows, notice, mark) = (&self.rows, self.one.notices.first(), self.one.checkpoint.as_ref());
        match name {
            "line" => push::<Nullable<Text>>(out, nullable(self.one.lines.first())),
            "line[]" => out.push_bind_param::<Array<Text>, _>(&rows.lines),
            "event_game[]" => out.push_bind_param::<Array<SqlUuid>, _>(&rows.event_games),
            "event_seq[]" => out.push_bind_param::<Array<BigInt>, _>(&rows.event_seqs),
            "notice_game[]" => out.push_bind_param::<Array<SqlUuid>, _>(&rows.notice_games),
            "notice_id" => push::<Nullable<SqlUuid>>(out, nullable(notice.map(|notice| &notice.id))),
            "notice_id[]" => out.push_bind_param::<Array<SqlUuid>, _>(&rows.notice_ids),
            "notice_kind" => push::<Nullable<Text>>(out, nullable(notice.map(|notice| &notice.kind))),
            "notice_kind[]" => out.push_bind_param::<Array<Text>, _>(&rows.notice_kinds),
            "notice_player" => {
                push::<Nullable<SqlUuid>>(out, nullable(notice.map(|notice| &notice.player_id)))
            }
            "notice_player[]" => out.push_bind_param::<Array<SqlUuid>, _>(&rows.notice_players),
            "mark_game[]" => out.push_bind_param::<Array<SqlUuid>, _>(&rows.mark_games),
            "mark_turn" => push::<Nullable<BigInt>>(out, nullable(mark.map(|mark| &mark.turn))),
            "mark_turn[]" => out.push_bind_param::<Array<BigInt>, _>(&rows.mark_turns),
            "mark_ends" => push::<Nullable<Bool>>(out, nullable(mark.map(|mark| &mark.ends_turn))),
            "mark_ends[]" => out.push_bind_param::<Array<Bool>, _>(&rows.mark_ends),
            "mark_last_events" => push::<Nullable<Text>>(out, nullable(mark.map(|mark| &mark.last_events))),
            "mark_last_events[]" => out.push_bind_param::<Array<Text>, _>(&rows.mark_last_events),
            name => match name.strip_suffix("[]") {
                Some(name) => self.all.bind(name, out),
                None => bind_value(self.one, name, out),
            },
        }
    }
}
