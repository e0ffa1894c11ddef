//! Whether a notice is sent at all, where to, and what has to be asked for it.

use time::OffsetDateTime;
use uuid::Uuid;

use super::letter::{AccountLetterKind, GameLetterKind};
use crate::store::notices::{ClaimedNotice, NoticeKind};

/// Why a notice is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotSent {
    #[error("the account is gone")]
    NoAccount,
    #[error("mails are switched off")]
    SwitchedOff,
    #[error("the address is not confirmed")]
    NotConfirmed,
    #[error("the link is gone")]
    NoLink,
    #[error("the link has been used, or replaced")]
    LinkUsed,
    #[error("the link has expired")]
    LinkExpired,
    #[error("overtaken by events")]
    Overtaken,
    #[error("the notice is incomplete")]
    Incomplete,
}

/// Whom a mail goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addressee {
    pub address: String,
    /// `None` for somebody without an account.
    pub handle: Option<String>,
}

/// What to write about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    Game {
        kind: GameLetterKind,
        game_id: Uuid,
        player_id: Uuid,
        seq: i64,
    },
    Invitation {
        game_id: Uuid,
        from_player_id: Uuid,
    },
    Account {
        kind: AccountLetterKind,
        link_id: Uuid,
        expires_at: OffsetDateTime,
    },
    /// The mail that is answered.
    Answer {
        reply_id: Uuid,
    },
}

/// A claimed notice that is to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errand {
    pub to: Addressee,
    pub about: Subject,
}

impl Errand {
    /// What a claimed notice asks for at `now`.
    ///
    /// # Errors
    /// It is not to be sent.
    pub fn of(notice: &ClaimedNotice, now: OffsetDateTime) -> Result<Self, NotSent> {
        match notice.kind {
            NoticeKind::Turn => about_game(notice, GameLetterKind::Turn),
            NoticeKind::Reminder => about_game(notice, GameLetterKind::Reminder),
            NoticeKind::GameStarted => about_game(notice, GameLetterKind::Started),
            NoticeKind::GameOver => about_game(notice, GameLetterKind::Over),
            NoticeKind::Invitation => invitation(notice),
            NoticeKind::ConfirmEmail => about_account(notice, AccountLetterKind::ConfirmEmail, now),
            NoticeKind::ResetPassword => about_account(notice, AccountLetterKind::ResetPassword, now),
            NoticeKind::Answer => answer(notice),
        }
    }
}

fn about_game(notice: &ClaimedNotice, kind: GameLetterKind) -> Result<Errand, NotSent> {
    let (Some(game_id), Some(player_id), Some(seq)) = (notice.game_id, notice.player_id, notice.seq) else {
        return Err(NotSent::Incomplete);
    };
    let about = Subject::Game { kind, game_id, player_id, seq };
    Ok(Errand { to: willing_player(notice)?, about })
}

/// Who asks by mail is answered by mail, also where the wish is for no mails. The answer goes to the player's own address.
fn answer(notice: &ClaimedNotice) -> Result<Errand, NotSent> {
    let asked = ClaimedNotice { mail_enabled: true, ..notice.clone() };
    Ok(Errand { to: willing_player(&asked)?, about: Subject::Answer { reply_id: notice.id } })
}

fn invitation(notice: &ClaimedNotice) -> Result<Errand, NotSent> {
    let (Some(game_id), Some(from_player_id)) = (notice.game_id, notice.from_player_id) else {
        return Err(NotSent::Incomplete);
    };
    let to = match &notice.address {
        Some(address) => Addressee { address: address.clone(), handle: None },
        None => willing_player(notice)?,
    };
    Ok(Errand { to, about: Subject::Invitation { game_id, from_player_id } })
}

/// The player, who has confirmed the address and wants mails.
fn willing_player(notice: &ClaimedNotice) -> Result<Addressee, NotSent> {
    let (Some(handle), Some(email)) = (&notice.handle, &notice.email) else {
        return Err(NotSent::NoAccount);
    };
    if !notice.mail_enabled {
        return Err(NotSent::SwitchedOff);
    }
    if !notice.email_confirmed {
        return Err(NotSent::NotConfirmed);
    }
    Ok(Addressee { address: email.clone(), handle: Some(handle.clone()) })
}

