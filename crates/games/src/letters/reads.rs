//! What a mail reads besides the game, with one statement for all mails that are written at the same time.

use std::collections::HashSet;

use futures_util::FutureExt;
use uuid::Uuid;

use pippost_store::events::{self, Span};
use pippost_store::grouped::{Grouped, MAX_LARGE, MAX_SMALL};
use pippost_store::muted_players::MUTED;
use pippost_store::table_messages::{self, MessageRow};
use pippost_store::{Database, StoreError};

/// Asks for all mails of a thread.
pub struct LetterReads {
    lines: Grouped<Span, Vec<String>>,
    /// Whether a game has messages; most have none.
    has_messages: Grouped<Uuid, bool>,
    database: Database,
}

impl LetterReads {
    /// Starts the asking tasks on the current runtime. They end when this is dropped.
    #[must_use]
    pub fn start(database: Database) -> Self {
        let (for_lines, for_messages) = (database.clone(), database.clone());
        Self {
            lines: Grouped::start(MAX_LARGE, move |spans| lines(for_lines.clone(), spans).boxed()),
            has_messages: Grouped::start(MAX_SMALL, move |ids| {
                has_messages(for_messages.clone(), ids).boxed()
            }),
            database,
        }
    }

    /// The lines of the events of a span, in order.
    ///
    /// # Errors
    /// The database failed.
    pub async fn lines(&self, span: Span) -> Result<Vec<String>, StoreError> {
        self.lines.ask(span).await
    }

    /// The newest messages of a game, at most `limit`, without those of players whom the reader mutes; oldest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn messages(
        &self,
        game_id: Uuid,
        reader: Option<Uuid>,
        limit: i64,
    ) -> Result<Vec<MessageRow>, StoreError> {
        if !self.has_messages.ask(game_id).await? {
            return Ok(Vec::new());
        }
        let muted = match reader {
            Some(reader) => MUTED.ids(&self.database, reader).await?,
            None => Vec::new(),
        };
        table_messages::newest(&self.database, game_id, &muted, None, limit).await
    }
}

async fn lines(database: Database, spans: Vec<Span>) -> Result<Vec<Vec<String>>, StoreError> {
    // A replica is asked for each game, because what it lacks is read elsewhere.
    if spans.len() == 1 || database.replica().is_some() {
        let of_each = spans.iter().map(|span| events::lines(&database, span.game_id, span.first, span.last));
        return futures_util::future::try_join_all(of_each).await;
    }
    let of_each = events::lines_of_each(&database, &spans).await?;
    Ok(of_each.into_iter().map(|lines| lines.into_iter().map(|(_, line)| line).collect()).collect())
}

async fn has_messages(database: Database, ids: Vec<Uuid>) -> Result<Vec<bool>, StoreError> {
    let found: HashSet<Uuid> = table_messages::games_with_messages(&database, ids.clone()).await?;
    Ok(ids.iter().map(|id| found.contains(id)).collect())
}
