//! The clock on a game's page: in words, with pauses and gifts of time.

use actix_web::{HttpResponse, post};
use minijinja::{Value, context};
use serde::Deserialize;
use time::{Duration, OffsetDateTime};

use super::at_table::AtTable;
use super::words::Player;
use crate::form::Posted;
use crate::visitor::Visitor;
use pippost_clock::Rest;
use pippost_clock::game_clock::Uses;
use pippost_games::GameError;
use pippost_games::clocks::{self, Gift};
use pippost_games::viewing::clock_now::{ClockNow, CountedLeft, ProposedPause, StandsStill};
use pippost_http::Problem;
use pippost_language::{Arguments, Language, words};
use pippost_record::record::Timestamp;
use pippost_record::rules::Seat;

/// The pauses to choose from, in days.
const PAUSE_DAYS: [i64; 6] = [1, 2, 3, 7, 14, 30];

/// The gifts to choose from, in hours.
const GIFT_HOURS: [u32; 5] = [6, 12, 24, 72, 168];

/// What the page shows of a clock to a visitor, who may be in a seat.
pub fn shown(clock: &ClockNow, players: &[Player], visitor: &Visitor, seat: Option<Seat>) -> Value {
    let language = visitor.language;
    let Some(to_act) = clock.to_act else { return context! {} };
    let time = |at: Timestamp| words::date_time(at.get(), &visitor.zone, language);
    let name = |seat: Seat| players.get(seat.index()).map(|player| player.handle.clone()).unwrap_or_default();
    let mine = seat == Some(to_act);
    let standing = clock.stands_still.map(|StandsStill { why, until }| {
        language.say_with(rest_key(why), &Arguments::default().text("until", time(until)))
    });
    let others = players.iter().filter(|player| !player.left && !player.me);
    let others: Vec<_> =
        others.map(|player| context! { seat => player.seat, handle => player.handle.clone() }).collect();
    let paused = clock.stands_still.is_some_and(|still| still.why == Rest::Pause);
    let limited = clock.deadline_at.is_some();
    context! {
        clock_whose => (!mine).then(|| language.say_with("clock-whose", &Arguments::default().text("player", name(to_act)))),
        clock_left => clock.left.map(|left| left_in_words(left, language)),
        clock_standing => standing,
        clock_line => clock.line,
        clock_paused => paused,
        clock_agrees => seat.is_some() && limited && clock.line.is_some(),
        pause_days => PAUSE_DAYS.map(|days| context! { days, words => words::span(Duration::days(days), language) }).to_vec(),
        gift_hours => GIFT_HOURS.map(|hours| context! { hours, words => words::span(Duration::hours(hours.into()), language) }).to_vec(),
        gift_to => others,
        proposal_pause => clock.pause_proposal.as_ref().map(|proposal| proposed(proposal, seat, &name, &time, language)),
    }
}

fn proposed(
    proposal: &ProposedPause,
    seat: Option<Seat>,
    name: &impl Fn(Seat) -> String,
    time: &impl Fn(Timestamp) -> String,
    language: Language,
) -> Value {
    let by = Arguments::default().text("by", name(proposal.by));
    let text = match proposal.until {
        Some(until) => language.say_with("clock-pause-asked", &by.text("until", time(until))),
        None => language.say_with("clock-resume-asked", &by),
    };
    let agreed: Vec<String> = proposal.agreed.iter().map(|seat| name(*seat)).collect();
    let agreed = Arguments::default().text("names", words::list(&agreed, language));
    context! {
        text,
        agreed => language.say_with("clock-agreed", &agreed),
        // A form sends the instant back as it was shown, so that nobody agrees with another one.
        until => proposal.until.map(|until| until.to_string()).unwrap_or_default(),
        mine => seat == Some(proposal.by),
        may_agree => seat.is_some_and(|seat| !proposal.agreed.contains(&seat)),
    }
}

