//! Ladders: which there are, and one with who stands where, what is not over, and what has happened.

use actix_web::http::StatusCode;
use actix_web::web::ServiceConfig;
use actix_web::{HttpResponse, get, post, web};
use minijinja::{Value, context};
use serde::Deserialize;

use super::form::{Posted, see_other};
use super::game::path as game_path;
use super::lists::pace;
use super::page::{encoded, message, page};
use super::visitor::{SignedIn, Visitor};
use pippost_accounts::{Accounts, PlayerRequest};
use pippost_games::ladders::{
    self, ANSWER_TIME, Challenged, LadderRefused, MAX_IDLE, Placed, Refused, ShownLadder, Told,
};
use pippost_games::{GameError, Games};
use pippost_http::Problem;
use pippost_http::peer::Peer;
use pippost_language::{Arguments, Language, words};
use pippost_store::ladders::HappeningKind;
use pippost_tournaments::ladder::{MAX_CHALLENGES, MAX_REACH, MAX_UNANSWERED};

/// The page of all ladders.
const LADDERS: &str = "/ladders";

/// Registers the pages and their forms.
pub fn configure(service: &mut ServiceConfig) {
    service
        .service(ladders_page)
        .service(ladder_page)
        .service(join_ladder)
        .service(leave_ladder)
        .service(challenge_player)
        .service(accept_challenge);
}

/// The address of a ladder's page.
#[must_use]
pub fn path(rules: &str) -> String {
    format!("{LADDERS}/{}", encoded(rules))
}

/// The ladders, with the reader's places.
#[get("/ladders")]
pub async fn ladders_page(visitor: Visitor, games: web::Data<Games>) -> Result<HttpResponse, Problem> {
    let listed = ladders::list(&games, visitor.player_id()).await?;
    let told = listed.iter().map(|one| {
        context! { title => one.title, path => path(one.rules), players => one.players, place => one.place }
    });
    let values = context! { ladders => told.collect::<Vec<_>>(), ..rules_told(&visitor) };
    page(StatusCode::OK, "ladders.html", visitor, values)
}

/// What a reader has to know of all ladders.
fn rules_told(visitor: &Visitor) -> Value {
    context! {
        reach => MAX_REACH,
        most => MAX_CHALLENGES,
        unanswered => MAX_UNANSWERED,
        answer_days => ANSWER_TIME.whole_days(),
        idle_days => MAX_IDLE.whole_days(),
        pace => pace(&ladders::control(), visitor.language),
    }
}

/// A ladder.
#[get("/ladders/{rules}")]
pub async fn ladder_page(
    visitor: Visitor,
    games: web::Data<Games>,
    rules: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    match ladders::show(&games, &rules, visitor.player_id()).await {
        Ok(ladder) => {
            let values = values(&ladder, &visitor);
            page(StatusCode::OK, "ladder.html", visitor, values)
        }
        Err(GameError::NotFound) => none(visitor),
        Err(error) => Err(error.into()),
    }
}

/// The page where there is no ladder.
fn none(visitor: Visitor) -> Result<HttpResponse, Problem> {
    message(StatusCode::NOT_FOUND, visitor, "ladder-none-title", "ladder-none-text")
}

fn values(ladder: &ShownLadder, visitor: &Visitor) -> Value {
    let (asked, open): (Vec<&Challenged>, Vec<&Challenged>) =
        ladder.challenges.iter().partition(|one| one.is_asked);
    let shown =
        |all: Vec<&Challenged>| all.into_iter().map(|one| challenged(one, visitor)).collect::<Vec<_>>();
    context! {
        title => ladder.title,
        path => path(ladder.rules),
        players => ladder.players.iter().map(|one| placed(one, visitor)).collect::<Vec<_>>(),
        asked => shown(asked),
        open => shown(open),
        happened => ladder.told.iter().map(|one| told(one, visitor)).collect::<Vec<_>>(),
        is_in => ladder.is_in,
        may_join => !ladder.is_in && visitor.registered().is_some(),
        ..rules_told(visitor)
    }
}

fn placed(one: &Placed, visitor: &Visitor) -> Value {
    context! {
        place => one.place,
        handle => &one.handle,
        name => words::player(&one.handle, one.bot),
        is_me => visitor.player_id() == Some(one.player_id),
        may_challenge => one.may_challenge,
    }
}

fn challenged(one: &Challenged, visitor: &Visitor) -> Value {
    context! {
        number => one.number,
        challenger => &one.challenger,
        challenged => &one.challenged,
        game => one.game.map(game_path),
        until => one.until.map(|at| words::date_time(at.get(), &visitor.zone, visitor.language)),
    }
}

