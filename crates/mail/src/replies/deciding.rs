//! Decides what a mail's orders do, and does it.

use time::OffsetDateTime;
use uuid::Uuid;

use super::ReplyError;
use super::message::{Mail, Sender};
use super::orders::{Broken, Orders, harmless};
use super::receiving::Replies;
use super::{REPLY_LIFETIME, commands};
use pippost_accounts::ascii_key;
use pippost_games::error::words_of;
use pippost_games::viewing::view::SeatClaim;
use pippost_games::{
    ActRequest, Acted, Command, GameError, IdempotencyKey, ListMode, clocks, letters, playing, viewing,
};
use pippost_language::Language;
use pippost_notices::{Answer, StopReason, Stopped, Verdict};
use pippost_record::record::ActRefused;
use pippost_record::rules::{GOES_ON, Unreadable};
use pippost_store::replies::{self, Answered, ReplyRow};
use pippost_store::{NoticeKind, Seq};

/// Where a mail with a valid token comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The player's address.
    Own,
    OtherAddress,
    /// The receiving mail server reports a forged sender.
    Forged,
    /// The same, and the settings refuse such mails.
    Refused,
}

impl Origin {
    /// Whether the receiving mail server reports a forged sender.
    pub fn is_forged(self) -> bool {
        matches!(self, Self::Forged | Self::Refused)
    }
}

/// A mail with a valid token, and the notice that it answers.
pub(super) struct Case<'a> {
    pub mail: &'a Mail,
    pub answered: &'a Answered,
    pub origin: Origin,
    pub orders: &'a Orders,
    /// The event that the answered mail showed.
    pub seq: Seq,
    /// The player's language.
    pub language: Language,
    /// The player has sent as many mails as are read in a day.
    pub too_many: bool,
}

impl Case<'_> {
    /// The reason to refuse the mail, if it is known without looking at the game.
    pub fn refusal(&self, now: OffsetDateTime) -> Option<Verdict> {
        let from = match &self.mail.from {
            Sender::One { address, .. } => ascii_key(address),
            Sender::None | Sender::Several => return Some(Verdict::NoSender),
        };
        if from != ascii_key(&self.answered.email_key) {
            return Some(Verdict::OtherAddress);
        }
        if self.origin == Origin::Refused {
            return Some(Verdict::Forged);
        }
        if self.answered.told_at + REPLY_LIFETIME <= now {
            return Some(Verdict::Expired);
        }
        if self.too_many {
            return Some(Verdict::TooManyMails);
        }
        let orders = self.orders;
        if orders.is_empty() {
            return Some(match () {
                () if self.mail.is_sealed => Verdict::Sealed,
                () if self.mail.is_cut => Verdict::TooMuch,
                () if !orders.unknown_numbers.is_empty() => Verdict::Told,
                () if orders.left_out.is_empty() => Verdict::Empty,
                () if self.answered.game_id.is_none() => Verdict::NoGame,
                () => Verdict::NoOrder,
            });
        }
        if orders.too_much {
            return Some(Verdict::TooMuch);
        }
        if orders.resign.is_some() && !(orders.actions.is_empty() && orders.standing.is_empty()) {
            let why = self.language.say("answer-resign-alone");
            let part = commands::suggested("command-resign", self.language);
            return Some(Verdict::Unreadable { part, understood: String::new(), why });
        }
        match &orders.broken {
            Some(broken) if orders.actions.is_empty() && orders.guess.is_none() => Some(self.broken(broken)),
            _ => None,
        }
    }

    /// The newest event once the actions are done that `verdict` names.
    pub fn seq_after(&self, verdict: &Verdict) -> Seq {
        let done = if let Verdict::Moved { done, .. } = verdict { done.len() } else { 0 };
        (0..done).fold(self.seq, |seq, _| seq.next())
    }

    fn broken(&self, broken: &Broken) -> Verdict {
        let (understood, why) = self.reading_of(&broken.part, broken.at, &broken.why);
        Verdict::Unreadable { part: broken.part.clone(), understood, why }
    }

    /// The understood beginning of `part`, and why the rest was not understood.
    fn reading_of(
        &self,
        part: &str,
        at: Option<usize>,
        why: &pippost_record::rules::Sentence,
    ) -> (String, String) {
        let understood: String = part.chars().take(at.unwrap_or_default()).collect();
        // That the action is complete is said by what was understood.
        let why = if why.key == GOES_ON { String::new() } else { self.language.tell(why, &[]) };
        (understood.trim().to_owned(), why)
    }
}

