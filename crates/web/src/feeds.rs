//! What waits for a player, for feed readers and calendars, by a private address. It holds nothing that only players may see of a game.

use actix_web::http::header::{CONTENT_TYPE, REFERRER_POLICY};
use actix_web::{HttpRequest, HttpResponse, get, web};
use minijinja::context;
use serde::Deserialize;
use time::OffsetDateTime;
use time::format_description::BorrowedFormatItem;
use time::format_description::well_known::Rfc2822;
use time::macros::format_description;
use uuid::Uuid;

use super::game::path;
use super::page::rendered;
use super::site::Site;
use pippost_accounts::{AccountError, Accounts};
use pippost_clock::Zone;
use pippost_games::lobby::listing::ListedGame;
use pippost_games::{Games, lobby};
use pippost_http::conditional::EntityTag;
use pippost_http::peer::Peer;
use pippost_http::{Code, Problem};
use pippost_language::{Arguments, Language, words};
use pippost_store::lists::{Filter, Whose};

/// The most games in a feed, the newest first.
const MAX_ENTRIES: u16 = 50;

/// The longest line of a calendar, in bytes (RFC 5545, section 3.1).
const MAX_LINE_BYTES: usize = 75;

/// A point in time of a calendar, in UTC.
const CALENDAR_TIME: &[BorrowedFormatItem<'_>] =
    format_description!("[year][month][day]T[hour][minute][second]Z");

/// The kinds of feeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedKind {
    /// The games that wait for the player, for feed readers.
    Turns,
    /// Their deadlines, for calendars.
    Deadlines,
}

impl FeedKind {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::Turns, Self::Deadlines];

    /// The name in keys of texts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Turns => "turns",
            Self::Deadlines => "deadlines",
        }
    }

    /// The path of its address.
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Self::Turns => "/feeds/turns.rss",
            Self::Deadlines => "/feeds/deadlines.ics",
        }
    }
}

/// The key of the feeds. It is a parameter, as the tokens of links are, and so in no log.
#[derive(Deserialize)]
pub struct FeedQuery {
    #[serde(default)]
    token: String,
}

/// The games that wait for the player, as RSS 2.0.
#[get("/feeds/turns.rss")]
pub async fn turns(request: HttpRequest, reading: Reading) -> Result<HttpResponse, Problem> {
    let Reading { waiting, language, zone, site } = reading;
    let item = |game: &ListedGame| {
        context! {
            title => turn_in(game, language),
            about => time_in(game, &zone, language),
            link => site.address(&path(game.id)),
            // The same turn is one entry, however often it is read.
            guid => format!("{}:{}", game.id, game.seq.map(|seq| seq.to_string()).unwrap_or_default()),
            since => game.turn_since.and_then(|since| since.get().format(&Rfc2822).ok()),
        }
    };
    let values = context! {
        language => language.tag(),
        site_name => site.branding().name(),
        home => site.address("/my-games"),
        items => waiting.iter().map(item).collect::<Vec<_>>(),
    };
    let text = rendered("turns.xml", values)?;
    Ok(answer(&request, "application/rss+xml; charset=utf-8", text))
}

/// The deadlines of the player's turns, as a calendar (RFC 5545).
#[get("/feeds/deadlines.ics")]
pub async fn deadlines(request: HttpRequest, reading: Reading) -> Result<HttpResponse, Problem> {
    let Reading { waiting, language, site, .. } = reading;
    let named = Arguments::default().text("site", site.branding().name());
    let events = waiting.iter().filter_map(|game| event(game, &site, language));
    let lines = [
        vec![
            "BEGIN:VCALENDAR".to_owned(),
            "VERSION:2.0".to_owned(),
            "PRODID:-//pippost//deadlines//EN".to_owned(),
            "METHOD:PUBLISH".to_owned(),
            property("X-WR-CALNAME", &language.say_with("feeds-calendar", &named)),
            "REFRESH-INTERVAL;VALUE=DURATION:PT1H".to_owned(),
        ],
        events.flatten().collect(),
        vec!["END:VCALENDAR".to_owned()],
    ];
    let text: String = lines.concat().iter().map(|line| folded(line)).collect();
    Ok(answer(&request, "text/calendar; charset=utf-8", text))
}

/// The deadline of a turn as an event of a calendar.
fn event(game: &ListedGame, site: &Site, language: Language) -> Option<Vec<String>> {
    let stamp = |at: OffsetDateTime| at.to_offset(time::UtcOffset::UTC).format(CALENDAR_TIME).ok();
    let deadline = stamp(game.deadline_at?.get())?;
    let since = stamp(game.turn_since?.get())?;
    let link = site.address(&path(game.id));
    let host = site.host();
    Some(vec![
        "BEGIN:VEVENT".to_owned(),
        // The same event if the deadline moves.
        format!("UID:{}-{}@{host}", game.id, game.seq.map(|seq| seq.to_string()).unwrap_or_default()),
        format!("DTSTAMP:{since}"),
        format!("DTSTART:{deadline}"),
        format!("DTEND:{deadline}"),
        property("SUMMARY", &deadline_in(game, language)),
        property("DESCRIPTION", &link),
        format!("URL:{link}"),
        "TRANSP:TRANSPARENT".to_owned(),
        "END:VEVENT".to_owned(),
    ])
}

