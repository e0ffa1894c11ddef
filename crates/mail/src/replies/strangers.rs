//! Answers to invitations of people who have no account: the first tells them how to join, or ends invitations to their address.

use std::sync::Arc;

use uuid::Uuid;

use super::message::{Head, Mail};
use super::orders::{Orders, Writer};
use super::receiving::{Incoming, ReceiveOutcome, Replies};
use super::{REPLY_LIFETIME, ReplyError};
use pippost_accounts::{SwitchOff, ascii_key, mailbox_key};
use pippost_games::letters::notation::LineReading;
use pippost_notices::{NewNotice, NoticeKind};
use pippost_store::invitations::{self, Invited};
use pippost_store::notices::MailKind;

impl Replies {
    /// Handles the answer to the invitation of a notice. `None`: it was no invitation to an address.
    pub(super) async fn answer_of_stranger(
        &self,
        (incoming, head): (&Incoming<'_>, &Head),
        notice_id: Uuid,
    ) -> Result<Option<ReceiveOutcome>, ReplyError> {
        let Some(invited) = invitations::invited(self.database(), notice_id).await? else { return Ok(None) };
        if head.from.address().map(ascii_key) != Some(ascii_key(&invited.address)) {
            return Ok(Some(ReceiveOutcome::Ignored("from another address")));
        }
        let mailbox = mailbox_key(&invited.address);
        let is_late = invited.invited_at + REPLY_LIFETIME <= self.now();
        if is_late
            || self.refuses(head)
            || invitations::is_answered(self.database(), &mailbox, invited.game_id).await?
        {
            return Ok(Some(ReceiveOutcome::Ignored("answered before, or too old")));
        }
        let Some(mail) = self.read_whole(incoming).await else { return Ok(Some(ReceiveOutcome::Unreadable)) };
        let Some(orders) = self.words_of_stranger(mail).await else {
            return Ok(Some(ReceiveOutcome::Unreadable));
        };
        self.note_answer(&invited, &mailbox, &orders, notice_id).await.map(Some)
    }

    async fn note_answer(
        &self,
        invited: &Invited,
        mailbox: &str,
        orders: &Orders,
        notice_id: Uuid,
    ) -> Result<ReceiveOutcome, ReplyError> {
        let now = self.now();
        let says_no = orders.answer.or(orders.begins_with_answer) == Some(false);
        let telling = (!says_no && !orders.unsubscribes).then(|| NewNotice {
            kind: NoticeKind::InvitationAnswered,
            ..NewNotice::invitation_to_address(
                invited.address.clone(),
                invited.game_id,
                invited.from_player_id,
                now,
            )
        });
        let is_first = invitations::answer(self.database(), invited, mailbox, telling.as_ref(), now).await?;
        if orders.unsubscribes {
            let kind = MailKind::Invitations;
            let all =
                SwitchOff { notice_id, kind, player_id: None, inviter_id: Some(invited.from_player_id) };
            self.accounts().switch_off(all).await?;
        }
        self.notify();
        Ok(if is_first { ReceiveOutcome::Taken } else { ReceiveOutcome::Repeated })
    }

    /// What the mail says, in which no move can be.
    pub(super) async fn words_of_stranger(&self, mail: Mail) -> Option<Orders> {
        let mail = Arc::new(mail);
        let replies = self.clone();
        self.read_apart(move || {
            let no_game = |_: &str| LineReading::Other;
            let (name, address) = (mail.writer_name(), mail.from.address());
            let writer = Writer { ours: replies.ours(), name, address, handle: "" };
            Orders::read(&mail.text, writer, &no_game)
        })
        .await
    }
}
