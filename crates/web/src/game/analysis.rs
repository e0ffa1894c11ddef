//! The page of an analysis: a board of one's own from any moment. The address holds the whole line, so that the page works without
//! scripts and can be kept, sent and opened again.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, web};
use minijinja::{Value, context};
use uuid::Uuid;

use super::choice::{self, MAX_NOTATION_BYTES, MAX_TARGET_BYTES};
use super::table::board;
use super::{path, words};
use crate::page::{encoded, message, page};
use crate::studies;
use crate::visitor::Visitor;
use pippost_games::viewing::analysis::{LineEntry, MAX_LINE, MAX_OUTCOMES, Sent};
use pippost_games::viewing::analysis_board::AnalysisBoard;
use pippost_games::viewing::picking::Choice;
use pippost_games::viewing::view::{GameView, Requester};
use pippost_games::{At, GameError, Games, viewing};
use pippost_http::Problem;
use pippost_http::admission::{Admitted, Replaying};
use pippost_language::{Arguments, Language};
use pippost_record::board::shapes;
use pippost_store::{GameStatus, Seq};

/// The query of the page.
#[derive(Debug)]
pub(crate) struct Query {
    pub(crate) seq: Option<u64>,
    pub(crate) line: Vec<LineEntry>,
    chosen: choice::Query,
}

impl Query {
    /// Reads a query; what it does not know it leaves out. `chance` belongs to the `step` before it.
    pub(crate) fn read(query: &str) -> Self {
        let pairs: Vec<(String, String)> = serde_urlencoded::from_str(query).unwrap_or_default();
        let mut read = Self { seq: None, line: Vec::new(), chosen: choice::Query::read(query) };
        for (name, value) in pairs {
            match name.as_str() {
                "seq" => read.seq = value.parse().ok(),
                "step" if read.line.len() < MAX_LINE && value.len() <= MAX_NOTATION_BYTES => {
                    read.line.push(LineEntry { action: Sent::Notation(value), chance: Vec::new() });
                }
                "chance" if value.len() <= MAX_TARGET_BYTES => {
                    if let Some(last) = read.line.last_mut().filter(|last| last.chance.len() < MAX_OUTCOMES) {
                        last.chance.push(value);
                    }
                }
                _ => {}
            }
        }
        read
    }
}

#[get("/games/{id}/analysis")]
pub async fn show_analysis(
    _place: Admitted<Replaying>,
    visitor: Visitor,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    show(&games, visitor, *id, Query::read(request.query_string()), "analysis.html").await
}

/// The part of the page that changes.
#[get("/games/{id}/analysis/board")]
pub async fn show_board(
    _place: Admitted<Replaying>,
    visitor: Visitor,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    show(&games, visitor, *id, Query::read(request.query_string()), "analysis_board.html").await
}

async fn show(
    games: &Games,
    visitor: Visitor,
    id: Uuid,
    query: Query,
    template: &str,
) -> Result<HttpResponse, Problem> {
    let Query { seq, line, chosen } = query;
    let requester = Requester { player_id: visitor.player_id(), token: chosen.token };
    let said = match &chosen.choice {
        Choice::Notation(text) => text.clone(),
        Choice::Picks(_) => String::new(),
    };
    let at: At = seq.map(Seq::from).into();
    let shown = async {
        let view = viewing::view(games, id, &requester).await?;
        let board =
            viewing::analysis_board(games, id, &requester, at, line, chosen.choice, visitor.language).await?;
        Ok::<_, GameError>((view, board))
    };
    let (view, board) = match shown.await {
        Ok(shown) => shown,
        Err(error) => return refused(error, visitor, id, requester.token.as_deref()),
    };
    let said = if board.picking.refusal.is_some() { said } else { String::new() };
    let values = values(&view, &board, requester.token.as_deref(), visitor.language);
    let may_keep = view.status == GameStatus::Finished && visitor.registered().is_some();
    let values = context! { keeping => may_keep.then(|| studies::form(&view)), ..values };
    page(StatusCode::OK, template, visitor, context! { said, ..values })
}

