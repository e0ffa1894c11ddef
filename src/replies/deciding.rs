//! What becomes of the orders of a mail.

use time::OffsetDateTime;
use uuid::Uuid;

use super::REPLY_LIFETIME;
use super::message::Mail;
use super::orders::{Confused, Orders, harmless, too_many_actions};
use super::receiving::{Replies, ReplyError};
use crate::accounts::email_key;
use crate::games::error::words_of;
use crate::games::{ActRequest, Deed, GameError, IdempotencyKey};
use crate::language::Language;
use crate::notices::Verdict;
use crate::record::ActRefused;
use crate::store::replies::{self, Answered, ReplyRow};

/// A mail with a good token, and who has been told what by the mail that it answers.
pub(super) struct Case<'a> {
    pub mail: &'a Mail,
    pub answered: &'a Answered,
    pub orders: &'a Result<Orders, Confused>,
    /// The event that the answered mail showed.
    pub seq: u64,
    /// What the player reads.
    pub language: Language,
}

impl Case<'_> {
    /// What the answer will say if all goes well; the acts of a game cannot tell, so it is known before.
    pub fn hoped(&self) -> Verdict {
        match self.orders {
            Ok(Orders { resign: Some(_), .. }) => Verdict::Resigned,
            Ok(Orders { actions, .. }) if !actions.is_empty() => Verdict::Moved,
            _ => Verdict::Told,
        }
    }

    fn refusal(&self, now: OffsetDateTime) -> Option<Verdict> {
        let from = self.mail.from.as_deref().map(email_key);
        if from.as_deref() != Some(self.answered.email_key.as_str()) {
            return Some(Verdict::OtherAddress);
        }
        if self.answered.told_at + REPLY_LIFETIME <= now {
            return Some(Verdict::Expired);
        }
        match self.orders {
            Err(Confused { part, why }) => {
                Some(Verdict::Unreadable { part: part.clone(), why: self.language.tell(why, &[]) })
            }
            Ok(orders) if orders.is_empty() => Some(Verdict::Empty),
            Ok(_) => None,
        }
    }
}

impl Replies {
    /// Does what a mail asks for. With `tells`, an act in the game writes the notice of its answer itself.
    pub(super) async fn decide(
        &self,
        case: &Case<'_>,
        row: &ReplyRow,
        tells: bool,
    ) -> Result<Verdict, ReplyError> {
        if let Some(refusal) = case.refusal(self.now()) {
            return Ok(refusal);
        }
        let Ok(orders) = case.orders else { return Ok(Verdict::Empty) };
        let deed = match (&orders.resign, orders.actions.is_empty()) {
            (Some(resignation), _) => {
                let word = self.games().resign_word(row.game_id, row.player_id);
                if resignation.word.as_deref() != Some(word.as_str()) {
                    return Ok(Verdict::ConfirmResign { word });
                }
                Deed::Resign
            }
            (None, true) => return Ok(Verdict::Told),
            (None, false) => Deed::Notation(orders.actions.join("; ")),
        };
        self.presence().seen(row.player_id);
        let claim = self.games().claim_seat(row.game_id, row.player_id).await?;
        let request = ActRequest { deed, expected_seq: Some(case.seq), key: key_of(row) };
        match self.games().act_telling(&claim, &request, tells.then_some(row.id)).await {
            Ok(_) => Ok(case.hoped()),
            Err(error) => self.refused(error, &orders.actions, row.notice_id, case.language).await,
        }
    }

    async fn refused(
        &self,
        error: GameError,
        actions: &[String],
        notice_id: Uuid,
        language: Language,
    ) -> Result<Verdict, ReplyError> {
        let part = |index: usize| actions.get(index).map(|part| harmless(part)).unwrap_or_default();
        Ok(match error {
            GameError::Stale(_) => {
                let used = replies::is_used(self.database(), notice_id).await?;
                if used { Verdict::Used } else { Verdict::Late }
            }
            GameError::Unreadable { index, unreadable } => {
                Verdict::Unreadable { part: part(index), why: language.tell(&unreadable.why, &[]) }
            }
            GameError::InvalidValue { .. } => {
                Verdict::Unreadable { part: part(0), why: language.tell(&too_many_actions(), &[]) }
            }
            GameError::Refused { index, refused, .. } => match refused {
                ActRefused::Over => Verdict::GameOver,
                ActRefused::Left => Verdict::Left,
                ActRefused::NotToAct => Verdict::NotYourTurn,
                refused => Verdict::Illegal { part: part(index), why: words_of(&refused, language) },
            },
            other => return Err(other.into()),
        })
    }
}

/// The same mail is the same request, however often it is delivered.
fn key_of(row: &ReplyRow) -> Option<IdempotencyKey> {
    IdempotencyKey::parse(&format!("mail:{}:{}", row.notice_id, hex::encode(&row.mail_key)))
}