/// Mails about the account itself go to the link's address, whatever the player's wishes are.
fn about_account(
    notice: &ClaimedNotice,
    kind: AccountLetterKind,
    now: OffsetDateTime,
) -> Result<Errand, NotSent> {
    let Some(handle) = &notice.handle else { return Err(NotSent::NoAccount) };
    let (Some(link_id), Some(email), Some(expires_at)) =
        (notice.link_id, &notice.link_email, notice.link_expires_at)
    else {
        return Err(NotSent::NoLink);
    };
    if notice.link_used {
        return Err(NotSent::LinkUsed);
    }
    if expires_at <= now {
        return Err(NotSent::LinkExpired);
    }
    let to = Addressee { address: email.clone(), handle: Some(handle.clone()) };
    Ok(Errand { to, about: Subject::Account { kind, link_id, expires_at } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notices::samples::{self, GAME, LINK, OTHER, PLAYER};
    use time::macros::datetime;

    const NOW: OffsetDateTime = datetime!(2026-11-21 12:00 UTC);

    fn refusal(notice: &ClaimedNotice) -> NotSent {
        Errand::of(notice, NOW).expect_err("not to be sent")
    }

    #[test]
    fn a_game_mail_goes_to_the_confirmed_address_of_a_player_who_wants_mails() {
        let errand = Errand::of(&samples::turn(), NOW).expect("an errand");
        assert_eq!(errand.to.address, "alice@example.org");
        let kind = GameLetterKind::Turn;
        assert_eq!(errand.about, Subject::Game { kind, game_id: GAME, player_id: PLAYER, seq: 7 });

        let off = ClaimedNotice { mail_enabled: false, ..samples::turn() };
        assert_eq!(refusal(&off), NotSent::SwitchedOff);
        let unconfirmed = ClaimedNotice { email_confirmed: false, ..samples::turn() };
        assert_eq!(refusal(&unconfirmed), NotSent::NotConfirmed);
        let gone = ClaimedNotice { handle: None, email: None, ..samples::turn() };
        assert_eq!(refusal(&gone), NotSent::NoAccount);
        let of_no_event = ClaimedNotice { seq: None, ..samples::turn() };
        assert_eq!(refusal(&of_no_event), NotSent::Incomplete);
    }

    #[test]
    fn an_answer_goes_to_the_confirmed_address_of_whoever_asked() {
        let asked = ClaimedNotice { kind: NoticeKind::Answer, mail_enabled: false, ..samples::turn() };
        let errand = Errand::of(&asked, NOW).expect("an errand");
        assert_eq!(errand.to.address, "alice@example.org");
        assert_eq!(errand.about, Subject::Answer { reply_id: samples::ID });
        assert_eq!(refusal(&ClaimedNotice { email_confirmed: false, ..asked }), NotSent::NotConfirmed);
    }

    #[test]
    fn an_invitation_goes_to_an_address_or_to_a_player_who_wants_mails() {
        let errand = Errand::of(&samples::invitation(), NOW).expect("an errand");
        assert_eq!(errand.to, Addressee { address: "carol@example.net".to_owned(), handle: None });
        assert_eq!(errand.about, Subject::Invitation { game_id: GAME, from_player_id: OTHER });

        let kind = NoticeKind::Invitation;
        let player = ClaimedNotice { kind, from_player_id: Some(OTHER), ..samples::turn() };
        assert_eq!(Errand::of(&player, NOW).expect("an errand").to.address, "alice@example.org");
        let off = ClaimedNotice { mail_enabled: false, ..player };
        assert_eq!(refusal(&off), NotSent::SwitchedOff);
    }

    #[test]
    fn a_link_goes_to_its_own_address_whatever_the_player_wishes() {
        for (kind, letter) in [
            (NoticeKind::ConfirmEmail, AccountLetterKind::ConfirmEmail),
            (NoticeKind::ResetPassword, AccountLetterKind::ResetPassword),
        ] {
            let notice = ClaimedNotice { kind, mail_enabled: false, ..samples::confirmation() };
            let errand = Errand::of(&notice, NOW).expect("an errand");
            assert_eq!(errand.to.address, "alice@new.example.org");
            let expires_at = datetime!(2026-11-22 12:00 UTC);
            assert_eq!(errand.about, Subject::Account { kind: letter, link_id: LINK, expires_at });
        }
    }

    #[test]
    fn a_link_that_is_of_no_use_any_more_is_not_sent() {
        let used = ClaimedNotice { link_used: true, ..samples::confirmation() };
        assert_eq!(refusal(&used), NotSent::LinkUsed);
        let expired = ClaimedNotice { link_expires_at: Some(NOW), ..samples::confirmation() };
        assert_eq!(refusal(&expired), NotSent::LinkExpired);
        let gone = ClaimedNotice { link_id: None, link_email: None, ..samples::confirmation() };
        assert_eq!(refusal(&gone), NotSent::NoLink);
    }
}
