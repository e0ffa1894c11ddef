//! Answers to the mail that asks to confirm an address: *yes* does what its link does.

use time::Duration;
use uuid::Uuid;

use super::message::{Head, Mail};
use super::receiving::{Incoming, ReceiveOutcome, Replies};
use super::{MAX_FOREIGN_MAILS_A_DAY, MAX_HINTS_A_DAY, REPLY_LIFETIME, ReplyError};
use pippost_accounts::{AccountError, ascii_key};
use pippost_keys::secret::sha256;
use pippost_notices::{Answer, NewNotice, NoticeKind, Verdict};
use pippost_store::Seq;
use pippost_store::mail_links::{self, ConfirmingLink};
use pippost_store::notices;
use pippost_store::replies::{self, Answered, ReplyRow, Settlement, Telling};

impl Replies {
    /// Handles the answer to a mail with a link that confirms the address to which it went. Only that address counts, and only the
    /// token that went there, so nobody confirms an address whose mails they do not read.
    pub(super) async fn confirm(
        &self,
        (incoming, head): (&Incoming<'_>, &Head),
        answered: Answered,
        notice_id: Uuid,
    ) -> Result<ReceiveOutcome, ReplyError> {
        let (database, player_id, now) = (self.database(), answered.player_id, self.now());
        let _turn = self.lock(player_id).await;
        let Some(link) = mail_links::confirming(database, notice_id).await? else {
            return Ok(ReceiveOutcome::Ignored("its link is gone"));
        };
        let is_own = head.from.address().is_some_and(|from| ascii_key(from) == ascii_key(&link.email));
        if !is_own || self.is_forged(head) {
            return Ok(ReceiveOutcome::Ignored("from another address"));
        }
        let since = now - Duration::DAY;
        let today = replies::count_since(database, player_id, &[false, true], since).await?;
        if today >= MAX_FOREIGN_MAILS_A_DAY || answered.told_at + REPLY_LIFETIME <= now {
            return Ok(ReceiveOutcome::Ignored("too many in a day, or too old"));
        }
        let Some(mail) = self.read_whole(incoming).await else { return Ok(ReceiveOutcome::Unreadable) };
        let row = replies::begin(database, &row_of(&answered, notice_id, &mail, now)?).await?;
        if row.settled_at.is_some() {
            return Ok(ReceiveOutcome::Repeated);
        }
        let Some(orders) = self.words_of_stranger(mail).await else { return Ok(ReceiveOutcome::Unreadable) };
        let says_yes = orders.answer == Some(true) && !orders.requests_doubted && !orders.doubted;
        if says_yes && self.is_confirmed(&link).await? {
            return self.settle_confirmation(&row, Verdict::Confirmed, Telling::By(now)).await;
        }
        let helped = notices::count_since(database, player_id, NoticeKind::ConfirmHelp, None, since).await?;
        if !says_yes && helped < MAX_HINTS_A_DAY {
            let help = NewNotice::to_player(NoticeKind::ConfirmHelp, player_id, now).with_link(link.id);
            notices::add(database, &help).await?;
        }
        self.settle_confirmation(&row, Verdict::NothingAsked, Telling::Never).await
    }

    /// Confirms the address of a link; false if the link is of no use any more.
    async fn is_confirmed(&self, link: &ConfirmingLink) -> Result<bool, ReplyError> {
        match self.accounts().confirm_by_mail(link.id).await {
            Ok(()) => Ok(true),
            Err(AccountError::LinkInvalid | AccountError::EmailTaken) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    async fn settle_confirmation(
        &self,
        row: &ReplyRow,
        verdict: Verdict,
        telling: Telling,
    ) -> Result<ReceiveOutcome, ReplyError> {
        self.figures().decided(&verdict);
        let (used, refused) = (verdict == Verdict::Confirmed, verdict.is_refusal());
        let answer = serde_json::to_string(&Answer::new(verdict))?;
        let settlement =
            Settlement { row, answer: &answer, used, refused, telling, message: None, now: self.now() };
        let settled = replies::settle(self.database(), &settlement).await?;
        self.notify();
        Ok(if settled { ReceiveOutcome::Taken } else { ReceiveOutcome::Repeated })
    }
}

fn row_of(
    answered: &Answered,
    notice_id: Uuid,
    mail: &Mail,
    now: time::OffsetDateTime,
) -> Result<ReplyRow, ReplyError> {
    Ok(ReplyRow {
        id: Uuid::now_v7(),
        notice_id,
        mail_key: mail.key.to_vec(),
        player_id: answered.player_id,
        game_id: None,
        seq: Seq::START,
        asked: String::new(),
        answer: serde_json::to_string(&Answer::new(Verdict::Unknown))?,
        received_at: now,
        settled_at: None,
        used: false,
        text_key: sha256(mail.text.as_bytes()).to_vec(),
        refused: false,
        deferred: false,
        told_with: None,
        foreign_sender: false,
    })
}