fn told(one: &Told, visitor: &Visitor) -> Value {
    context! {
        on => words::date(visitor.zone.day(one.at.get()), visitor.language),
        sentence => sentence(one, visitor.language),
        game => one.game.map(game_path),
    }
}

fn sentence(one: &Told, language: Language) -> String {
    let key = match (one.kind, one.how.as_deref()) {
        (HappeningKind::Joined, _) => "ladder-told-joined".to_owned(),
        (HappeningKind::Challenged, _) => "ladder-told-challenged".to_owned(),
        (HappeningKind::Accepted, _) => "ladder-told-accepted".to_owned(),
        (HappeningKind::Expired, _) => "ladder-told-expired".to_owned(),
        (HappeningKind::Ended, how) => format!("ladder-told-ended-{}", how.unwrap_or("void")),
        (HappeningKind::Left, how) => format!("ladder-told-left-{}", how.unwrap_or("wish")),
    };
    let arguments = Arguments::default()
        .text("player", one.player.clone())
        .text("other", one.other.clone().unwrap_or_default());
    language.say_with(&key, &arguments)
}

#[derive(Debug, Default, Deserialize)]
pub struct EmptyForm {}

/// Joins a ladder.
#[post("/ladders/{rules}/join")]
pub async fn join_ladder(
    by: SignedIn,
    peer: Peer,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    rules: web::Path<String>,
    _form: Posted<EmptyForm>,
) -> Result<HttpResponse, Problem> {
    accounts.count_request(PlayerRequest::Join, by.account.player_id, peer.0)?;
    let done = ladders::join(&games, &rules, by.account.player_id).await;
    answer(by, done, &path(&rules))
}

/// Leaves a ladder.
#[post("/ladders/{rules}/leave")]
pub async fn leave_ladder(
    by: SignedIn,
    games: web::Data<Games>,
    rules: web::Path<String>,
    _form: Posted<EmptyForm>,
) -> Result<HttpResponse, Problem> {
    let done = ladders::leave(&games, &rules, by.account.player_id).await;
    answer(by, done, &path(&rules))
}

#[derive(Debug, Default, Deserialize)]
pub struct ChallengeForm {
    #[serde(default)]
    player: String,
}

/// Challenges a player who stands above.
#[post("/ladders/{rules}/challenges")]
pub async fn challenge_player(
    by: SignedIn,
    peer: Peer,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    rules: web::Path<String>,
    form: Posted<ChallengeForm>,
) -> Result<HttpResponse, Problem> {
    accounts.count_request(PlayerRequest::Join, by.account.player_id, peer.0)?;
    let challenged = accounts.player_named(&form.into_inner().player).await?;
    let done = ladders::challenge(&games, &rules, by.account.player_id, challenged.id).await;
    answer(by, done, &path(&rules))
}

#[derive(Debug, Default, Deserialize)]
pub struct AcceptForm {
    #[serde(default)]
    challenge: u32,
}

/// Accepts a challenge, and goes on to its game.
#[post("/ladders/{rules}/accept")]
pub async fn accept_challenge(
    by: SignedIn,
    games: web::Data<Games>,
    rules: web::Path<String>,
    form: Posted<AcceptForm>,
) -> Result<HttpResponse, Problem> {
    let challenge = form.into_inner().challenge;
    match ladders::accept(&games, &rules, challenge, by.account.player_id).await {
        Ok(game) => Ok(see_other(&game_path(game))),
        Err(refused) => refuse(by.visitor, refused),
    }
}

fn answer(by: SignedIn, done: Result<(), LadderRefused>, onward: &str) -> Result<HttpResponse, Problem> {
    match done {
        Ok(()) => Ok(see_other(onward)),
        Err(refused) => refuse(by.visitor, refused),
    }
}

/// A page that says why a wish is not fulfilled.
fn refuse(visitor: Visitor, refused: LadderRefused) -> Result<HttpResponse, Problem> {
    let text = match refused {
        LadderRefused::Refused(Refused::AlreadyIn) => "ladder-already-in",
        LadderRefused::Refused(Refused::NotIn) => "ladder-not-in",
        LadderRefused::Refused(Refused::Full) => "ladder-full",
        LadderRefused::Refused(Refused::OutOfReach) => "ladder-out-of-reach",
        LadderRefused::Refused(Refused::TooManyChallenges) => "ladder-too-many",
        LadderRefused::Refused(Refused::NoChallenge) => "ladder-no-challenge",
        LadderRefused::Game(GameError::AddressNotConfirmed) => "tournament-confirm-first",
        LadderRefused::Game(GameError::NotFound) => return none(visitor),
        LadderRefused::Game(error) => return Err(error.into()),
    };
    message(StatusCode::CONFLICT, visitor, "ladder-refused", text)
}
