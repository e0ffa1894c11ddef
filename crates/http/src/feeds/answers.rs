//! What feeds answer.

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::openapi::Ref;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use pippost_games::GameView;
use pippost_games::feed::{EndReason, Entry, GamesSnapshot};
use pippost_record::record::Event;
use pippost_record::rules::schema::{SchemaOrRef, add_with_parts};

/// A page of a feed.
#[derive(Serialize, ToSchema)]
pub struct FeedPage<'a> {
    /// The game as you may see it, after the events of this page; null unless you asked for a snapshot, and while more events wait.
    #[schema(value_type = Option<GameView>)]
    pub game: Option<&'a RawValue>,
    /// Consecutive events after your cursor, oldest first.
    pub entries: Vec<FeedEvent<'a>>,
    /// The `after` of your next request: the id of the last event that you have now. Null while the game has no event.
    pub cursor: Option<String>,
    /// True if the game is over and you have all its events.
    pub is_over: bool,
}

/// A page of the feed of all your games.
#[derive(Serialize, ToSchema)]
pub struct MyFeedPage<'a> {
    /// At most 1,000, newest first; null unless you asked for a snapshot.
    pub games: Option<Vec<FeedGame>>,
    /// Events after your cursor; those of each game are consecutive.
    pub entries: Vec<FeedEvent<'a>>,
    /// The `after` of your next request: the id of the last event that you have now. Null while your games have no event.
    pub cursor: Option<String>,
}

/// A running game of yours.
#[derive(Serialize, ToSchema)]
pub struct FeedGame {
    pub id: Uuid,
    /// The number of its newest event.
    pub seq: u64,
}

/// A line of the stream of all your games.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(dead_code, reason = "events and ends are written as lines of the feed of a game, which are the same")]
pub enum MyFeedLine<'a> {
    /// An event with its id.
    Event {
        id: String,
        #[schema(value_type = Event)]
        event: &'a RawValue,
    },
    /// Your running games, before the events that follow.
    Games { games: Vec<FeedGame> },
    /// The last line.
    End { reason: EndReason },
}

/// An event with its id.
#[derive(Serialize, ToSchema)]
pub struct FeedEvent<'a> {
    /// Always `event`.
    #[serde(rename = "type")]
    #[schema(pattern = "^event$")]
    kind: &'static str,
    /// The game's id, a colon and `seq`.
    id: String,
    /// The event as it stands in the record.
    #[schema(value_type = Event)]
    event: &'a RawValue,
}

impl<'a> From<&'a Entry> for FeedEvent<'a> {
    fn from(entry: &'a Entry) -> Self {
        Self { kind: "event", id: entry.id.to_string(), event: &entry.event }
    }
}

/// A line of a stream, or the data of a server-sent event.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FeedLine<'a> {
    /// An event with its id.
    Event {
        id: String,
        #[schema(value_type = Event)]
        event: &'a RawValue,
    },
    /// The game as you may see it, after all events so far.
    Game {
        #[schema(value_type = GameView)]
        game: &'a RawValue,
    },
    /// The last line.
    End { reason: EndReason },
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
pub(super) fn text_of(line: &str) -> SchemaOrRef {
    // Generators that do not know the media type take it for bytes by this format.
    let format = SchemaFormat::KnownFormat(KnownFormat::Binary);
    ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(format))
        .content_schema(Some(Ref::from_schema_name(line)))
        .description(Some(format!("Each line, and the data of each server-sent event, is a `{line}`.")))
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
        add_with_parts::<MyFeedLine<'_>>(found);
    }
}

/// The running games of a player.
pub fn games_of(snapshot: &GamesSnapshot) -> Vec<FeedGame> {
    let games = snapshot.games.iter();
    games.map(|game| FeedGame { id: game.game_id, seq: game.seq.get() }).collect()
}
