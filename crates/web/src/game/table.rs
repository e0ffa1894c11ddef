//! The page of a game, and the part of it that changes while it is open.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, web};
use futures_util::future;
use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;
use uuid::Uuid;

use super::choice::{Query, address};
use super::{clock, embed, ended, path, standing, substitutes, words};
use crate::page::{message, page};
use crate::renewal;
use crate::studies;
use crate::visitor::Visitor;
use crate::waiting;
use pippost_accounts::Accounts;
use pippost_games::letters::{messages::MAX_MESSAGE_CHARS, notes::MAX_NOTE_CHARS};
use pippost_games::viewing::clock_now;
use pippost_games::viewing::picking::{Choice, Picking, Proposal, ShownButton};
use pippost_games::viewing::view::{GameView, Look, Requester};
use pippost_games::{GameError, Games, SeatClaim, following, letters, playing, standing_orders, viewing};
use pippost_http::Problem;
use pippost_http::conditional::EntityTag;
use pippost_language::Language;
use pippost_language::words::date_time;
use pippost_record::board;
use pippost_record::rules::picture::{Area, Picture};
use pippost_record::rules::targets::{FACE_SIDE, Target};
use pippost_record::rules::{self, Group, Seat};
use pippost_store::{GameStatus, Seq};

/// The most messages that the page shows.
const MESSAGES_SHOWN: u16 = 50;

/// The page of a game.
#[get("/games/{id}")]
pub async fn show_game(
    games: web::Data<Games>,
    accounts: web::Data<Accounts>,
    visitor: Visitor,
    id: web::Path<Uuid>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let query = Query::read(request.query_string());
    show(&games, &accounts, visitor, *id, query, Shown::Page, None).await
}

/// The part of the page that changes. A script asks for it after each pick and while it waits for others.
#[get("/games/{id}/table")]
pub async fn show_table(
    games: web::Data<Games>,
    accounts: web::Data<Accounts>,
    visitor: Visitor,
    id: web::Path<Uuid>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let query = Query::read(request.query_string());
    let requester = Requester { player_id: visitor.player_id(), token: query.token.clone() };
    let tag = match viewing::look(&games, *id, &requester).await {
        Ok(look) => tag(&games, &look, &visitor, request.query_string()).await?,
        Err(_) => return show(&games, &accounts, visitor, *id, query, Shown::Fragment, None).await,
    };
    if tag.is_known_to(&request) {
        return Ok(tag.respond(&request, |mut answer| answer.finish()));
    }
    let mut response = show(&games, &accounts, visitor, *id, query, Shown::Fragment, None).await?;
    let tagged = tag.respond(&request, |mut answer| answer.finish());
    for (name, value) in tagged.headers() {
        response.headers_mut().insert(name.clone(), value.clone());
    }
    Ok(response)
}

/// A digest of all that the fragment shows, but for the time that is left.
async fn tag(games: &Games, look: &Look, visitor: &Visitor, query: &str) -> Result<EntityTag, Problem> {
    let view = look.view(games);
    let (messages, orders) = match seat_claim(games, &view, visitor).await? {
        Some(claim) => {
            let newest = letters::messages(games, &claim, None, 1).await?.pop();
            let removed = letters::removed(games, &claim).await?;
            let messages = newest.map(|message| format!("{} {removed}", message.id));
            (messages, standing_orders::show(games, &claim).await?)
        }
        None => (None, None),
    };
    let clock = match view.my_seat {
        Some(_) => Some(clock_now::clock_now(games, look).await?),
        None => None,
    };
    let clock =
        clock.map(|clock| format!("{:?}{:?}{:?}", clock.line, clock.stands_still, clock.pause_proposal));
    let head = view.head.map(|head| head.to_string());
    let deadline = view.deadline_at.map(|at| at.to_string());
    let parts = [
        head.unwrap_or_default(),
        deadline.unwrap_or_default(),
        clock.unwrap_or_default(),
        messages.unwrap_or_default(),
        visitor.player_id().map(|id| id.to_string()).unwrap_or_default(),
        format!("{}{:?}{:?}", visitor.language.tag(), visitor.theme, view.status),
        format!("{:?}{orders:?}", view.offered_seats),
        query.to_owned(),
    ];
    let joined = parts.join("\n");
    Ok(EntityTag::of(&[joined.as_bytes()]))
}

/// How much of the page is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    Page,
    Fragment,
}

impl Shown {
    fn template(self) -> &'static str {
        match self {
            Self::Page => "game.html",
            Self::Fragment => "game_table.html",
        }
    }
}

/// What was wrong with a request that comes back to the page.
pub struct Trouble {
    pub status: StatusCode,
    pub text: String,
}

