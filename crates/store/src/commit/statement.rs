//! The text of the statement that writes moves, in its two forms: for a single move, whose values are parameters, and for a group
//! of moves, whose values are columns of arrays. Both are made from the same parts here.
//!
//! A name in braces stands for a parameter: [`bind_all`] replaces it.

use std::fmt::Write as _;
use std::sync::LazyLock;

use diesel::pg::Pg;
use diesel::query_builder::AstPass;
use diesel::result::QueryResult;

/// The values of a move, with their types, except its events, notices and checkpoint.
const VALUES: [(&str, &str); 19] = [
    ("game_id", "uuid"),
    ("expected_seq", "bigint"),
    ("expected_edition", "integer"),
    ("seq", "bigint"),
    ("head", "bytea"),
    ("at", "timestamptz"),
    ("snapshot", "text"),
    ("to_act_seat", "smallint"),
    ("to_act_player", "uuid"),
    ("turn_since", "timestamptz"),
    ("deadline_at", "timestamptz"),
    ("remind_at", "timestamptz"),
    ("clock", "text"),
    ("finished_at", "timestamptz"),
    ("key_player", "uuid"),
    ("key", "text"),
    ("fingerprint", "bytea"),
    ("answer", "text"),
    ("now", "timestamptz"),
];

/// The columns of `game_states` that a move sets, each to the value of the same name.
const STATE_COLUMNS: [&str; 10] = [
    "seq",
    "head",
    "at",
    "snapshot",
    "to_act_seat",
    "to_act_player",
    "turn_since",
    "deadline_at",
    "remind_at",
    "clock",
];

const RESPONSE_COLUMNS: &str = "player_id, key, fingerprint, answer, created_at";
const EVENT_COLUMNS: &str = "game_id, seq, line";
const NOTICE_COLUMNS: &str = "id, kind, player_id, game_id, seq, created_at, state, next_attempt_at";

/// For one move with one event, at most one notice and no checkpoint, in a game that goes on. `pippost-bench` gives this text to
/// pgbench.
pub static SINGLE: LazyLock<String> = LazyLock::new(single);

/// For any moves of different games without checkpoints.
pub(super) static GROUPED: LazyLock<String> = LazyLock::new(|| grouped(false));

/// For any moves of different games.
pub(super) static GROUPED_WITH_CHECKPOINTS: LazyLock<String> = LazyLock::new(|| grouped(true));

fn single() -> String {
    let value = |name: &str| {
        let (_, sql_type) = VALUES.iter().find(|(value, _)| *value == name).expect("a value of a move");
        format!("{{{name}}}::{sql_type}")
    };
    let guard = ["game_id", "expected_seq", "expected_edition"].map(value);
    let [game_id, expected_seq, expected_edition] = guard;
    let mut text = format!(
        "with locked as (select s.game_id from game_states s \
         where s.game_id = {game_id} and s.seq = {expected_seq} and s.edition = {expected_edition} for no key update)"
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
    let parameters = VALUES.map(|(name, _)| format!("{{{name}}}")).join(", ");
    let names = VALUES.map(|(name, _)| name).join(", ");
    let mut text = format!(
        "with locked as (select g.* from unnest({parameters}) as g({names}) join game_states s \
         on s.game_id = g.game_id and s.seq = g.expected_seq and s.edition = g.expected_edition for no key update of s)"
    );
    write_response_and_state(
        &mut text,
        &|name| format!("g.{name}"),
        "s.game_id, g.seq, g.now, g.finished_at",
    );
    let events = "select e.game_id, e.seq, e.line \
                  from unnest({event_games}, {event_seqs}, {event_lines}) as e(game_id, seq, line) join moved using (game_id)";
    let notices = "select n.id, n.kind, n.player_id, n.game_id, m.seq, m.now, 'waiting', m.now \
                   from unnest({notice_games}, {notice_ids}, {notice_kinds}, {notice_players}) as n(game_id, id, kind, player_id) \
                   join moved m using (game_id)";
    write_events_and_notices(&mut text, events, notices);
    text += ", over as (update games set status = 'finished', finished_at = m.finished_at from moved m \
             where games.id = m.game_id and m.finished_at is not null)";
    if checkpoints {
        text += CHECKPOINTS;
    }
    text + " select game_id from moved"
}

/// Makes the new states of some moves checkpoints.
const CHECKPOINTS: &str = ", marked as (insert into checkpoints (game_id, seq, turn, ends_turn, last_events, snapshot) \
     select c.game_id, g.seq, c.turn, c.ends_turn, c.last_events, g.snapshot \
     from unnest({mark_games}, {mark_turns}, {mark_ends}, {mark_last_events}) as c(game_id, turn, ends_turn, last_events) \
     join moved using (game_id) join locked g on g.game_id = moved.game_id \
     on conflict (game_id, seq) do update set turn = excluded.turn, ends_turn = excluded.ends_turn, \
     last_events = excluded.last_events, snapshot = excluded.snapshot)";

/// Takes the key, then writes the state. The key's unique index decides between two requests with one key, whatever the planner
/// assumes about the table.
fn write_response_and_state(text: &mut String, value: &dyn Fn(&str) -> String, returned: &str) {
    let response = ["key_player", "key", "fingerprint", "answer", "now"].map(value).join(", ");
    let state = STATE_COLUMNS.map(|name| format!("{name} = {}", value(name))).join(", ");
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
    let _ = write!(
        text,
        ", written as (insert into events ({EVENT_COLUMNS}) {events}), \
         told as (insert into notices ({NOTICE_COLUMNS}) {notices})"
    );
}

/// Writes `text` to `out`, and calls `bind` for every name in braces.
pub(super) fn bind_all<'b>(
    text: &str,
    mut out: AstPass<'_, 'b, Pg>,
    bind: impl Fn(&str, &mut AstPass<'_, 'b, Pg>) -> QueryResult<()>,
) -> QueryResult<()> {
    let mut parts = text.split(['{', '}']);
    while let Some(plain) = parts.next() {
        out.push_sql(plain);
        if let Some(name) = parts.next() {
            bind(name, &mut out)?;
        }
    }
    Ok(())
}