fn rest_key(why: Rest) -> &'static str {
    match why {
        Rest::Night => "clock-still-night",
        Rest::RestDay => "clock-still-rest-day",
        Rest::Holiday => "clock-still-holiday",
        Rest::Pause => "clock-still-pause",
        Rest::DownTime => "clock-still-down-time",
        Rest::Vacancy => "clock-still-vacancy",
    }
}

/// What is left of limit, bank and wait, in the order in which they are used.
fn left_in_words(counted: CountedLeft, language: Language) -> Vec<String> {
    let part = |key: &str, seconds: Option<i64>, uses: Uses| {
        let left = words::span(Duration::seconds(seconds?), language);
        let now = counted.uses == uses;
        let said = language.say_with(key, &Arguments::default().text("left", left));
        Some(if now {
            language.say_with("clock-used-now", &Arguments::default().text("part", said))
        } else {
            said
        })
    };
    let parts = [
        part("clock-limit", counted.limit_seconds, Uses::Limit),
        part("clock-bank", counted.bank_seconds, Uses::Bank),
        part("clock-wait", counted.wait_seconds, Uses::Wait),
    ];
    parts.into_iter().flatten().collect()
}

/// A pause to propose.
#[derive(Debug, Deserialize)]
pub struct PauseForm {
    /// 0: the pause that lasts shall end.
    days: u16,
}

/// The proposal that the player saw.
#[derive(Debug, Deserialize)]
pub struct ProposalForm {
    /// Empty: the pause shall end.
    #[serde(default)]
    until: String,
}

impl ProposalForm {
    fn until(&self) -> Result<Option<OffsetDateTime>, GameError> {
        if self.until.is_empty() {
            return Ok(None);
        }
        let until = Timestamp::read(&self.until).map(Timestamp::get);
        until.map(Some).ok_or(GameError::InvalidValue { field: "until", why: "a time".to_owned() })
    }
}

#[derive(Debug, Deserialize)]
pub struct GiftForm {
    to: u8,
    hours: u32,
    line: u32,
}

#[post("/games/{id}/pause")]
pub async fn propose(at: AtTable, form: Posted<PauseForm>) -> Result<HttpResponse, Problem> {
    at.count()?;
    let days = i64::from(form.into_inner().days);
    let until = (days > 0).then(|| at.games.now() + Duration::days(days));
    let done = match at.claim().await {
        Ok(claim) => clocks::propose_pause(&at.games, &claim, until).await,
        Err(error) => Err(error),
    };
    at.answer(done).await
}

#[post("/games/{id}/pause/agree")]
pub async fn agree(at: AtTable, form: Posted<ProposalForm>) -> Result<HttpResponse, Problem> {
    at.count()?;
    let done = match (at.claim().await, form.into_inner().until()) {
        (Ok(claim), Ok(until)) => clocks::agree_to_pause(&at.games, &claim, until).await,
        (Err(error), _) | (_, Err(error)) => Err(error),
    };
    at.answer(done).await
}

#[post("/games/{id}/pause/decline")]
pub async fn decline(at: AtTable, form: Posted<ProposalForm>) -> Result<HttpResponse, Problem> {
    at.count()?;
    let done = match (at.claim().await, form.into_inner().until()) {
        (Ok(claim), Ok(until)) => clocks::decline_pause(&at.games, &claim, until).await,
        (Err(error), _) | (_, Err(error)) => Err(error),
    };
    at.answer(done).await
}

#[post("/games/{id}/gift")]
pub async fn give(at: AtTable, form: Posted<GiftForm>) -> Result<HttpResponse, Problem> {
    at.count()?;
    let GiftForm { to, hours, line } = form.into_inner();
    let done = match at.claim().await {
        Ok(claim) => {
            clocks::give_time(&at.games, &claim, Gift { to: Seat(to), hours, after_line: line }).await
        }
        Err(error) => Err(error),
    };
    at.answer(done).await
}
