//! Plays a game of any rule set between two accounts of your server, then lets the server verify the game's record:
//! `cargo run -- http://127.0.0.1:8080 pip-pip`

/// What build.rs has generated.
#[allow(dead_code, unreachable_patterns, clippy::all)]
mod api {
    pub mod types {
        include!(concat!(env!("OUT_DIR"), "/types.rs"));
    }
    pub mod client {
        include!(concat!(env!("OUT_DIR"), "/client.rs"));
    }
}

use anyhow::{Context as _, Result, bail};
use api::client::{ApiError, ApiOpError, HttpClient, LogInApiError};
use api::types::*;

const NONE: Option<&str> = None;

/// The account that an earlier run has made, or a new one.
async fn player(url: &str, handle: &str) -> Result<HttpClient> {
    let guest = HttpClient::new().with_base_url(url);
    let password = format!("the long password of {handle}");
    let known = guest.log_in(LogInBody { login: handle.to_owned(), password: password.clone() }).await;
    let session = match known {
        Err(ApiOpError::Api(ApiError { typed: Some(LogInApiError::Default(problem)), .. }))
            if problem.code == Code::WrongCredentials =>
        {
            let email = format!("{handle}@example.org");
            let handle = handle.to_owned();
            let new = NewAccountBody { handle, email, password, bot: None, invitation: None };
            guest.register(NONE, new).await?
        }
        known => known?,
    };
    Ok(guest.with_api_key(session.access_token))
}

fn new_game(rules: &str) -> Result<NewGameBody> {
    Ok(match rules {
        "dominion" => NewGameBody::DominionNewGameBody(DominionNewGameBody {
            options: Some(GivenDominionOptions { size: Some(3), round_limit: Some(Some(4)) }),
            ..Default::default()
        }),
        "pippinzip" => NewGameBody::PippinzipNewGameBody(PippinzipNewGameBody {
            options: Some(GivenPippinzipOptions { size: Some(5), ..Default::default() }),
            ..Default::default()
        }),
        "pip-pip" => NewGameBody::PipPipNewGameBody(PipPipNewGameBody::default()),
        "serpent" => NewGameBody::SerpentNewGameBody(SerpentNewGameBody::default()),
        other => bail!("this program does not know {other}"),
    })
}

fn are_neighbours(one: &str, other: &str) -> bool {
    let column = |cell: &str| i32::from(cell.as_bytes()[0]);
    let row = |cell: &str| cell[1..].parse::<i32>().unwrap_or_default();
    (column(one) - column(other)).abs() + (row(one) - row(other)).abs() == 1
}

/// As many entries as may be picked, in a random order.
fn picked(mut pick: Selection) -> Vec<String> {
    fastrand::shuffle(&mut pick.from);
    let mut picked: Vec<String> = Vec::new();
    for entry in pick.from {
        let fits = !pick.apart || !picked.iter().any(|other| are_neighbours(&entry, other));
        if fits && picked.len() < usize::try_from(pick.most).unwrap_or_default() {
            picked.push(entry);
        }
    }
    picked
}

/// One of the offers, of those that are liked best if there are any.
fn one_of<T>(offers: Vec<T>, is_liked: impl Fn(&T) -> bool) -> Result<T> {
    let (liked, others): (Vec<T>, Vec<T>) = offers.into_iter().partition(is_liked);
    let offers = if liked.is_empty() { others } else { liked };
    fastrand::choice(offers).context("there is nothing to choose from")
}

/// An offer that is no choice is an action as it stands.
fn as_action<Action: serde::de::DeserializeOwned>(offer: &impl serde::Serialize) -> Result<Action> {
    Ok(serde_json::from_value(serde_json::to_value(offer)?)?)
}

/// One of the legal actions: here is where a player of yours would think.
fn action(legal: LegalActions) -> Result<RuleSetAction> {
    let choice =
        |choose: Choose| Err(anyhow::anyhow!("a choice that this program does not know: {choose:?}"));
    match legal {
        LegalActions::DominionLegalActions(legal) => {
            let attacks = |offer: &_| matches!(offer, DominionOffer::DominionAttackAction(_));
            match one_of(legal.actions, attacks)? {
                DominionOffer::Choose(choose) => choice(choose),
                offer => Ok(RuleSetAction::DominionAction(as_action(&offer)?)),
            }
        }
        LegalActions::PipPipLegalActions(legal) => {
            let plays = |offer: &_| !matches!(offer, PipPipOffer::PipPipStoreAction(_));
            match one_of(legal.actions, plays)? {
                PipPipOffer::Choose(choose) => choice(choose),
                offer => Ok(RuleSetAction::PipPipAction(as_action(&offer)?)),
            }
        }
        LegalActions::PippinzipLegalActions(legal) => match one_of(legal.actions, |_| true)? {
            PippinzipOffer::Choose(choose) => {
                let place = PippinzipPlaceAction { cells: picked(choose.choose), r#type: Default::default() };
                Ok(RuleSetAction::PippinzipAction(PippinzipAction::PippinzipPlaceAction(place)))
            }
            offer => Ok(RuleSetAction::PippinzipAction(as_action(&offer)?)),
        },
        LegalActions::SerpentLegalActions(legal) => match one_of(legal.actions, |_| true)? {
            SerpentOffer::Choose(choose) => choice(choose),
            offer => Ok(RuleSetAction::SerpentAction(as_action(&offer)?)),
        },
    }
}

/// The game's id and the handle of the player to act, while there is one.
fn turn(game: &GameView) -> (String, Option<&str>) {
    let (GameView::DominionGameView(DominionGameView { id, to_act, players, .. })
    | GameView::PipPipGameView(PipPipGameView { id, to_act, players, .. })
    | GameView::PippinzipGameView(PippinzipGameView { id, to_act, players, .. })
    | GameView::SerpentGameView(SerpentGameView { id, to_act, players, .. })) = game;
    let actor = players.iter().find(|player| to_act.is_some() && player.seat == *to_act);
    (id.to_string(), actor.map(|player| player.handle.as_str()))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let [url, rules] = std::env::args().skip(1).collect::<Vec<_>>().try_into().expect("URL RULES");
    let (ann, bob) = (player(&url, "rust-ann").await?, player(&url, "rust-bob").await?);
    let mut game = ann.create_game(NONE, new_game(&rules)?).await?;
    let (id, _) = turn(&game);
    game = bob
        .join_game(&id, Some(JoinBody { entropy: Some("bob was here".to_owned()), ..Default::default() }))
        .await?;
    while let (_, Some(handle)) = turn(&game) {
        let actor = if handle == "rust-ann" { &ann } else { &bob };
        let action = action(actor.legal_actions(&id).await?)?;
        let body =
            MoveBody::ActionsBody(ActionsBody { actions: vec![action], each: None, expected_seq: None });
        game = actor.make_move(&id, NONE, NONE, body).await?.game;
    }
    let record = ann.export_record(&id, NONE, None).await?;
    let verdict = ann.verify_record(record.into()).await?;
    if verdict.verdict != Finding::Accepted {
        bail!("the record is refused: {:?}", verdict.failure);
    }
    println!("{rules} {id}: {:?} events, record {:?}", verdict.events, verdict.verdict);
    Ok(())
}
