//! Feeds of a game, of all games of a player, and of a tournament: as a page, which may wait for news, or as a stream of NDJSON or server-sent events.

mod answers;
mod query;
mod stream;
mod tournaments;

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, ContentEncoding};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::StreamExt;
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

use self::answers::{FeedEvent, games_of};
pub use self::answers::{FeedPage, FeedText, MyFeedPage, MyFeedText};
use self::query::MySnapshotName;
pub use self::query::{FeedQuery, Form, MyFeedQuery, SnapshotName, cursor};
use self::stream::{FeedStream, First, Source};
pub use self::tournaments::{TournamentFeedPage, TournamentFeedQuery, TournamentFeedText, answer_tournament};
use crate::slow::SmallPieces;
use crate::{Code, Problem};
use pippost_games::feed::{Entry, GameFeed, PlayerFeed, Step};
use pippost_games::viewing::view::Requester;
use pippost_games::{GameError, Games, viewing};
use pippost_store::Seq;
use pippost_store::events::MAX_PAGE;
use pippost_traffic::TrafficPermit;

/// The answer to a request for the feed of a game after the event `after`, in the form that the request accepts. `place` is held
/// until the answer has been read.
///
/// # Errors
/// There is no such game for this requester, or the query cannot be used.
pub async fn answer(
    request: &HttpRequest,
    place: TrafficPermit,
    games: &Games,
    game_id: Uuid,
    requester: Requester,
    after: Option<Seq>,
    query: &FeedQuery,
) -> Result<HttpResponse, Problem> {
    query::check(query.wait, query.limit)?;
    let form = Form::accepted_by(request);
    let feed = GameFeed::open(games, game_id, requester, after).await?;
    let shows_first = query.snapshot != SnapshotName::None && after.is_none();
    if form == Form::Page {
        return Ok(page(feed, shows_first, query).await?);
    }
    if feed.is_over() && !shows_first {
        return Ok(HttpResponse::NoContent().finish());
    }
    let shows_each = query.snapshot == SnapshotName::Each;
    let source = Source::Game { feed, shows_each };
    let first = match (shows_first, shows_each) {
        (true, _) => First::Snapshot,
        // The stream before may have been cut between an event and its snapshot.
        (false, true) => First::SnapshotIfCaughtUp,
        (false, false) => First::Nothing,
    };
    Ok(streamed(form, FeedStream::new(source, form, first, place)))
}