/// Shows a game.
pub async fn show(
    games: &Games,
    accounts: &Accounts,
    visitor: Visitor,
    id: Uuid,
    query: Query,
    shown: Shown,
    trouble: Option<Trouble>,
) -> Result<HttpResponse, Problem> {
    let requester = Requester { player_id: visitor.player_id(), token: query.token.clone() };
    let token = requester.token.as_deref();
    let look = match viewing::look(games, id, &requester).await {
        Ok(look) => look,
        Err(GameError::NotStarted) => {
            let view = viewing::view(games, id, &requester).await?;
            return waiting::show(games, visitor, &view, token, waiting::Notice::default()).await;
        }
        Err(GameError::NotFound) => return no_such_game(visitor, token.is_some()),
        Err(error) => return Err(error.into()),
    };
    let (view, linked) = (look.view(games), look.player_of_link(games, token));
    let linked_id = linked.map(|(player_id, _)| player_id);
    if let Some(player_id) = visitor.player_id().or(linked_id) {
        accounts.presence().seen(player_id);
    }
    let visitor = visitor.recognised(accounts, linked_id).await?;
    let status = trouble.as_ref().map_or(StatusCode::OK, |trouble| trouble.status);
    let players = words::players(&view);
    let link_turn = linked.is_some_and(|(_, seat)| view.to_act == Some(seat.0));
    let headline = words::headline(&view, view.my_turn || link_turn, &players, visitor.language);
    let names = words::names(&players);
    let common = context! {
        id => view.id.to_string(),
        title => view.title,
        game_title => &view.game_title,
        rules => view.rules,
        shared => ended::card(games, &view, words::heading(&view, &names), &headline),
        headline,
        names => &names,
        players => Value::from(Serde(&players)),
        private => view.private,
        running => view.status == GameStatus::Running,
        finished => view.status == GameStatus::Finished,
        my_turn => view.my_turn,
        // The link belongs to a player who would have to log in to move.
        link_turn => link_turn && visitor.account.is_none(),
        seated => view.my_seat.is_some(),
        seq => view.seq.map(Seq::get),
        commitment => view.commitment.to_string(),
        token => query.token.clone(),
        problem => trouble.map(|trouble| trouble.text),
        rules_text => rules_text(&view, shown, visitor.language),
    };
    let common = context! { ..substitutes::shown(&view, &players, &visitor), ..common };
    let started = started(games, &look, &view, &visitor, query).await?;
    let height = started.get_attr("board_height").ok().and_then(|height| f32::try_from(height).ok());
    let embed_code = height.filter(|_| !view.private).map(|height| embed::code(&view, &names, height));
    let studies =
        if shown == Shown::Page { studies::of_game(games, &view, &visitor).await? } else { Vec::new() };
    let favourite = favourite(games, id, &visitor, shown).await?;
    let renews = shown == Shown::Page && renewal::is_on(games, id, &visitor).await?;
    let common = context! { embed_code, favourite, renews, studies, ..common };
    let values = context! { ..started, ..common };
    page(status, shown.template(), visitor, values)
}

/// The rules, for a panel beside the game.
fn rules_text(view: &GameView, shown: Shown, language: Language) -> Option<Value> {
    let rules = rules::find(view.rules, None).filter(|_| shown == Shown::Page)?;
    Some(crate::rules::text(rules, language))
}

/// Whether the reader has marked the game; `None` for who cannot, and in the part that changes.
async fn favourite(
    games: &Games,
    id: Uuid,
    visitor: &Visitor,
    shown: Shown,
) -> Result<Option<bool>, GameError> {
    match visitor.registered().filter(|_| shown == Shown::Page) {
        Some(reader) => Ok(Some(following::has_marked(games, reader.player_id, id).await?)),
        None => Ok(None),
    }
}

fn no_such_game(visitor: Visitor, had_link: bool) -> Result<HttpResponse, Problem> {
    let text = if had_link { "page-link-ended-text" } else { "page-no-game-text" };
    message(StatusCode::NOT_FOUND, visitor, "page-no-game-title", text)
}

async fn seat_claim(
    games: &Games,
    view: &GameView,
    visitor: &Visitor,
) -> Result<Option<SeatClaim>, GameError> {
    match visitor.player_id().filter(|_| view.my_seat.is_some()) {
        Some(player_id) => Ok(Some(viewing::claim_seat(games, view.id, player_id).await?)),
        None => Ok(None),
    }
}