/// A page that says why there is no board, and leads on from a game that there is.
fn refused(
    error: GameError,
    visitor: Visitor,
    id: Uuid,
    token: Option<&str>,
) -> Result<HttpResponse, Problem> {
    let (title, text) = match error {
        GameError::NotFound | GameError::NotStarted => {
            return message(StatusCode::NOT_FOUND, visitor, "page-no-game-title", "page-no-game-text");
        }
        GameError::NoSuchPosition { .. } => {
            return message(StatusCode::NOT_FOUND, visitor, "replay-none-title", "replay-none-text");
        }
        GameError::AnalysisHidden => ("analysis-hidden-title", "analysis-hidden-text"),
        GameError::Refused { .. }
        | GameError::Unreadable { .. }
        | GameError::Incomplete { .. }
        | GameError::ChanceNotPossible { .. }
        | GameError::ChanceOpen { .. } => ("analysis-not-possible-title", "analysis-not-possible-text"),
        other => return Err(other.into()),
    };
    let (language, onward) = (visitor.language, with_token(format!("{}/replay", path(id)), token, '?'));
    let values = context! {
        title => language.say(title),
        text => language.say(text),
        onward,
        onward_text => "play-replay",
    };
    page(StatusCode::CONFLICT, "message.html", visitor, values)
}

/// An address with the token of a link, if there is one.
fn with_token(address: String, token: Option<&str>, joint: char) -> String {
    match token {
        Some(token) => format!("{address}{joint}token={}", encoded(token)),
        None => address,
    }
}

/// The query of a line, in pairs.
type Pairs = Vec<(&'static str, String)>;

/// A line as the address holds it: the first `actions` actions, the last of them with `outcomes` outcomes at most.
fn pairs(board: &AnalysisBoard, token: Option<&str>, actions: usize, outcomes: usize) -> Pairs {
    let mut pairs = vec![("seq", board.seq.to_string())];
    pairs.extend(token.map(|token| ("token", token.to_owned())));
    for (index, played) in board.line.iter().take(actions).enumerate() {
        pairs.push(("step", played.notation.clone()));
        let most = if index + 1 == actions { outcomes } else { MAX_OUTCOMES };
        pairs.extend(played.chance.iter().take(most).map(|name| ("chance", name.clone())));
    }
    pairs
}

/// The page of an analysis with a line, each action with its outcomes.
pub(crate) fn of_line<'a>(id: Uuid, seq: Seq, line: impl Iterator<Item = (&'a str, &'a [String])>) -> String {
    let mut pairs = vec![("seq", seq.to_string())];
    for (notation, chance) in line {
        pairs.push(("step", notation.to_owned()));
        pairs.extend(chance.iter().map(|name| ("chance", name.clone())));
    }
    address(id, &pairs, &[])
}

