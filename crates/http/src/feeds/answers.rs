//! What feeds answer.

use serde::Serialize;
use utoipa::openapi::Ref;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use crate::views::GameView;
use pippost_games::feed::{EndReason, Entry, GamesSnapshot, Snapshot};
use pippost_record::record::Event;
use pippost_record::rules::schema::{SchemaOrRef, add_with_parts};
use pippost_store::EventId;

/// A page of a feed.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the document's only: the page is joined from parts that are already JSON")]
pub struct FeedPage<'a> {
    /// The game as you may see it, after the events of this page; null unless you asked for a snapshot, and while more events wait.
    game: Option<GameView<'a>>,
    /// Consecutive events after your cursor, oldest first.
    entries: Vec<FeedEvent>,
    /// The `after` of your next request: the id of the last event that you have now. Null while the game has no event.
    cursor: Option<String>,
    /// True if the game is over and you have all its events.
    is_over: bool,
}

/// A page of the feed of all your games.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the document's only: the page is joined from parts that are already JSON")]
pub struct MyFeedPage {
    /// Your running games, newest first, at most 1,000; null unless you asked for a snapshot.
    games: Option<Vec<FeedGame>>,
    /// Events after your cursor; those of each game are consecutive.
    entries: Vec<FeedEvent>,
    /// The `after` of your next request: the id of the last event that you have now. Null while your games have no event.
    cursor: Option<String>,
}

/// A running game of yours.
#[derive(Serialize, ToSchema)]
pub struct FeedGame {
    pub id: Uuid,
    /// The number of its newest event.
    pub seq: u64,
}

/// A line of the stream of all your games, or the data of a server-sent event.
#[derive(ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(dead_code, clippy::large_enum_variant, reason = "the document's only")]
pub enum MyFeedLine {
    /// An event with its id.
    Event { id: String, event: Event },
    /// Your running games, before the events that follow.
    Games { games: Vec<FeedGame> },
    /// The last line.
    End { reason: FeedEnd },
}

/// An event with its id.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the document's only")]
pub struct FeedEvent {
    /// Always `event`.
    #[schema(rename = "type", pattern = "^event$")]
    kind: String,
    /// By this id feeds and mails name the event: the game's id, a colon and `seq`.
    id: String,
    /// The event as it stands in the record.
    event: Event,
}

/// A line of a stream, or the data of a server-sent event.
#[derive(ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(dead_code, clippy::large_enum_variant, reason = "the document's only")]
pub enum FeedLine<'a> {
    /// An event with its id.
    Event { id: String, event: Event },
    /// The game as you may see it, after all events so far.
    Game { game: GameView<'a> },
    /// The last line.
    End { reason: FeedEnd },
}

/// Why a stream ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FeedEnd {
    /// The game is over, and this was its last event.
    GameOver,
    /// The stream was long enough, or the server stops: ask again.
    AskAgain,
    /// You may not see the game any more.
    NotAllowed,
}

impl From<EndReason> for FeedEnd {
    fn from(reason: EndReason) -> Self {
        match reason {
            EndReason::GameOver => Self::GameOver,
            EndReason::AskAgain => Self::AskAgain,
            EndReason::NotAllowed => Self::NotAllowed,
        }
    }
}

/// The last line of a stream.
#[derive(Serialize)]
#[serde(tag = "type", rename = "end")]
pub struct EndLine {
    pub reason: FeedEnd,
}

/// A stream: lines of NDJSON, or server-sent events with such a line as data.
#[derive(Debug)]
pub enum FeedText {}

impl PartialSchema for FeedText {
    fn schema() -> SchemaOrRef {
        text_of(FeedLine::name().as_ref())
    }
}

/// A text of lines with that schema.
fn text_of(line: &str) -> SchemaOrRef {
    // Generators that do not know the media type take it for bytes by this format.
    let format = SchemaFormat::KnownFormat(KnownFormat::Binary);
    ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(format))
        .content_schema(Some(Ref::from_schema_name(line)))
        .description(Some(format!(
            "Each line of NDJSON, and the data of each server-sent event, is a `{line}`."
        )))
        .into()
}

impl ToSchema for FeedText {
    fn schemas(found: &mut Vec<(String, SchemaOrRef)>) {
        add_with_parts::<FeedLine<'_>>(found);
    }
}

/// The same for the feed of all games of a player.
#[derive(Debug)]
pub enum MyFeedText {}

impl PartialSchema for MyFeedText {
    fn schema() -> SchemaOrRef {
        text_of(MyFeedLine::name().as_ref())
    }
}

impl ToSchema for MyFeedText {
    fn schemas(found: &mut Vec<(String, SchemaOrRef)>) {
        add_with_parts::<MyFeedLine>(found);
    }
}

/// The running games as JSON.
fn games_json(snapshot: &GamesSnapshot) -> String {
    let games = snapshot.games.iter().map(|game| FeedGame { id: game.game_id, seq: game.seq.get() });
    serde_json::to_string(&games.collect::<Vec<_>>()).expect("plain data")
}

/// The line of a stream that names the running games.
pub fn games_line(snapshot: &GamesSnapshot) -> String {
    format!("{{\"type\":\"games\",\"games\":{}}}", games_json(snapshot))
}

/// A page of a player's feed.
pub fn my_page_json(snapshot: Option<&GamesSnapshot>, entries: &[Entry], cursor: Option<EventId>) -> Vec<u8> {
    let games = snapshot.map_or_else(|| "null".to_owned(), games_json);
    let mut json = format!("{{\"games\":{games},").into_bytes();
    push_entries(&mut json, entries, cursor);
    json.push(b'}');
    json
}

/// A page, joined from parts that are already JSON.
pub fn page_json(
    snapshot: Option<&Snapshot>,
    entries: &[Entry],
    cursor: Option<EventId>,
    is_over: bool,
) -> Vec<u8> {
    let game: &[u8] = snapshot.map_or(b"null", |snapshot| snapshot.json.as_bytes());
    let mut json = [b"{\"game\":", game, b","].concat();
    push_entries(&mut json, entries, cursor);
    json.extend_from_slice(format!(",\"is_over\":{is_over}}}").as_bytes());
    json
}

fn push_entries(json: &mut Vec<u8>, entries: &[Entry], cursor: Option<EventId>) {
    json.reserve(entries.iter().map(Entry::bytes).sum::<usize>() + 128);
    json.extend_from_slice(b"\"entries\":[");
    for (index, entry) in entries.iter().enumerate() {
        if index > 0 {
            json.push(b',');
        }
        json.extend_from_slice(&entry.json());
    }
    let cursor = cursor.map_or_else(|| "null".to_owned(), |id| format!("\"{id}\""));
    json.extend_from_slice(format!("],\"cursor\":{cursor}").as_bytes());
}