impl Replies {
    /// Carries out the orders of a mail.
    pub(super) async fn decide(&self, case: &Case<'_>, row: &ReplyRow) -> Result<Verdict, ReplyError> {
        if let Some(refusal) = case.refusal(self.now()) {
            return Ok(refusal);
        }
        let orders = case.orders;
        if let Some(is_yes) = orders.answer {
            return self.answered(case, row, is_yes).await;
        }
        let actions = match (&orders.resign, orders.actions.is_empty()) {
            (Some(resignation), _) => {
                let Some(game_id) = row.game_id else { return Ok(Verdict::NoGame) };
                let word = letters::resign_word(self.games(), game_id, row.player_id);
                if orders.requests_doubted || resignation.word.as_deref() != Some(word.as_str()) {
                    return Ok(Verdict::ConfirmResign { word });
                }
                None
            }
            (None, true) => match &orders.guess {
                Some(action) => return self.ask(case, row, std::slice::from_ref(action)).await,
                None => return Ok(Verdict::Told),
            },
            (None, false) if orders.doubted => return self.ask(case, row, &orders.actions).await,
            (None, false) => Some(orders.actions.as_slice()),
        };
        self.act(case, row, case.seq, actions).await
    }

    /// The player's seat in the game that the mail is about, or why there is none.
    pub(super) async fn seat(&self, row: &ReplyRow) -> Result<Result<SeatClaim, Verdict>, ReplyError> {
        let Some(game_id) = row.game_id else { return Ok(Err(Verdict::NoGame)) };
        match viewing::claim_seat(self.games(), game_id, row.player_id).await {
            Ok(claim) => Ok(Ok(claim)),
            // A substitute has taken the seat since the answered mail was sent.
            Err(GameError::NotJoined | GameError::NotFound) => Ok(Err(Verdict::Left)),
            Err(GameError::NotStarted) => Ok(Err(Verdict::NotStarted)),
            Err(error) => Err(error.into()),
        }
    }

    /// Plays `actions`, or resigns without any, if the game is at event `seq` still.
    async fn act(
        &self,
        case: &Case<'_>,
        row: &ReplyRow,
        seq: Seq,
        actions: Option<&[String]>,
    ) -> Result<Verdict, ReplyError> {
        let command = actions.map_or(Command::Resign, |actions| Command::Notation(actions.join("; ")));
        let actions = actions.unwrap_or_default();
        let resigns = command == Command::Resign;
        self.presence().seen(row.player_id);
        let claim = match self.seat(row).await? {
            Ok(claim) => claim,
            Err(no_seat) => return Ok(no_seat),
        };
        let request = ActRequest {
            command,
            mode: ListMode::Each,
            expected_seq: Some(seq),
            if_match: None,
            key: key_of(row),
        };
        match playing::act(self.games(), &claim, &request).await {
            Ok(_) if resigns => Ok(Verdict::Resigned),
            Ok(acted) => Ok(moved(case, actions, acted)),
            Err(error) => self.refused(case, error, row.notice_id, actions).await,
        }
    }

    /// Asks whether `actions` are meant, as far as they are legal now. Nothing is played.
    async fn ask(&self, case: &Case<'_>, row: &ReplyRow, actions: &[String]) -> Result<Verdict, ReplyError> {
        let claim = match self.seat(row).await? {
            Ok(claim) => claim,
            Err(no_seat) => return Ok(no_seat),
        };
        let command = Command::Notation(actions.join("; "));
        let preview = case.orders.previews;
        let asked = |count: usize| Verdict::Asked { actions: actions[..count].to_vec(), preview };
        match playing::preview(self.games(), &claim, &command, ListMode::Each).await {
            Ok(preview) if preview.game.seq != Some(case.seq) => {
                let used = replies::is_used(self.database(), row.notice_id).await?;
                Ok(if used { Verdict::Used } else { Verdict::Late })
            }
            Ok(_) => Ok(asked(actions.len())),
            Err(
                GameError::Refused { index, .. }
                | GameError::Unreadable { index, .. }
                | GameError::Incomplete { index, .. },
            ) if index > 0 => Ok(asked(index)),
            Err(error) => self.refused(case, error, row.notice_id, actions).await,
        }
    }

    /// Does what the answered mail asked, or not. What it asked belongs to the position that it showed, and is done once.
    async fn answered(&self, case: &Case<'_>, row: &ReplyRow, is_yes: bool) -> Result<Verdict, ReplyError> {
        if case.answered.kind == NoticeKind::PauseProposed {
            return self.answer_pause(case, row, is_yes).await;
        }
        // The notice of an answer has the id of the mail that it answers.
        let asking = replies::find(self.database(), row.notice_id).await?;
        let of_player =
            |asking: &ReplyRow| (asking.player_id, asking.game_id) == (row.player_id, row.game_id);
        let Some(asking) = asking.filter(of_player) else { return Ok(Verdict::NothingAsked) };
        let answer: Answer = serde_json::from_str(&asking.answer)?;
        match answer.verdict {
            Verdict::Asked { .. } | Verdict::ConfirmResign { .. } if !is_yes => Ok(Verdict::Declined),
            Verdict::Asked { .. } if asking.seq != case.seq => Ok(Verdict::Late),
            Verdict::Asked { actions, .. } => self.act(case, row, asking.seq, Some(&actions)).await,
            Verdict::ConfirmResign { .. } => self.act(case, row, case.seq, None).await,
            _ => Ok(Verdict::NothingAsked),
        }
    }