fn address(id: Uuid, pairs: &[(&'static str, String)], further: &[(&str, &str)]) -> String {
    let pairs = pairs.iter().map(|(name, value)| (*name, value.as_str())).chain(further.iter().copied());
    let query: Vec<String> = pairs.map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    format!("{}/analysis?{}", path(id), query.join("&"))
}

fn values(view: &GameView, shown: &AnalysisBoard, token: Option<&str>, language: Language) -> Value {
    let id = view.id;
    let players = words::players(view);
    let name = |seat: u8| players.get(usize::from(seat)).map(|player| player.handle.clone());
    let whole = pairs(shown, token, shown.line.len(), MAX_OUTCOMES);
    let board_values = board(&shown.picking, |picks| {
        let picks: Vec<_> = picks.iter().map(|pick| ("pick", pick.as_str())).collect();
        address(id, &whole, &picks)
    });
    let line: Vec<_> = shown
        .line
        .iter()
        .enumerate()
        .map(|(index, played)| {
            context! {
                player => name(played.seat),
                notation => &played.notation,
                chance => played.chance.clone(),
                told => played.told.clone(),
                href => address(id, &pairs(shown, token, index + 1, MAX_OUTCOMES), &[]),
            }
        })
        .collect();
    let asked: Vec<_> = shown
        .asked
        .iter()
        .map(|outcome| {
            let face = outcome.face.as_ref().map(shapes);
            let href = address(id, &whole, &[("chance", &outcome.name)]);
            context! { name => &outcome.name, label => &outcome.label, face, href }
        })
        .collect();
    let moment = format!("{}/replay?seq={}", path(id), shown.seq);
    context! {
        id => id.to_string(),
        title => view.title,
        rules => view.rules,
        names => words::names(&players),
        seq => shown.seq.get(),
        headline => headline(shown, &name, language),
        full => shown.full,
        line,
        asked,
        here => address(id, &whole, &[]),
        begin => address(id, &pairs(shown, token, 0, 0), &[]),
        fields => whole.iter().map(|(name, value)| vec![(*name).to_owned(), value.clone()]).collect::<Vec<_>>(),
        moment => with_token(moment, token, '&'),
        game => with_token(path(id), token, '?'),
        ..context! { undo => undo(id, shown, token), ..board_values }
    }
}

/// The address before the last pick, outcome or action.
fn undo(id: Uuid, shown: &AnalysisBoard, token: Option<&str>) -> Option<String> {
    let whole = || pairs(shown, token, shown.line.len(), MAX_OUTCOMES);
    if let Some((_, before)) = shown.picking.picked.split_last() {
        let picks: Vec<_> = before.iter().map(|pick| ("pick", pick.as_str())).collect();
        return Some(address(id, &whole(), &picks));
    }
    let last = shown.line.last()?;
    let (actions, outcomes) = match last.chance.len() {
        0 => (shown.line.len() - 1, MAX_OUTCOMES),
        outcomes => (shown.line.len(), outcomes - 1),
    };
    Some(address(id, &pairs(shown, token, actions, outcomes), &[]))
}

/// What is to be chosen, and for whom.
fn headline(shown: &AnalysisBoard, name: &impl Fn(u8) -> Option<String>, language: Language) -> String {
    if let Some(result) = &shown.result {
        return result.clone();
    }
    if !shown.asked.is_empty() {
        return language.say("analysis-chance");
    }
    let player = shown.to_act.and_then(name);
    match player {
        Some(player) => language.say_with("page-turn-of", &Arguments::default().text("player", player)),
        None => language.say("rules-over"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_in_order_and_each_outcome_belongs_to_the_action_before_it() {
        let read = Query::read(
            "chance=9&seq=7&step=roll&chance=5&step=c6+n1&step=roll&chance=1&chance=2&pick=a&x=y",
        );
        let entry = |text: &str, chance: &[&str]| LineEntry {
            action: Sent::Notation(text.into()),
            chance: chance.iter().map(|&name| name.into()).collect(),
        };
        assert_eq!(read.seq, Some(7));
        assert_eq!(read.line, [entry("roll", &["5"]), entry("c6 n1", &[]), entry("roll", &["1", "2"])]);
        assert_eq!(read.chosen.choice, Choice::Picks(vec!["a".into()]));
    }

    #[test]
    fn nothing_is_read_without_bound() {
        let read = Query::read(&"step=a&".repeat(MAX_LINE + 50));
        assert_eq!(read.line.len(), MAX_LINE);
        let read = Query::read(&format!("step=a{}", "&chance=1".repeat(MAX_OUTCOMES + 50)));
        assert_eq!(read.line[0].chance.len(), MAX_OUTCOMES);
        let read = Query::read(&format!("step={}&chance={}&seq=x", "a".repeat(999), "1".repeat(99)));
        assert!(read.line.is_empty() && read.seq.is_none());
    }
}
