//! Standing orders on a game's page, in the lines that mails are answered with.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, post};
use minijinja::{Value, context};
use serde::Deserialize;

use super::at_table::AtTable;
use super::table::Trouble;
use crate::form::Posted;
use pippost_games::letters::notation::{LineReader, ReadLines};
use pippost_games::standing_orders::{self, NotTaken, OrderLine, Standing, StandingOrders, StopReason};
use pippost_games::{GameError, Games, SeatClaim, letters};
use pippost_http::Problem;
use pippost_language::{Arguments, Language};
use pippost_store::Seq;

/// The longest text of orders, in characters.
const MAX_ORDERS_CHARS: usize = 8_000;

/// What the page shows of the player's orders.
pub fn shown(standing: Option<Standing>, language: Language) -> Value {
    let Some(Standing { progress, is_active, .. }) = standing else {
        return context! { max_orders => MAX_ORDERS_CHARS };
    };
    let lines = if is_active { progress.orders.lines(language).join("\n") } else { String::new() };
    let ended = progress.stopped.map(|reason| language.say(&format!("orders-ended-{}", name(reason))));
    context! { orders_lines => lines, orders_ended => ended, max_orders => MAX_ORDERS_CHARS }
}

fn name(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Done => "done",
        StopReason::NotForeseen => "not_foreseen",
        StopReason::OwnMove => "own_move",
        StopReason::Interrupted => "interrupted",
        StopReason::Refused => "refused",
    }
}

/// Orders, one a line, for the position that the player saw.
#[derive(Debug, Deserialize)]
pub struct OrdersForm {
    #[serde(default)]
    lines: String,
    seq: u64,
}

/// Why orders were not taken.
enum Refused {
    Game(GameError),
    Lines(String),
}

impl<E: Into<GameError>> From<E> for Refused {
    fn from(error: E) -> Self {
        Self::Game(error.into())
    }
}

/// Gives orders in place of those that there are, or cancels them if there is no line.
#[post("/games/{id}/standing-orders")]
pub async fn order(at: AtTable, form: Posted<OrdersForm>) -> Result<HttpResponse, Problem> {
    at.count()?;
    let claim = match at.claim().await {
        Ok(claim) => claim,
        Err(error) => return at.answer(Err(error)).await,
    };
    match give(&at.games, &claim, &form.into_inner(), at.language()).await {
        Ok(()) => at.answer(Ok(())).await,
        Err(Refused::Game(error)) => at.answer(Err(error)).await,
        Err(Refused::Lines(text)) => {
            at.refuse(Trouble { status: StatusCode::UNPROCESSABLE_ENTITY, text }).await
        }
    }
}

async fn give(
    games: &Games,
    claim: &SeatClaim,
    form: &OrdersForm,
    language: Language,
) -> Result<(), Refused> {
    let reader = letters::line_reader(games, claim.game_id(), claim.player_id()).await?;
    let orders = match reader {
        Some(reader) => read(&form.lines, &reader, language)?,
        None => StandingOrders::default(),
    };
    if orders.is_empty() {
        return Ok(standing_orders::cancel(games, claim).await?);
    }
    let seq = Seq::from(form.seq);
    let key = match standing_orders::give_at(games, claim, orders, seq).await? {
        Ok(_) => return Ok(()),
        Err(NotTaken::Late) => "orders-page-late",
        Err(NotTaken::YourTurn) => "orders-page-your-turn",
        Err(NotTaken::TooMany) => "orders-page-too-many",
    };
    Err(Refused::Lines(language.say(key)))
}

/// The orders in the lines of a text; all of them must be understood.
fn read(text: &str, reader: &LineReader, language: Language) -> Result<StandingOrders, Refused> {
    if text.chars().count() > MAX_ORDERS_CHARS {
        return Err(Refused::Lines(language.say("orders-page-too-many")));
    }
    let mut orders = StandingOrders::default();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut at = 0;
    while at < lines.len() {
        let (line, next) = standing_orders::joined(&lines[at..], reader);
        at += 1 + next;
        let why = match orders.add_line(&line, reader as &dyn ReadLines) {
            OrderLine::Added => continue,
            OrderLine::Broken(unreadable) => language.tell(&unreadable.why, &[]),
            OrderLine::Other => language.say("orders-page-other"),
        };
        let arguments = Arguments::default().text("line", line).text("why", why);
        return Err(Refused::Lines(language.say_with("orders-page-unreadable", &arguments)));
    }
    Ok(orders)
}
