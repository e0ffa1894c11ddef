//! Counts requests on the quotas of their token and their address, and tells what is left: `RateLimit` and `RateLimit-Policy`
//! (draft-ietf-httpapi-ratelimit-headers-11).
//!
//! A move is never counted, and an answer 304 costs nothing. `/inbound` is for the operator's mail system alone.

use std::fmt::Write;

use actix_web::body::BoxBody;
use actix_web::dev::ServiceResponse;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpMessage, HttpRequest, web};
use uuid::Uuid;

use super::peer::Peer;
use super::problem::Problem;
use pippost_accounts::{Account, Accounts, Left, Rate, Reached};
use pippost_games::letters::messages::MAX_MESSAGES_AN_HOUR;
use pippost_games::moderation::MAX_REPORTS_A_DAY;
use pippost_traffic::{Quantity, Unit};

/// What is left of each quota.
pub const HEADER: HeaderName = HeaderName::from_static("ratelimit");

/// The quotas themselves.
pub const POLICY_HEADER: HeaderName = HeaderName::from_static("ratelimit-policy");

/// The requests that are counted lie under this prefix.
const PREFIX: &str = "/api/v1/";

/// Where proofs from the log lie; its tiles are small, and kept for ever by whoever reads them.
const LOG_PROOFS: [&str; 2] = ["/log/proof/", "/log/consistency/"];

const INBOUND: &str = "/api/v1/inbound/";

const GAMES: &str = "/api/v1/games/";

/// The name of the limit on a player's messages in one game.
pub const MESSAGES_IN_GAME: &str = "messages-in-game";

/// The name of the limit on the reports of a player.
pub const REPORTS: &str = "reports";

const HOUR_SECONDS: u64 = 3600;

/// The capacity of a header's text, which is enough for two members.
const HEADER_BYTES: usize = 64;

/// A limit as a client is told of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    pub name: &'static str,
    quota: u64,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// For so many seconds.
    Window(u64),
    /// At the same time.
    AtOnce(Unit),
}

impl Limit {
    /// A limit on what a peer holds at the same time.
    #[must_use]
    pub fn at_once(quantity: Quantity, most: u64) -> Self {
        Self { name: quantity.name, quota: most, kind: Kind::AtOnce(quantity.unit) }
    }

    /// The limit on challenges and redeliveries of a player at the same time.
    #[must_use]
    pub fn one_by_hand() -> Self {
        Self::at_once(Quantity::requests("webhook-by-hand"), 1)
    }

    /// The limit on a player's messages in one game.
    #[must_use]
    pub fn messages_in_game() -> Self {
        let quota = MAX_MESSAGES_AN_HOUR.unsigned_abs();
        Self { name: MESSAGES_IN_GAME, quota, kind: Kind::Window(HOUR_SECONDS) }
    }

    /// The limit on a player's reports.
    #[must_use]
    pub fn reports() -> Self {
        let quota = MAX_REPORTS_A_DAY.unsigned_abs();
        Self { name: REPORTS, quota, kind: Kind::Window(24 * HOUR_SECONDS) }
    }

    /// The value of `RateLimit-Policy`.
    #[must_use]
    pub fn policy(&self) -> String {
        let Self { name, quota, kind } = self;
        match kind {
            Kind::Window(seconds) => format!("\"{name}\";q={quota};w={seconds}"),
            Kind::AtOnce(Unit::Requests) => format!("\"{name}\";q={quota};qu=\"concurrent-requests\""),
            Kind::AtOnce(Unit::Bytes) => format!("\"{name}\";q={quota};qu=\"content-bytes\""),
        }
    }
}

impl From<Reached> for Limit {
    fn from(reached: Reached) -> Self {
        let Reached { limit, quota, window_seconds, .. } = reached;
        Self { name: limit, quota, kind: Kind::Window(window_seconds) }
    }
}

