//! Does what an answer of a player says about each game, and queues what it is told.

use std::sync::Arc;

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::deciding::{Case, Origin};
use super::message::{Head, Mail};
use super::numbered;
use super::orders::{Orders, Readers, Writer};
use super::receiving::{Incoming, ReceiveOutcome, Replies};
use super::requests::Request;
use super::table_message::Written;
use super::{MAX_ANSWERS_AN_HOUR, MAX_FOREIGN_MAILS_A_DAY, MAX_MAILS_A_DAY, MAX_VAIN_ALIKE, ReplyError};
use pippost_accounts::ascii_key;
use pippost_games::letters;
use pippost_games::letters::messages::{MAX_MESSAGES_AN_HOUR, MessageRefused};
use pippost_games::letters::notation::{LineReader, LineReading, ReadLines};
use pippost_keys::secret::sha256;
use pippost_language::Language;
use pippost_notices::{Answer, TableFate, Verdict};
use pippost_store::Seq;
use pippost_store::closed_accounts;
use pippost_store::games::numbered as games_of;
use pippost_store::moderation;
use pippost_store::notices::NoticeKind;
use pippost_store::replies::{self, Answered, ReplyRow, Settlement, Telling};
use pippost_store::table_messages::{self, NewMessage};

/// The age at which an unfinished mail is answered, with an unknown outcome. Until then a new delivery can finish it.
const UNSETTLED_TIMEOUT: Duration = Duration::hours(6);

/// The most unfinished mails answered by one call.
const MAX_UNSETTLED: i64 = 100;

/// What follows from a mail besides its answer.
struct Outcome {
    /// What is told to the table.
    message: Option<String>,
    telling: Telling,
    /// The mail did nothing and asked for nothing.
    is_vain: bool,
}

impl Outcome {
    /// Nothing is told to anybody.
    fn silent() -> Self {
        Self { message: None, telling: Telling::Never, is_vain: false }
    }
}

/// A game that a mail names by the player's own number.
struct NumberedGame {
    number: i32,
    game_id: Uuid,
    /// Its newest event, and the time of that.
    seq: Seq,
    changed_at: OffsetDateTime,
    /// `None` before its start.
    reader: Option<LineReader>,
}

/// Yes and no answer the question of an invitation, or of a proposal, also at the beginning of a sentence.
fn take_answer(orders: &mut Orders, kind: NoticeKind) {
    let begins = orders.begins_with_answer.filter(|_| orders.answer.is_none() && orders.is_empty());
    let says = orders.answer.or(begins);
    match kind {
        NoticeKind::Invitation => {
            let request = says.map(|yes| if yes { Request::Join { rules: None } } else { Request::Decline });
            orders.requests.extend(request);
            orders.answer = None;
        }
        NoticeKind::PauseProposed if !orders.requests_doubted => orders.answer = says,
        _ => return,
    }
    if begins.is_some() && !orders.left_out.is_empty() {
        orders.left_out.remove(0);
    }
}