/// What the page of a started game shows besides.
async fn started(
    games: &Games,
    look: &Look,
    view: &GameView,
    visitor: &Visitor,
    query: Query,
) -> Result<Value, Problem> {
    let language = visitor.language;
    let said = match &query.choice {
        Choice::Notation(text) => text.clone(),
        Choice::Picks(_) => String::new(),
    };
    let picking = viewing::pick(games, look, query.choice, language);
    let (picking, recap) = future::try_join(picking, letters::recap(games, look, language)).await?;
    let told: Vec<_> = recap
        .told
        .iter()
        .map(|told| context! { seq => told.seq.get(), sentences => told.sentences.clone() })
        .collect();
    let page_path = path(view.id);
    let board = board(&picking, |picks| address(&page_path, query.token.as_deref(), picks));
    let seat = view.my_seat.map(Seat);
    let clock = match view.status {
        GameStatus::Running => {
            let clock = clock_now::clock_now(games, look).await?;
            clock::shown(&clock, &words::players(view), visitor, seat)
        }
        _ => context! {},
    };
    let table = context! {
        time => words::time_left(view, visitor),
        deadline => view.deadline_at.map(|at| at.to_string()),
        story => told,
        since_mine => recap.since_mine,
        said,
        ..board
    };
    let claim = seat_claim(games, view, visitor).await?;
    let end = ended::shown(games, view, &words::players(view), &recap, claim.as_ref(), language).await?;
    let table = context! { ..clock, ..end, ..table };
    let Some(claim) = claim else { return Ok(table) };
    let choices = playing::legal_actions(games, &claim).await?;
    let messages = letters::messages(games, &claim, None, MESSAGES_SHOWN).await?;
    if let Some(newest) = messages.last() {
        letters::mark_read(games, &claim, newest.id).await?;
    }
    let messages: Vec<_> = messages
        .into_iter()
        .map(|message| {
            let at = date_time(message.created_at, &visitor.zone, language);
            let mine = visitor.player_id() == Some(message.player_id);
            context! { id => message.id.to_string(), handle => message.handle, text => message.text, at, mine }
        })
        .collect();
    let orders = match view.status {
        GameStatus::Running => standing::shown(standing_orders::show(games, &claim).await?, language),
        _ => context! {},
    };
    let table = context! { ..orders, ..table };
    Ok(context! {
        may_resign => choices.may_resign(),
        may_abort => choices.may_abort(),
        messages,
        note => letters::note(games, &claim).await?,
        max_message => MAX_MESSAGE_CHARS,
        max_note => MAX_NOTE_CHARS,
        // A form that is sent twice acts once.
        key => Uuid::now_v7().to_string(),
        ..table
    })
}

/// A target as a template draws it.
#[derive(Debug, Serialize)]
struct Spot {
    name: String,
    label: String,
    x: f32,
    y: f32,
    width: f32,
    height: f32,
    href: Option<String>,
}

/// The board with what can be picked on it, and what has been picked. `address` is that of the page with these picks.
pub(super) fn board(picking: &Picking, address: impl Fn(&[String]) -> String) -> Value {
    let after = |target: &str| {
        let picks: Vec<String> = picking.picked.iter().cloned().chain([target.to_owned()]).collect();
        address(&picks)
    };
    let spot = |target: &Target, href: Option<String>| Spot {
        name: target.name.clone(),
        label: target.label.clone(),
        x: target.area.x,
        y: target.area.y,
        width: target.area.width,
        height: target.area.height,
        href,
    };
    let is_next = |target: &&Target| picking.next.contains(&target.name);
    let next: Vec<_> = picking
        .targets
        .iter()
        .filter(is_next)
        .map(|target| spot(target, Some(after(&target.name))))
        .collect();
    let picked: Vec<_> = picking
        .targets
        .iter()
        .filter(|target| picking.picked.contains(&target.name))
        .map(|target| spot(target, None))
        .collect();
    let button = |button: &ShownButton| {
        let face = button.face.as_ref().map(board::shapes);
        context! { name => &button.target, label => &button.label, face, href => after(&button.target) }
    };
    let buttons: Vec<_> = picking.buttons.iter().map(button).collect();
    let before = picking.picked.len().saturating_sub(1);
    let parts: Vec<_> = picking.parts.iter().map(part).collect();
    let undo = address(&picking.picked[..before]);
    context! {
        shapes => board::shapes(&picking.picture),
        board_height => picking.picture.height,
        board_title => &picking.picture.title,
        board_description => &picking.picture.description,
        board_text => &picking.board_text,
        next => Value::from(Serde(&next)),
        picked => Value::from(Serde(&picked)),
        parts,
        picks => picking.picked.clone(),
        chosen => picking.chosen.clone(),
        buttons,
        face_side => FACE_SIDE,
        undo => (!picking.picked.is_empty()).then_some(undo),
        restart => address(&[]),
        to_do => picking.to_do.as_ref(),
        proposal => picking.proposal.as_ref().map(proposal),
        refusal => picking.refusal.as_ref(),
        notation => picking.notation.clone(),
        may_analyse => picking.public,
    }
}

/// A board on which nothing can be picked.
pub(crate) fn drawn(picture: &Picture, board_text: &str, parts: &[Group]) -> Value {
    context! {
        shapes => board::shapes(picture),
        board_height => picture.height,
        board_title => &picture.title,
        board_description => &picture.description,
        board_text,
        parts => parts.iter().map(part).collect::<Vec<_>>(),
    }
}

/// A part of the board that says something when somebody points at it.
pub(super) fn part(part: &Group) -> Value {
    let area =
        |area: &Area| context! { x => area.x, y => area.y, width => area.width, height => area.height };
    context! { label => &part.label, areas => part.areas.iter().map(area).collect::<Vec<_>>() }
}

fn proposal(proposal: &Proposal) -> Value {
    context! {
        action => proposal.action.to_string(),
        notation => &proposal.notation,
        told => proposal.told.clone(),
        outlook => proposal.outlook.as_ref(),
        draws => proposal.draws,
    }
}
