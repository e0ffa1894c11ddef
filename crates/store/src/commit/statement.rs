//! The statement that writes moves, in its forms: for a single move, whose values are parameters; for a group of moves, whose
//! values are columns of arrays; and for a single move on a distributed database. All are made from the same parts.
//!
//! A name in braces stands for a parameter: [`Values::bind`] knows it.

use std::fmt::Write as _;
use std::marker::PhantomData;
use std::sync::LazyLock;

use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{Bool, Uuid as SqlUuid};

use super::columns::{STATE_COLUMNS, VALUES, Values};

const RESPONSE_COLUMNS: &str = "player_id, key, fingerprint, answer, created_at";
const EVENT_COLUMNS: &str = "game_id, seq, line";
const NOTICE_COLUMNS: &str = "id, kind, player_id, game_id, seq, created_at, state, next_attempt_at";

/// For one move with one event, at most one notice and no checkpoint, in a game that goes on. `pippost-bench` gives this text to
/// pgbench.
pub static SINGLE: LazyLock<String> = LazyLock::new(single);

static GROUPED: LazyLock<String> = LazyLock::new(|| grouped(false));
static GROUPED_WITH_CHECKPOINTS: LazyLock<String> = LazyLock::new(|| grouped(true));
/// As the call of a function, for a distributed database.
pub static DELEGATED: LazyLock<String> = LazyLock::new(delegated);

/// A form of the statement. Each has one text, which is prepared once on a connection.
pub(super) trait Form: 'static {
    type Returned;

    fn text() -> &'static str;
}

macro_rules! forms {
    ($($(#[$meta:meta])* $form:ident: $text:ident returns $returned:ty;)*) => {
        $($(#[$meta])*
        pub(super) struct $form;

        impl Form for $form {
            type Returned = $returned;

            fn text() -> &'static str {
                &$text
            }
        })*
    };
}

forms! {
    /// See [`SINGLE`].
    Single: SINGLE returns SqlUuid;
    /// For any moves of different games without checkpoints.
    Grouped: GROUPED returns SqlUuid;
    /// For any moves of different games.
    GroupedWithCheckpoints: GROUPED_WITH_CHECKPOINTS returns SqlUuid;
    /// For any move on a distributed database.
    Delegated: DELEGATED returns Bool;
}

/// The statement in that form with its values.
pub(super) struct Statement<'a, F> {
    values: Values<'a>,
    form: PhantomData<F>,
}

impl<'a, F: Form> Statement<'a, F> {
    pub fn new(values: Values<'a>) -> Self {
        Self { values, form: PhantomData }
    }
}

impl<F: Form> QueryId for Statement<'_, F> {
    type QueryId = Statement<'static, F>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl<F: Form> Query for Statement<'_, F> {
    type SqlType = F::Returned;
}

impl<F: Form> QueryFragment<Pg> for Statement<'_, F> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let mut parts = F::text().split(['{', '}']);
        while let Some(plain) = parts.next() {
            out.push_sql(plain);
            if let Some(name) = parts.next() {
                self.values.bind(name, &mut out)?;
            }
        }
        Ok(())
    }
}

fn single() -> String {
    let value = |name: &str| {
        let (_, sql_type) = VALUES.iter().find(|(value, _)| *value == name).expect("a value of a move");
        format!("{{{name}}}::{sql_type}")
    };
    let guard = ["game_id", "expected_seq", "expected_edition"].map(value);
    let [game_id, expected_seq, expected_edition] = guard;
    let mut text = format!(
        "with locked as (select s.game_id from game_states s \
         where s.game_id = {game_id}{} for no key update)",
        nobody_moved(&expected_seq, &expected_edition)
    );
    write_response_and_state(&mut text, &value, "s.game_id");
    let (seq, now) = (value("seq"), value("now"));
    let events = format!("select m.game_id, {seq}, {{line}}::text from moved m");
    let notices = format!(
        "select {{notice_id}}::uuid, {{notice_kind}}::text, {{notice_player}}::uuid, m.game_id, {seq}, {now}, 'waiting', {now} \
         from moved m where {{notice_id}}::uuid is not null"
    );
    write_events_and_notices(&mut text, &events, &notices);
    text + " select game_id from moved"
}

