//! How late a log is, as a stranger can measure it: from what happens in public games until a checkpoint holds it.

use std::collections::HashMap;
use std::time::Duration;

use serde::Deserialize;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use uuid::Uuid;

use super::reading::Log;
use crate::log::Entry;
use crate::log::note::VerifierKey;
use crate::log::proof::{MAX_PROOF_BYTES, Proof};
use crate::record::Hash;

/// The lists of public games that are looked at, and how many games of each, newest first.
const LISTS: [&str; 2] = ["running", "finished"];
const GAMES_OF_A_LIST: usize = 20;

/// The largest list or view of a game, in bytes.
const MAX_ANSWER_BYTES: usize = 4 * 1024 * 1024;

#[derive(Deserialize)]
struct Page {
    games: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    id: Uuid,
    seq: Option<u64>,
    last_event_at: Option<String>,
}

/// The newest event of a game, as its view names it.
#[derive(Deserialize)]
struct View {
    seq: u64,
    head: Hash,
}

/// What is known of the games that were looked at.
#[derive(Default)]
pub struct Delays {
    /// By game, the newest event that was found in the log.
    logged: HashMap<Uuid, u64>,
    /// When the look before began: what had happened by then may have been in the log for long.
    looked_at: Option<OffsetDateTime>,
}

/// What one look at the games shows.
#[derive(Default)]
pub struct Measured {
    /// The longest time until an event was seen in the log, of those that happened since the look before. It is no shorter than it was.
    pub longest: Option<Duration>,
    /// Events that the log does not have, each in words, although the time for them is over.
    pub late: Vec<String>,
    /// Events in whose place the log seems to have others, each in words.
    pub replaced: Vec<String>,
}

/// A log that is measured.
pub struct Measure<'a> {
    pub log: &'a Log,
    pub key: &'a VerifierKey,
    /// How long it has for an event.
    pub within: Duration,
    /// How many entries of a game it has.
    pub holds: &'a dyn Fn(Uuid) -> u32,
}

impl Delays {
    /// Looks at the newest public games.
    pub async fn look(&mut self, of: &Measure<'_>) -> anyhow::Result<Measured> {
        let began = OffsetDateTime::now_utc();
        let (mut measured, mut shown) = (Measured::default(), HashMap::new());
        for list in LISTS {
            let path = format!("/api/v1/games?list={list}&limit={GAMES_OF_A_LIST}");
            // A log may belong to no game server, or to one that shows no games.
            let Some(page) = of.log.of_server::<Page>(&path, MAX_ANSWER_BYTES).await? else { continue };
            for game in page.games {
                let Some(seq) = game.seq else { continue };
                let was_logged = self.logged.get(&game.id) == Some(&seq);
                if was_logged || of.has_newest(&game, self.looked_at, &mut measured).await? {
                    shown.insert(game.id, seq);
                }
            }
        }
        // Games that have left the lists are forgotten.
        (self.logged, self.looked_at) = (shown, Some(began));
        Ok(measured)
    }
}

impl Measure<'_> {
    /// Whether the log has the newest event of a game; how late it is, is noted. A delay is measured of what happened after `since`.
    async fn has_newest(
        &self,
        game: &Listed,
        since: Option<OffsetDateTime>,
        measured: &mut Measured,
    ) -> anyhow::Result<bool> {
        let id = game.id;
        let view = self.log.of_server::<View>(&format!("/api/v1/games/{id}"), MAX_ANSWER_BYTES).await?;
        // If it has moved on since it was listed, the next look sees it.
        let Some(View { seq, head }) = view.filter(|view| Some(view.seq) == game.seq) else {
            return Ok(false);
        };
        let (Ok(number), Some(at)) = (u32::try_from(seq), time_of(game.last_event_at.as_deref())) else {
            return Ok(false);
        };
        let proof = self.log.get(&format!("proof/{id}?seq={seq}&hash={head}"), MAX_PROOF_BYTES).await?;
        let age = Duration::try_from(OffsetDateTime::now_utc() - at).unwrap_or_default();
        let Some(proof) = proof else {
            let event = format!("event {seq} of game {id}, of {} seconds ago", age.as_secs());
            if (self.holds)(id) > number {
                measured.replaced.push(event);
            } else if age > self.within {
                measured.late.push(event);
            }
            return Ok(false);
        };
        let entry = Entry::of(id, number, *head.as_bytes());
        Proof::read(&String::from_utf8(proof)?)?.verify(entry.leaf(), self.key)?;
        if since.is_some_and(|since| at >= since) {
            measured.longest = measured.longest.max(Some(age));
        }
        Ok(true)
    }
}

fn time_of(text: Option<&str>) -> Option<OffsetDateTime> {
    OffsetDateTime::parse(text?, &Rfc3339).ok()
}