impl Replies {
    pub(super) async fn answer(
        &self,
        (incoming, head): (&Incoming<'_>, &Head),
        answered: Answered,
        notice_id: Uuid,
        seq: Seq,
    ) -> Result<ReceiveOutcome, ReplyError> {
        let database = self.database();
        // The mails of a player are counted, read and processed one after the other.
        let _turn = self.lock(answered.player_id).await;
        if closed_accounts::is_closed(database, answered.player_id).await? {
            return Ok(ReceiveOutcome::Ignored("account closed"));
        }
        let origin = self.origin(head, &answered);
        // A token that somebody has found does not use up what the player may send.
        let foreign = origin != Origin::Own;
        let since = self.now() - Duration::DAY;
        let today = replies::count_since(database, answered.player_id, &[foreign], since).await?;
        let most = if foreign { MAX_FOREIGN_MAILS_A_DAY } else { MAX_MAILS_A_DAY };
        if today > most || foreign && today == most {
            return Ok(ReceiveOutcome::Ignored("too many in a day"));
        }
        let too_many = today == most;
        let Some(mail) = self.read_whole(incoming).await else { return Ok(ReceiveOutcome::Unreadable) };
        let mail = Arc::new(mail);
        let read = if too_many {
            Some((Orders::default(), Vec::new()))
        } else {
            self.orders(&mail, &answered).await?
        };
        let Some((mut orders, numbered)) = read else { return Ok(ReceiveOutcome::Unreadable) };
        take_answer(&mut orders, answered.kind);
        let language = Language::of_tag(&answered.language).unwrap_or_default();
        let mut others = orders.take_numbered();
        let mut outcome = None;
        if others.is_empty() || !orders.is_empty() || !orders.unknown_numbers.is_empty() {
            let case =
                Case { mail: &mail, origin, answered: &answered, orders: &orders, seq, language, too_many };
            outcome = Some(self.carry_out(&case, notice_id, mail.key.to_vec()).await?);
        } else if let Some((_, first)) = others.first_mut() {
            first.left_out.append(&mut orders.left_out);
        }
        for (number, mut orders) in others {
            let Some(game) = numbered.iter().find(|game| game.number == number) else { continue };
            orders.doubted |= !orders.actions.is_empty() && game.changed_at > answered.told_at;
            let answered =
                Answered { game_id: Some(game.game_id), kind: NoticeKind::Turn, ..answered.clone() };
            let case = Case {
                mail: &mail,
                origin,
                answered: &answered,
                orders: &orders,
                seq: game.seq,
                language,
                too_many,
            };
            let key = sha256(&[&mail.key[..], game.game_id.as_bytes()].concat()).to_vec();
            let done = self.carry_out(&case, notice_id, key).await?;
            outcome = outcome.or(Some(done));
        }
        Ok(outcome.unwrap_or(ReceiveOutcome::Ignored("no such game")))
    }

    fn origin(&self, head: &Head, answered: &Answered) -> Origin {
        let is_own =
            head.from.address().is_some_and(|from| ascii_key(from) == ascii_key(&answered.email_key));
        match () {
            () if self.refuses(head) => Origin::Refused,
            () if self.is_forged(head) => Origin::Forged,
            () if is_own => Origin::Own,
            () => Origin::OtherAddress,
        }
    }

    /// Does what the mail says about one game, or about none, and answers it.
    async fn carry_out(
        &self,
        case: &Case<'_>,
        notice_id: Uuid,
        mail_key: Vec<u8>,
    ) -> Result<ReceiveOutcome, ReplyError> {
        let (database, orders, mail) = (self.database(), case.orders, case.mail);
        let row = replies::begin(database, &self.row(case, notice_id, mail_key)?).await?;
        if row.settled_at.is_some() {
            return Ok(ReceiveOutcome::Repeated);
        }
        let since = self.now() - Duration::DAY;
        let verdict = self.decide(case, &row).await?;
        self.figures().decided(&verdict);
        // A program in a loop answers each mail once: it uses no token twice.
        let is_vain = !verdict.is_effective() && !orders.asks() && verdict != Verdict::Used;
        // Who only looks at a game, or agrees with a pause, is there as well.
        if !is_vain && !verdict.is_of_a_stranger() {
            self.presence().seen(row.player_id);
        }
        let of = (row.player_id, row.game_id);
        let is_silent = is_vain
            && (mail.suspect.is_some() && !matches!(verdict, Verdict::Asked { .. })
                || replies::count_vain_alike(database, of, &row.text_key, since).await? >= MAX_VAIN_ALIKE);
        let (answer, message) = self.answer_to(case, &row, verdict).await?;
        if is_silent {
            // Without an answer a loop ends. People may send the same message often, and nothing else in the mail.
            let message = message.filter(|_| orders.left_out.is_empty());
            self.settle(&row, &answer, Outcome { message, is_vain, ..Outcome::silent() }).await?;
            return Ok(ReceiveOutcome::Ignored(mail.suspect.unwrap_or("the same words again")));
        }
        let telling = if case.too_many { Telling::By(self.now()) } else { self.telling(&row).await? };
        self.settle(&row, &answer, Outcome { message, telling, is_vain }).await
    }

    /// What the mail orders, and the games that it names by number; `None` if it cannot be read.
    async fn orders(
        &self,
        mail: &Arc<Mail>,
        answered: &Answered,
    ) -> Result<Option<(Orders, Vec<NumberedGame>)>, ReplyError> {
        let (games, player_id) = (self.games(), answered.player_id);
        let reader = match answered.game_id {
            Some(game_id) => letters::line_reader(games, game_id, player_id).await?,
            None => None,
        };
        let mut numbered = self.numbered_games(&mail.text, player_id).await?;
        let own = |game: &NumberedGame| Some(game.game_id) == answered.game_id;
        let own_number = numbered.iter().position(own).map(|at| numbered.swap_remove(at).number);
        let (replies, mail, handle) = (self.clone(), mail.clone(), answered.handle.clone());
        let read = move || {
            let no_game = |_: &str| LineReading::Other;
            let own: &dyn ReadLines = reader.as_ref().map_or(&no_game, |reader| reader);
            let others: Vec<(i32, &dyn ReadLines)> = numbered
                .iter()
                .map(|game| {
                    let reader: &dyn ReadLines = game.reader.as_ref().map_or(&no_game, |reader| reader);
                    (game.number, reader)
                })
                .collect();
            let writer = Writer {
                ours: replies.ours(),
                name: mail.writer_name(),
                address: mail.from.address(),
                handle: &handle,
            };
            let readers = Readers { own, own_number, numbered: &others };
            let mut orders = Orders::read_all(&mail.text, writer, readers);
            if let Some(subject) = mail.subject.as_deref() {
                orders.read_subject(subject, own);
            }
            (orders, numbered)
        };
        Ok(self.read_apart(read).await)
    }

    /// The player's games whose numbers the lines of a mail begin with.
    async fn numbered_games(&self, text: &str, player_id: Uuid) -> Result<Vec<NumberedGame>, ReplyError> {
        let numbers = numbered::numbers_in(text);
        if numbers.is_empty() {
            return Ok(Vec::new());
        }
        let mut games = Vec::new();
        for (number, game_id) in games_of(self.database(), player_id, &numbers).await? {
            let reader = letters::line_reader(self.games(), game_id, player_id).await?;
            let (seq, changed_at) =
                reader.as_ref().map_or((Seq::START, OffsetDateTime::UNIX_EPOCH), |reader| {
                    (reader.seq(), reader.changed_at())
                });
            games.push(NumberedGame { number, game_id, seq, changed_at, reader });
        }
        Ok(games)
    }

    /// Changes preferences, checks the table message, and builds the answer.
    async fn answer_to(
        &self,
        case: &Case<'_>,
        row: &ReplyRow,
        verdict: Verdict,
    ) -> Result<(Answer, Option<String>), ReplyError> {
        let (orders, doubted) = (case.orders, case.origin.is_forged());
        if verdict.is_of_a_stranger() {
            return Ok((Answer { doubted, ..Answer::new(verdict) }, None));
        }
        let is_sure = verdict != Verdict::Expired && !orders.requests_doubted;
        let preferences = if is_sure { &orders.preferences[..] } else { &[] };
        for change in preferences {
            self.accounts().change_preferences(row.player_id, change.clone()).await?;
        }
        let outcomes = self.carry_out_requests(case, row, &verdict).await?;
        let (table, message) = self.table_message(&orders.message, row, verdict.is_refusal()).await?;
        let (standing, order_lines) = self.standing(case, row, &verdict).await?;
        let told = message.clone().filter(|_| table == TableFate::Part);
        let unclear = matches!(verdict, Verdict::Empty | Verdict::NoOrder | Verdict::Unreadable { .. });
        let answer = Answer {
            history: orders.history,
            help: orders.help || unclear,
            table,
            told: told.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")),
            left_out: orders.left_out.clone(),
            preferences: !preferences.is_empty(),
            unsubscribed: orders.unsubscribes && is_sure,
            orders: standing,
            order_lines,
            outcomes,
            games: orders.games,
            who: orders.who,
            doubted,
            verdict,
        };
        Ok((answer, message))
    }

    /// Checks the message to the table; returns the text to send, if any.
    async fn table_message(
        &self,
        written: &Written,
        row: &ReplyRow,
        refused: bool,
    ) -> Result<(TableFate, Option<String>), ReplyError> {
        let (text, cut) = match written {
            Written::Nothing => return Ok((TableFate::None, None)),
            Written::Empty => return Ok((TableFate::Empty, None)),
            Written::Signature => return Ok((TableFate::Signature, None)),
            Written::Message { .. } if refused => return Ok((TableFate::NotTold, None)),
            Written::Message { text, cut } => (text, *cut),
        };
        let Some(game_id) = row.game_id else { return Ok((TableFate::NotTold, None)) };
        let text = match letters::clean_message(self.games(), text) {
            Ok(Some(text)) => text,
            Ok(None) => return Ok((TableFate::Empty, None)),
            Err(MessageRefused::TooLong) => return Ok((TableFate::TooLong, None)),
            Err(MessageRefused::Address) => return Ok((TableFate::Address, None)),
        };
        if moderation::mute_of(self.database(), row.player_id, self.now()).await?.is_some() {
            return Ok((TableFate::Muted, None));
        }
        let since = self.now() - Duration::HOUR;
        let said = table_messages::since(self.database(), game_id, row.player_id, since).await?.0;
        Ok(if said < MAX_MESSAGES_AN_HOUR {
            (if cut { TableFate::Part } else { TableFate::Told }, Some(text))
        } else {
            (TableFate::TooMany, None)
        })
    }

    /// When the answer is sent: at once or, after too many answers within the hour, later and together with others.
    async fn telling(&self, row: &ReplyRow) -> Result<Telling, ReplyError> {
        let (database, now) = (self.database(), self.now());
        let before =
            replies::count_since(database, row.player_id, &[false, true], now - Duration::HOUR).await?;
        if before <= MAX_ANSWERS_AN_HOUR {
            return Ok(Telling::By(now));
        }
        let oldest = replies::oldest_of(database, row.player_id, MAX_ANSWERS_AN_HOUR).await?;
        let not_before = oldest.map_or(now, |oldest| oldest + Duration::HOUR);
        let waiting = replies::waiting_answer(database, row.player_id, row.game_id).await?;
        Ok(waiting.map_or(Telling::By(not_before), |id| Telling::With { id, otherwise: not_before }))
    }

    fn row(&self, case: &Case<'_>, notice_id: Uuid, mail_key: Vec<u8>) -> Result<ReplyRow, ReplyError> {
        let Answered { player_id, game_id, .. } = *case.answered;
        Ok(ReplyRow {
            id: Uuid::now_v7(),
            notice_id,
            mail_key,
            player_id,
            game_id,
            seq: case.seq,
            asked: case.orders.actions.join("; "),
            answer: serde_json::to_string(&Answer::new(Verdict::Unknown))?,
            received_at: self.now(),
            settled_at: None,
            used: false,
            text_key: sha256(case.orders.words.as_bytes()).to_vec(),
            refused: false,
            deferred: false,
            told_with: None,
            foreign_sender: case.origin != Origin::Own,
        })
    }

    async fn settle(
        &self,
        row: &ReplyRow,
        answer: &Answer,
        outcome: Outcome,
    ) -> Result<ReceiveOutcome, ReplyError> {
        let Outcome { message, telling, is_vain } = outcome;
        let message = message.zip(row.game_id).map(|(text, game_id)| NewMessage {
            id: row.id,
            game_id,
            player_id: row.player_id,
            seq: row.seq,
            text,
            created_at: self.now(),
        });
        let settlement = Settlement {
            row,
            answer: &serde_json::to_string(answer)?,
            used: answer.verdict.acted(),
            refused: is_vain,
            telling,
            message,
            now: self.now(),
        };
        let settled = replies::settle(self.database(), &settlement).await?;
        match &settlement.message {
            Some(message) => self.notify_of(message.game_id),
            None => self.notify(),
        }
        Ok(if settled { ReceiveOutcome::Taken } else { ReceiveOutcome::Repeated })
    }

    /// Answers mails whose processing was interrupted and that were not delivered again. Returns how many.
    ///
    /// # Errors
    /// The database failed.
    pub async fn settle_left_over(&self) -> Result<usize, ReplyError> {
        let now = self.now();
        let answer = serde_json::to_string(&Answer::new(Verdict::Unknown))?;
        let before = now - UNSETTLED_TIMEOUT;
        let settled = replies::settle_left_over(self.database(), before, &answer, now, MAX_UNSETTLED).await?;
        if settled > 0 {
            self.notify();
        }
        Ok(settled)
    }
}