fn grouped(checkpoints: bool) -> String {
    let names = VALUES.iter().map(|(name, _)| *name).collect::<Vec<_>>();
    let (parameters, names) = (format!("{{{}[]}}", names.join("[]}, {")), names.join(", "));
    let mut text = format!(
        "with locked as (select g.* from unnest({parameters}) as g({names}) join game_states s \
         on s.game_id = g.game_id{} for no key update of s)",
        nobody_moved("g.expected_seq", "g.expected_edition")
    );
    write_response_and_state(&mut text, &|name| format!("g.{name}"), "s.game_id, g.seq, g.now");
    let events = "select e.game_id, e.seq, e.line \
                  from unnest({event_game[]}, {event_seq[]}, {line[]}) as e(game_id, seq, line) join moved using (game_id)";
    let notices = "select n.id, n.kind, n.player_id, n.game_id, m.seq, m.now, 'waiting', m.now \
                   from unnest({notice_game[]}, {notice_id[]}, {notice_kind[]}, {notice_player[]}) \
                   as n(game_id, id, kind, player_id) join moved m using (game_id)";
    write_events_and_notices(&mut text, events, notices);
    text += ", over as (update games set status = 'finished', finished_at = g.finished_at, result = g.snapshot::json ->> 'result' \
             from moved m join locked g using (game_id) where games.id = g.game_id and g.finished_at is not null)";
    if checkpoints {
        text += CHECKPOINTS;
    }
    text + " select game_id from moved"
}

/// The condition that nobody has moved meanwhile.
fn nobody_moved(seq: &str, edition: &str) -> String {
    #[cfg(debug_assertions)]
    if crate::planted::Fault::LostGuard.is_planted() {
        return String::new();
    }
    format!(" and s.seq = {seq} and s.edition = {edition}")
}

/// Makes the new states of some moves checkpoints.
const CHECKPOINTS: &str = ", marked as (insert into checkpoints (game_id, seq, turn, ends_turn, last_events, snapshot) \
     select c.game_id, g.seq, c.turn, c.ends_turn, c.last_events, g.snapshot \
     from unnest({mark_game[]}, {mark_turn[]}, {mark_ends[]}, {mark_last_events[]}) as c(game_id, turn, ends_turn, last_events) \
     join moved using (game_id) join locked g on g.game_id = moved.game_id \
     on conflict (game_id, seq) do update set turn = excluded.turn, ends_turn = excluded.ends_turn, \
     last_events = excluded.last_events, snapshot = excluded.snapshot)";

/// Takes the key, then writes the state. The key's unique index decides between two requests with one key, whatever the planner
/// assumes about the table.
fn write_response_and_state(text: &mut String, value: &dyn Fn(&str) -> String, returned: &str) {
    let response = ["key_player", "key", "fingerprint", "answer", "now"].map(value).join(", ");
    let state =
        STATE_COLUMNS.iter().map(|name| format!("{name} = {}", value(name))).collect::<Vec<_>>().join(", ");
    let (key, fingerprint) = (value("key"), value("fingerprint"));
    let _ = write!(
        text,
        ", stored as (insert into idempotency_keys ({RESPONSE_COLUMNS}) select {response} from locked g \
         where {key} is not null on conflict do nothing returning fingerprint), \
         moved as (update game_states s set {state} from locked g where s.game_id = g.game_id \
         and ({key} is null or {fingerprint} = any (array(select fingerprint from stored))) \
         returning {returned})"
    );
}

fn write_events_and_notices(text: &mut String, events: &str, notices: &str) {
    #[cfg(debug_assertions)]
    let events = &if crate::planted::Fault::LostGuard.is_planted() {
        format!("{events} on conflict do nothing")
    } else {
        events.to_owned()
    };
    let _ = write!(
        text,
        ", written as (insert into events ({EVENT_COLUMNS}) {events}), \
         told as (insert into notices ({NOTICE_COLUMNS}) {notices})"
    );
}

/// A call of the function of `store/citus/functions.sql`, in the order of its parameters. Citus sends it to the node of its game
/// only if it has the form `select f($1, …)` with bare parameters.
fn delegated() -> String {
    let state = STATE_COLUMNS.join("}, {");
    format!(
        "select append_move({{game_id}}, {{expected_seq}}, {{expected_edition}}, {{{state}}}, {{finished_at}}, {{line[]}}, \
         {{notice_id[]}}, {{notice_kind[]}}, {{notice_player[]}}, {{key_player}}, {{key}}, {{fingerprint}}, {{answer}}, {{now}}, \
         {{mark_turn}}, {{mark_ends}}, {{mark_last_events}})"
    )
}