    /// Agrees with the pause that the answered mail proposes, or declines it.
    async fn answer_pause(
        &self,
        case: &Case<'_>,
        row: &ReplyRow,
        agrees: bool,
    ) -> Result<Verdict, ReplyError> {
        let claim = match self.seat(row).await? {
            Ok(claim) => claim,
            Err(no_seat) => return Ok(no_seat),
        };
        match clocks::answer_proposal(self.games(), &claim, case.answered.told_at, agrees).await {
            Ok(true) => Ok(if agrees { Verdict::PauseAgreed } else { Verdict::PauseDeclined }),
            Ok(false) | Err(GameError::ClockRefused(_)) => Ok(Verdict::PauseGone),
            Err(error) => Err(error.into()),
        }
    }

    async fn refused(
        &self,
        case: &Case<'_>,
        error: GameError,
        notice_id: Uuid,
        actions: &[String],
    ) -> Result<Verdict, ReplyError> {
        let part = |index: usize| part_at(actions, index);
        Ok(match error {
            GameError::Stale(_) => {
                let used = replies::is_used(self.database(), notice_id).await?;
                if used { Verdict::Used } else { Verdict::Late }
            }
            GameError::Incomplete { index, incomplete } => {
                Verdict::Incomplete { part: part(index), why: case.language.tell(&incomplete.why(), &[]) }
            }
            GameError::Unreadable { index, unreadable: Unreadable { at, why, .. } } => {
                let (understood, why) = case.reading_of(&part(index), at, &why);
                Verdict::Unreadable { part: part(index), understood, why }
            }
            GameError::TooLong { .. } => Verdict::TooLong,
            // It would be refused again.
            GameError::InvalidValue { why, .. } => {
                Verdict::Unreadable { part: part(0), understood: String::new(), why }
            }
            GameError::SeatVacant | GameError::NotJoined => Verdict::Left,
            GameError::Refused { index, refused, .. } => match refused {
                ActRefused::Over => Verdict::GameOver,
                ActRefused::Left => Verdict::Left,
                ActRefused::NotToAct => Verdict::NotYourTurn,
                refused => Verdict::Illegal { part: part(index), why: words_of(&refused, case.language) },
            },
            other => return Err(other.into()),
        })
    }
}

/// The verdict on orders that acted: which were done, and why the next was not.
fn moved(case: &Case<'_>, actions: &[String], acted: Acted) -> Verdict {
    let orders = case.orders;
    let done = actions.iter().take(acted.done).map(|part| harmless(part)).collect();
    let stopped = match acted.stopped {
        Some(stopped) => {
            let (index, why) = (stopped.index, *stopped.why);
            let mut rest: Vec<_> = actions.iter().skip(index + 1).map(|part| harmless(part)).collect();
            rest.extend(
                orders
                    .broken
                    .iter()
                    .flat_map(|broken| [&broken.part].into_iter().chain(&broken.rest))
                    .cloned(),
            );
            Some(Stopped { rest, ..stop_of(case, part_at(actions, index), why) })
        }
        None => orders.broken.as_ref().map(|broken| {
            let (understood, why) = case.reading_of(&broken.part, broken.at, &broken.why);
            let (part, rest) = (broken.part.clone(), broken.rest.clone());
            Stopped { reason: StopReason::Unreadable, part, understood, why, rest }
        }),
    };
    Verdict::Moved { done, stopped }
}

/// Why `part` was not done.
fn stop_of(case: &Case<'_>, part: String, error: GameError) -> Stopped {
    let stopped =
        |reason, part, why| Stopped { reason, part, understood: String::new(), why, rest: Vec::new() };
    match error {
        GameError::Unreadable { unreadable: Unreadable { at, why, .. }, .. } => {
            let (understood, why) = case.reading_of(&part, at, &why);
            Stopped { understood, ..stopped(StopReason::Unreadable, part, why) }
        }
        GameError::Incomplete { incomplete, .. } => {
            stopped(StopReason::Unreadable, part, case.language.tell(&incomplete.why(), &[]))
        }
        GameError::Refused { refused: ActRefused::NotToAct, .. } => {
            stopped(StopReason::TurnOver, part, String::new())
        }
        GameError::Refused { refused: ActRefused::Over | ActRefused::Left, .. } => {
            stopped(StopReason::GameOver, part, String::new())
        }
        GameError::TooLong { .. } => stopped(StopReason::TooLong, part, String::new()),
        GameError::Refused { refused, .. } => {
            stopped(StopReason::Illegal, part, words_of(&refused, case.language))
        }
        _ => stopped(StopReason::Illegal, part, String::new()),
    }
}

fn part_at(actions: &[String], index: usize) -> String {
    actions.get(index).map(|part| harmless(part)).unwrap_or_default()
}

/// The key depends only on the mail, so a mail that is delivered again has no second effect.
fn key_of(row: &ReplyRow) -> Option<IdempotencyKey> {
    IdempotencyKey::parse(&format!("mail:{}:{}", row.notice_id, hex::encode(&row.mail_key)))
}