/// A text as a property of a calendar.
fn property(name: &str, text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace(';', "\\;").replace(',', "\\,").replace('\n', "\\n");
    format!("{name}:{text}")
}

/// A line with its end, broken where it is too long, never inside a character.
fn folded(line: &str) -> String {
    let (mut text, mut bytes) = (String::new(), 0);
    for sign in line.chars() {
        if bytes + sign.len_utf8() > MAX_LINE_BYTES {
            text.push_str("\r\n ");
            bytes = 1;
        }
        text.push(sign);
        bytes += sign.len_utf8();
    }
    text + "\r\n"
}

fn named(game: &ListedGame) -> Arguments {
    let players: Vec<String> =
        game.players.iter().map(|player| words::player(&player.handle, player.bot)).collect();
    let title = match &game.game_title {
        Some(own) => format!("{own} · {}", game.title),
        None => game.title.clone(),
    };
    Arguments::default().text("title", title).text("players", players.join(" – "))
}

fn turn_in(game: &ListedGame, language: Language) -> String {
    language.say_with("feeds-turn", &named(game))
}

fn deadline_in(game: &ListedGame, language: Language) -> String {
    language.say_with("feeds-deadline", &named(game))
}

/// Until when there is time, by the clock on the player's wall: an answer is the same until something happens.
fn time_in(game: &ListedGame, zone: &Zone, language: Language) -> String {
    match game.deadline_at {
        Some(at) => {
            let until = Arguments::default().text("until", words::date_time(at.get(), zone, language));
            language.say_with("feeds-until", &until)
        }
        None => language.say("pace-unlimited"),
    }
}

fn answer(request: &HttpRequest, kind: &str, text: String) -> HttpResponse {
    EntityTag::of(&[text.as_bytes()]).respond(request, |mut answer| {
        answer
            .insert_header((CONTENT_TYPE, kind))
            .insert_header((REFERRER_POLICY, "no-referrer"))
            .insert_header(("x-robots-tag", "noindex"))
            .body(text)
    })
}

/// Who reads a feed, and the games that wait.
pub struct Reading {
    waiting: Vec<ListedGame>,
    language: Language,
    zone: Zone,
    site: web::Data<Site>,
}

impl Reading {
    async fn of(request: HttpRequest) -> Result<Self, Problem> {
        let missing = || Problem::new(Code::Internal).cause("a part of the application is missing");
        let accounts = request.app_data::<web::Data<Accounts>>().ok_or_else(missing)?;
        let games = request.app_data::<web::Data<Games>>().ok_or_else(missing)?;
        let site = request.app_data::<web::Data<Site>>().ok_or_else(missing)?.clone();
        accounts.count_request_of_peer(Peer::of(&request).0)?;
        let query: FeedQuery =
            serde_urlencoded::from_str(request.query_string()).map_err(|_| Problem::new(Code::NotFound))?;
        let player_id: Uuid = match accounts.player_of_feed(&query.token).await {
            Ok(player_id) => player_id.ok_or_else(|| Problem::new(Code::NotFound))?,
            Err(AccountError::NotFound) => return Err(Problem::new(Code::NotFound)),
            Err(error) => return Err(error.into()),
        };
        // Whoever has the address of somebody else is held to that player's requests, wherever they come from.
        accounts.count_request_of_token(player_id)?;
        let player = accounts.recognised(player_id).await?;
        let filter = Filter::all(Whose::MyTurn { player_id });
        let waiting = lobby::list(games, &filter, Some(player_id), MAX_ENTRIES).await?.games;
        Ok(Self { waiting, language: player.language.unwrap_or_default(), zone: player.zone, site })
    }
}

impl actix_web::FromRequest for Reading {
    type Error = Problem;
    type Future = futures_util::future::LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut actix_web::dev::Payload) -> Self::Future {
        Box::pin(Self::of(request.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_calendars_are_folded_between_characters_and_texts_are_escaped() {
        assert_eq!(property("SUMMARY", "a,b;c\\d\ne"), "SUMMARY:a\\,b\\;c\\\\d\\ne");
        assert_eq!(folded("short"), "short\r\n");
        let long = folded(&format!("SUMMARY:{}", "ä•".repeat(60)));
        let lines: Vec<&str> = long.trim_end().split("\r\n").collect();
        assert!(lines.iter().all(|line| line.len() <= MAX_LINE_BYTES), "{lines:?}");
        assert_eq!(lines.join("").replace(' ', ""), format!("SUMMARY:{}", "ä•".repeat(60)));
    }
}