impl From<(&'static str, Rate)> for Limit {
    fn from((name, rate): (&'static str, Rate)) -> Self {
        Self { name, quota: rate.burst.get().into(), kind: Kind::Window(rate.window_seconds()) }
    }
}

/// The value of `RateLimit`: `tries` are left, and there is one more in `seconds`.
#[must_use]
pub fn left(name: &str, tries: u64, seconds: u64) -> String {
    let mut text = String::with_capacity(HEADER_BYTES);
    push_left(&mut text, name, tries, seconds);
    text
}

fn push_left(text: &mut String, name: &str, tries: u64, seconds: u64) {
    write!(text, "\"{name}\";r={tries};t={seconds}").expect("a text takes all");
}

/// The policies of all requests, made once for each thread.
#[derive(Clone, Debug)]
pub struct Policies {
    /// Of requests without a token.
    address: HeaderValue,
    both: HeaderValue,
}

impl Policies {
    /// The policies of `accounts`.
    ///
    /// # Panics
    /// Never: names of limits are plain ASCII.
    #[must_use]
    pub fn of(accounts: &Accounts) -> Self {
        let [token, address] = accounts.request_policies().map(|policy| Limit::from(policy).policy());
        let value = |text: &str| HeaderValue::from_str(text).expect("plain ASCII");
        Self { both: value(&format!("{token}, {address}")), address: value(&address) }
    }
}

/// A request that was counted on its token's quota.
#[derive(Clone, Copy)]
struct OfToken {
    id: Uuid,
    left: Left,
}

/// Counts a request of `account` on the quota of its token.
pub fn count_token(request: &HttpRequest, accounts: &Accounts, account: &Account) -> Result<(), Problem> {
    if !is_counted(request.method(), request.path()) {
        return Ok(());
    }
    let mut known = request.extensions_mut();
    // More than one extractor of a handler may ask for the account.
    if !known.contains::<OfToken>() {
        let left = accounts.count_request_of_token(account.token_id)?;
        accounts.known_networks().learn(Peer::of(request).0);
        known.insert(OfToken { id: account.token_id, left });
    }
    Ok(())
}

/// Whether requests count: all of the API's but moves, and the operator's mails; and proofs from the log.
fn is_counted(method: &Method, path: &str) -> bool {
    (path.starts_with(PREFIX) || LOG_PROOFS.iter().any(|proofs| path.starts_with(proofs)))
        && !path.starts_with(INBOUND)
        && !is_move(method, path)
}

/// Whether a request is a move, or leaves a running game.
#[must_use]
pub fn is_move(method: &Method, path: &str) -> bool {
    method == Method::POST
        && path.starts_with(GAMES)
        && ["/moves", "/resign", "/abort"].iter().any(|end| path.ends_with(end))
}

/// Counts a request on the quota of its address, and returns what is left of it.
pub fn count_address(request: &HttpRequest) -> Result<Option<Left>, Reached> {
    if !is_counted(request.method(), request.path()) {
        return Ok(None);
    }
    let Some(accounts) = request.app_data::<web::Data<Accounts>>() else { return Ok(None) };
    accounts.count_request_of_peer(Peer::of(request).0).map(Some)
}

/// Adds what is left of the quotas to the answer.
pub fn tell(mut answer: ServiceResponse<BoxBody>, mut of_address: Left) -> ServiceResponse<BoxBody> {
    let request = answer.request().clone();
    let mut of_token = request.extensions().get::<OfToken>().copied();
    if answer.status() == StatusCode::NOT_MODIFIED {
        if let Some(accounts) = request.app_data::<web::Data<Accounts>>() {
            accounts.give_back_request(Peer::of(&request).0, of_token.map(|token| token.id));
        }
        of_address.tries += 1;
        of_token = of_token
            .map(|token| OfToken { left: Left { tries: token.left.tries + 1, ..token.left }, ..token });
    }
    let policies = request.app_data::<web::Data<Policies>>();
    if let Some(policies) = policies {
        write_headers(answer.headers_mut(), policies, of_token.map(|token| token.left), of_address);
    }
    answer
}

fn write_headers(headers: &mut HeaderMap, policies: &Policies, of_token: Option<Left>, of_address: Left) {
    use pippost_accounts::names::{ADDRESS, TOKEN};
    let mut text = String::with_capacity(HEADER_BYTES);
    if let Some(left) = of_token {
        push_left(&mut text, TOKEN, left.tries, left.more_in_seconds);
        text.push_str(", ");
    }
    push_left(&mut text, ADDRESS, of_address.tries, of_address.more_in_seconds);
    let policy = if of_token.is_some() { &policies.both } else { &policies.address };
    // A refusal has named its own limit already, in a line of its own.
    headers.append(POLICY_HEADER, policy.clone());
    headers.append(HEADER, HeaderValue::from_maybe_shared(text).expect("plain ASCII"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_the_operator_s_mails_are_not_counted_and_everything_else_is() {
        for path in ["games", "games/1", "games/1/preview", "me", "sessions", "games/1/messages", "moves"] {
            assert!(is_counted(&Method::POST, &format!("{PREFIX}{path}")), "{path}");
        }
        for path in ["games/1/moves", "games/1/resign", "games/1/abort", "inbound/mail"] {
            assert!(!is_counted(&Method::POST, &format!("{PREFIX}{path}")), "{path}");
        }
        assert!(is_counted(&Method::GET, "/api/v1/games/1/moves"), "no move");
        assert!(is_counted(&Method::GET, "/log/proof/1"));
        assert!(!is_counted(&Method::GET, "/log/checkpoint") && !is_counted(&Method::GET, "/healthz"));
    }

    #[test]
    fn limits_are_told_as_structured_fields() {
        let reached = Reached { limit: "join", quota: 60, window_seconds: 3600, retry_after_seconds: 9 };
        assert_eq!(Limit::from(reached).policy(), "\"join\";q=60;w=3600");
        let drawings = Limit::at_once(Quantity::requests("drawings"), 64);
        assert_eq!(drawings.policy(), "\"drawings\";q=64;qu=\"concurrent-requests\"");
        assert_eq!(left("join", 0, 9), "\"join\";r=0;t=9");
    }
}