/// The answer to a page that shows a game and asks what happens after the event `after`: its events, and to those who have a seat that a
/// message was written at the table, as a server-sent event `said`. `place` as in [`answer`].
///
/// # Errors
/// As [`answer`].
pub async fn answer_to_page(
    request: &HttpRequest,
    place: TrafficPermit,
    games: &Games,
    game_id: Uuid,
    requester: Requester,
    after: Option<Seq>,
) -> Result<HttpResponse, Problem> {
    let form = Form::accepted_by(request);
    if form == Form::Page {
        let query =
            FeedQuery { after: None, snapshot: SnapshotName::None, wait: 0, limit: MAX_PAGE, token: None };
        return answer(request, place, games, game_id, requester, after, &query).await;
    }
    let player_id = requester.player_id;
    let mut feed = GameFeed::open(games, game_id, requester, after).await?;
    if feed.is_over() {
        return Ok(HttpResponse::NoContent().finish());
    }
    if let Some(player_id) = player_id {
        match viewing::claim_seat(games, game_id, player_id).await {
            Ok(claim) => feed.hear_messages(&claim).await?,
            Err(GameError::NotJoined | GameError::NotStarted | GameError::NotFound) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let source = Source::Game { feed, shows_each: false };
    Ok(streamed(form, FeedStream::new(source, form, First::Nothing, place)))
}

/// The answer to a request for the feed of all games of a player after the event `after`; `place` as in [`answer`].
///
/// # Errors
/// The query cannot be used.
pub async fn answer_mine(
    request: &HttpRequest,
    place: TrafficPermit,
    games: &Games,
    player_id: Uuid,
    query: &MyFeedQuery,
) -> Result<HttpResponse, Problem> {
    query::check(query.wait, query.limit)?;
    let form = Form::accepted_by(request);
    let after = cursor(request, query.after.as_deref(), None)?;
    let feed = PlayerFeed::open(games, player_id, after).await?;
    let shows_first = query.snapshot != MySnapshotName::None && after.is_none();
    if form == Form::Page {
        return Ok(my_page(feed, shows_first, query).await?);
    }
    let source = Source::Player(feed);
    let first = if shows_first { First::Snapshot } else { First::Nothing };
    Ok(streamed(form, FeedStream::new(source, form, first, place)))
}

fn streamed(form: Form, stream: FeedStream) -> HttpResponse {
    let mut answer = HttpResponse::build(StatusCode::OK);
    answer
        .insert_header((CONTENT_TYPE, form.media_type()))
        // A compressor would hold back what should arrive at once, and keep a window for each reader.
        .insert_header(ContentEncoding::Identity)
        // Tells nginx not to wait for more.
        .insert_header(("X-Accel-Buffering", "no"));
    answer.extensions_mut().insert(SmallPieces);
    answer.streaming(stream.map(Ok::<_, Problem>))
}

async fn page(mut feed: GameFeed, shows_first: bool, query: &FeedQuery) -> Result<HttpResponse, GameError> {
    let deadline = Instant::now() + Duration::from_secs(query.wait.into());
    let mut snapshot = if shows_first { Some(feed.snapshot().await?) } else { None };
    let mut entries = feed.read(query.limit.into()).await?;
    if entries.is_empty() && snapshot.is_none() && !feed.is_over() {
        entries = news(deadline, async || feed.next().await).await?;
    }
    if query.snapshot == SnapshotName::Each && !entries.is_empty() {
        snapshot = feed.snapshot_if_caught_up().await?;
    }
    Ok(HttpResponse::Ok().json(FeedPage {
        game: snapshot.as_ref().map(|snapshot| &*snapshot.json),
        entries: entries.iter().map(FeedEvent::from).collect(),
        cursor: feed.cursor().map(|id| id.to_string()),
        is_over: feed.is_over(),
    }))
}

async fn my_page(
    mut feed: PlayerFeed,
    shows_first: bool,
    query: &MyFeedQuery,
) -> Result<HttpResponse, GameError> {
    let deadline = Instant::now() + Duration::from_secs(query.wait.into());
    let snapshot = if shows_first { Some(feed.snapshot().await?) } else { None };
    let mut entries = feed.read(query.limit.into()).await?;
    if entries.is_empty() && snapshot.is_none() {
        entries = news(deadline, async || feed.next().await).await?;
    }
    Ok(HttpResponse::Ok().json(MyFeedPage {
        games: snapshot.as_ref().map(games_of),
        entries: entries.iter().map(FeedEvent::from).collect(),
        cursor: feed.cursor().map(|id| id.to_string()),
    }))
}

/// The next events of a feed, as its `next` gives them; none at its end, or when the time is up.
async fn news(
    deadline: Instant,
    mut next: impl AsyncFnMut() -> Result<Step, GameError>,
) -> Result<Vec<Entry>, GameError> {
    let news = async {
        loop {
            match next().await? {
                Step::Events(entries) => return Ok(entries),
                Step::Heartbeat | Step::Message => {}
                Step::End(_) => return Ok(Vec::new()),
            }
        }
    };
    timeout_at(deadline, news).await.unwrap_or_else(|_late| Ok(Vec::new()))
}

/// The problem of a cursor that cannot be read.
fn foreign_cursor(from_header: bool) -> Problem {
    let why = "no `id` of an event";
    if from_header {
        return Problem::new(Code::InvalidHeader).detail(why).with("field", "Last-Event-ID");
    }
    Problem::new(Code::InvalidValue).detail(why).with("field", "after")
}
