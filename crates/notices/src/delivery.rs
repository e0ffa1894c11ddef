//! Decides whether a claimed notice is sent, to whom, and about what.

use time::OffsetDateTime;
use uuid::Uuid;

use pippost_accounts::TurnMails;
use pippost_accounts::preferences::quiet_hours;
use pippost_clock::Zone;
use pippost_language::Language;
use pippost_store::Seq;
use pippost_store::notices::{AddressHolder, ClaimedNotice, MailKind, NoticeKind};

/// Why a notice is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotSent {
    #[error("the account is gone")]
    NoAccount,
    #[error("mails are switched off")]
    SwitchedOff,
    #[error("mails of this kind are switched off")]
    KindSwitchedOff,
    #[error("it goes into the daily digest")]
    InDigest,
    #[error("told before, and the player has not come back since")]
    ToldBefore,
    #[error("the address wants no invitations")]
    Declined,
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

/// The decision about a claimed notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    Send(Delivery),
    Drop(NotSent),
    /// Wait until this time, the end of quiet hours.
    Wait(OffsetDateTime),
    /// The next digest tells it.
    Collect,
}

/// The reader's language and time zone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reader {
    pub language: Language,
    pub zone: Zone,
}

/// The recipient of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addressee {
    pub address: String,
    /// `None` for somebody without an account.
    pub handle: Option<String>,
    pub reader: Reader,
}

/// The subject of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    Game {
        kind: NoticeKind,
        game_id: Uuid,
        player_id: Uuid,
        seq: Seq,
    },
    Digest {
        player_id: Uuid,
        digest_id: Uuid,
    },
    Invitation {
        game_id: Uuid,
        from_player_id: Uuid,
    },
    /// How to join by an invitation, for somebody without an account who answered it.
    InvitationAnswered {
        game_id: Uuid,
        from_player_id: Uuid,
    },
    Account {
        kind: NoticeKind,
        link_id: Uuid,
        expires_at: OffsetDateTime,
    },
    /// Somebody else entered the address of the account `player_id`.
    AddressInUse {
        player_id: Uuid,
        /// The unique form of the address.
        email_key: String,
        /// The id of the link in the mail.
        link_id: Uuid,
    },
    /// A game that was cancelled because it had not started in time.
    ExpiredGame {
        game_id: Uuid,
        player_id: Uuid,
    },
    /// An answer to a player's mail.
    Answer {
        reply_id: Uuid,
    },
    /// A hint for a player whose mail answered none of the server's.
    HowToMove {
        player_id: Uuid,
    },
    /// What an operator did about a player.
    Moderation {
        act_id: Uuid,
    },
    /// A challenge on a ladder; the notice finds it.
    Challenge {
        notice_id: Uuid,
    },
    /// A club; the notice finds what is told of it.
    Club {
        notice_id: Uuid,
        player_id: Uuid,
    },
    /// A webhook that failed for too long; the notice finds it.
    WebhookDisabled {
        notice_id: Uuid,
    },
}

/// A claimed notice that is to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    pub to: Addressee,
    pub about: Subject,
    /// The kind that the mail's unsubscribe link switches off; `None` for mails that cannot be switched off.
    pub kind: Option<MailKind>,
    /// The player wants one mail until the next visit: send this one only if none has been sent.
    pub once: bool,
    /// The player wants it in the daily digest.
    pub in_digest: bool,
}

impl Delivery {
    /// The delivery of a claimed notice at `now`.
    ///
    /// # Errors
    /// It is not to be sent.
    pub fn of(notice: &ClaimedNotice, now: OffsetDateTime) -> Result<Self, NotSent> {
        let preferences = &notice.preferences;
        let kind = notice.kind.mails();
        let wanted = match kind {
            Some(MailKind::Turns) => match preferences.turns {
                TurnMails::Digest => return Err(NotSent::InDigest),
                turns => turns != TurnMails::None,
            },
            Some(MailKind::Reminders) => preferences.reminders,
            Some(MailKind::Games) => preferences.games,
            Some(MailKind::Invitations) => preferences.invitations,
            Some(MailKind::Messages) => preferences.messages,
            Some(MailKind::Digest) | None => true,
        };
        if !wanted && notice.handle.is_some() {
            return Err(NotSent::KindSwitchedOff);
        }
        let (to, about) = match notice.kind {
            NoticeKind::GameExpired => expired_game(notice),
            NoticeKind::Digest => digest(notice),
            NoticeKind::Invitation => invitation(notice),
            NoticeKind::InvitationAnswered => invitation(notice).map(|(to, about)| match about {
                Subject::Invitation { game_id, from_player_id } => {
                    (to, Subject::InvitationAnswered { game_id, from_player_id })
                }
                about => (to, about),
            }),
            NoticeKind::ConfirmEmail => match &notice.holder {
                Some(holder) => address_in_use(notice, holder, now),
                None => about_account(notice, now),
            },
            NoticeKind::AddressChanged | NoticeKind::ConfirmHelp | NoticeKind::ResetPassword => {
                about_account(notice, now)
            }
            NoticeKind::Answer => answer(notice),
            NoticeKind::HowToMove => how_to_move(notice),
            NoticeKind::Moderation => moderation(notice),
            NoticeKind::Challenge => {
                willing_player(notice).map(|to| (to, Subject::Challenge { notice_id: notice.id }))
            }
            NoticeKind::Club => club(notice),
            NoticeKind::WebhookDisabled => {
                let about = Subject::WebhookDisabled { notice_id: notice.id };
                willing_player(notice).map(|to| (to, about))
            }
            _ => about_game(notice),
        }?;
        let once = notice.kind == NoticeKind::Turn && preferences.turns == TurnMails::Once;
        let in_digest = match kind {
            Some(MailKind::Games) => preferences.digest_games,
            Some(MailKind::Invitations) => preferences.digest_invitations && notice.handle.is_some(),
            Some(MailKind::Turns | MailKind::Reminders | MailKind::Messages | MailKind::Digest) | None => {
                false
            }
        };
        Ok(Self { to, about, kind, once, in_digest })
    }
}

impl Decision {
    /// The decision about a claimed notice at `now`. Mails that can be switched off wait until the player's quiet hours are over,
    /// unless they are urgent.
    #[must_use]
    pub fn of(notice: &ClaimedNotice, now: OffsetDateTime) -> Self {
        match Delivery::of(notice, now) {
            Err(not_sent) => Self::Drop(not_sent),
            Ok(delivery) if delivery.in_digest => Self::Collect,
            Ok(delivery) => {
                let quiet = quiet_hours(notice.preferences.quiet_from, notice.preferences.quiet_until);
                let quiet = quiet.filter(|_| delivery.kind.is_some() && !notice.urgent);
                match quiet.and_then(|quiet| delivery.to.reader.zone.quiet_until(quiet, now)) {
                    Some(until) => Self::Wait(until),
                    None => Self::Send(delivery),
                }
            }
        }
    }
}

fn reader(notice: &ClaimedNotice) -> Reader {
    reader_of(&notice.preferences.language, &notice.preferences.zone)
}

fn reader_of(language: &str, zone: &str) -> Reader {
    Reader {
        language: Language::of_tag(language).unwrap_or_default(),
        zone: Zone::named(zone).unwrap_or_default(),
    }
}

/// Replaces a link that would confirm an address of another account by a mail to that account's owner. The requester cannot tell
/// the difference.
fn address_in_use(
    notice: &ClaimedNotice,
    holder: &AddressHolder,
    now: OffsetDateTime,
) -> Result<(Addressee, Subject), NotSent> {
    // Applies only if the link itself would have been sent.
    about_account(notice, now)?;
    let to = Addressee {
        address: holder.email.clone(),
        handle: Some(holder.handle.clone()),
        reader: reader_of(&holder.language, &holder.zone),
    };
    let (player_id, email_key) = (holder.player_id, holder.email_key.clone());
    Ok((to, Subject::AddressInUse { player_id, email_key, link_id: notice.id }))
}

fn digest(notice: &ClaimedNotice) -> Result<(Addressee, Subject), NotSent> {
    let player_id = notice.player_id.ok_or(NotSent::Incomplete)?;
    Ok((willing_player(notice)?, Subject::Digest { player_id, digest_id: notice.id }))
}

fn about_game(notice: &ClaimedNotice) -> Result<(Addressee, Subject), NotSent> {
    let (Some(game_id), Some(player_id), Some(seq)) = (notice.game_id, notice.player_id, notice.seq) else {
        return Err(NotSent::Incomplete);
    };
    let about = Subject::Game { kind: notice.kind, game_id, player_id, seq };
    Ok((willing_player(notice)?, about))
}

fn expired_game(notice: &ClaimedNotice) -> Result<(Addressee, Subject), NotSent> {
    let (Some(game_id), Some(player_id)) = (notice.game_id, notice.player_id) else {
        return Err(NotSent::Incomplete);
    };
    Ok((willing_player(notice)?, Subject::ExpiredGame { game_id, player_id }))
}

/// A player's mail is always answered, even if the player has switched mails off. The answer goes to the player's own address.
fn answer(notice: &ClaimedNotice) -> Result<(Addressee, Subject), NotSent> {
    let asked = ClaimedNotice { mail_enabled: true, ..notice.clone() };
    Ok((willing_player(&asked)?, Subject::Answer { reply_id: notice.id }))
}

/// The same for a mail that belongs to no game.
fn how_to_move(notice: &ClaimedNotice) -> Result<(Addressee, Subject), NotSent> {
    let player_id = notice.player_id.ok_or(NotSent::Incomplete)?;
    let asked = ClaimedNotice { mail_enabled: true, ..notice.clone() };
    Ok((willing_player(&asked)?, Subject::HowToMove { player_id }))
}

/// What an operator did is told whatever mails the player wants. The notice has the id of the act.
fn moderation(notice: &ClaimedNotice) -> Result<(Addressee, Subject), NotSent> {
    let told = ClaimedNotice { mail_enabled: true, ..notice.clone() };
    Ok((willing_player(&told)?, Subject::Moderation { act_id: notice.id }))
}

fn club(notice: &ClaimedNotice) -> Result<(Addressee, Subject), NotSent> {
    let player_id = notice.player_id.ok_or(NotSent::Incomplete)?;
    Ok((willing_player(notice)?, Subject::Club { notice_id: notice.id, player_id }))
}

fn invitation(notice: &ClaimedNotice) -> Result<(Addressee, Subject), NotSent> {
    let (Some(game_id), Some(from_player_id)) = (notice.game_id, notice.from_player_id) else {
        return Err(NotSent::Incomplete);
    };
    let to = match &notice.address {
        Some(_) if notice.declined => return Err(NotSent::Declined),
        Some(address) => Addressee { address: address.clone(), handle: None, reader: Reader::default() },
        None => willing_player(notice)?,
    };
    Ok((to, Subject::Invitation { game_id, from_player_id }))
}

/// The player, if the address is confirmed and mails are switched on.
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
    Ok(Addressee { address: email.clone(), handle: Some(handle.clone()), reader: reader(notice) })
}

/// Mails about the account go to the address of the link, whatever the player's preferences are.
fn about_account(notice: &ClaimedNotice, now: OffsetDateTime) -> Result<(Addressee, Subject), NotSent> {
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
    let to = Addressee { address: email.clone(), handle: Some(handle.clone()), reader: reader(notice) };
    Ok((to, Subject::Account { kind: notice.kind, link_id, expires_at }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{self, GAME, LINK, OTHER, PLAYER};
    use pippost_store::notices::RecipientPreferences;
    use time::macros::datetime;

    const NOW: OffsetDateTime = datetime!(2026-11-21 12:00 UTC);

    fn refusal(notice: &ClaimedNotice) -> NotSent {
        Delivery::of(notice, NOW).expect_err("not to be sent")
    }

    #[test]
    fn a_game_mail_goes_to_the_confirmed_address_of_a_player_who_wants_mails() {
        let delivery = Delivery::of(&samples::turn(), NOW).expect("a delivery");
        assert_eq!(delivery.to.address, "alice@example.org");
        let kind = NoticeKind::Turn;
        assert_eq!(delivery.about, Subject::Game { kind, game_id: GAME, player_id: PLAYER, seq: 7.into() });

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
        let delivery = Delivery::of(&asked, NOW).expect("a delivery");
        assert_eq!(delivery.to.address, "alice@example.org");
        assert_eq!(delivery.about, Subject::Answer { reply_id: samples::ID });
        assert_eq!(refusal(&ClaimedNotice { email_confirmed: false, ..asked }), NotSent::NotConfirmed);
    }

    #[test]
    fn an_invitation_goes_to_an_address_or_to_a_player_who_wants_mails() {
        let delivery = Delivery::of(&samples::invitation(), NOW).expect("a delivery");
        let carol = "carol@example.net".to_owned();
        assert_eq!(delivery.to, Addressee { address: carol, handle: None, reader: Reader::default() });
        assert_eq!(delivery.about, Subject::Invitation { game_id: GAME, from_player_id: OTHER });

        let kind = NoticeKind::Invitation;
        let player = ClaimedNotice { kind, from_player_id: Some(OTHER), ..samples::turn() };
        assert_eq!(Delivery::of(&player, NOW).expect("a delivery").to.address, "alice@example.org");
        let off = ClaimedNotice { mail_enabled: false, ..player };
        assert_eq!(refusal(&off), NotSent::SwitchedOff);
    }

    fn preferring(kind: NoticeKind, change: impl FnOnce(&mut RecipientPreferences)) -> ClaimedNotice {
        let from_player_id = Some(OTHER);
        let mut notice = ClaimedNotice { kind, from_player_id, ..samples::turn() };
        change(&mut notice.preferences);
        notice
    }

    #[test]
    fn each_kind_can_be_switched_off_and_the_others_still_come() {
        type Switch = fn(&mut RecipientPreferences);
        let switches: [(NoticeKind, Switch); 8] = [
            (NoticeKind::Turn, |preferences| preferences.turns = TurnMails::None),
            (NoticeKind::Reminder, |preferences| preferences.reminders = false),
            (NoticeKind::GameStarted, |preferences| preferences.games = false),
            (NoticeKind::GameOver, |preferences| preferences.games = false),
            (NoticeKind::GameExpired, |preferences| preferences.games = false),
            (NoticeKind::Invitation, |preferences| preferences.invitations = false),
            (NoticeKind::Challenge, |preferences| preferences.invitations = false),
            (NoticeKind::Club, |preferences| preferences.invitations = false),
        ];
        for (kind, switch) in switches {
            assert_eq!(refusal(&preferring(kind, switch)), NotSent::KindSwitchedOff, "{kind:?}");
            for (other, _) in switches.iter().filter(|(other, _)| other.mails() != kind.mails()) {
                assert!(Delivery::of(&preferring(*other, switch), NOW).is_ok(), "{other:?} without {kind:?}");
            }
        }
    }

    #[test]
    fn a_turn_waits_for_the_digest_or_asks_whether_the_player_was_told() {
        let digest = preferring(NoticeKind::Turn, |preferences| preferences.turns = TurnMails::Digest);
        assert_eq!(refusal(&digest), NotSent::InDigest);
        let once = preferring(NoticeKind::Turn, |preferences| preferences.turns = TurnMails::Once);
        assert!(Delivery::of(&once, NOW).expect("a delivery").once);
        let reminder = preferring(NoticeKind::Reminder, |preferences| preferences.turns = TurnMails::Once);
        assert!(!Delivery::of(&reminder, NOW).expect("a delivery").once, "reminders are set separately");
    }

    #[test]
    fn what_can_be_switched_off_waits_for_the_end_of_the_quiet_hours() {
        let noon_in_berlin = |preferences: &mut RecipientPreferences| {
            preferences.zone = "Europe/Berlin".to_owned();
            (preferences.quiet_from, preferences.quiet_until) = (Some(13 * 60), Some(14 * 60 + 30));
        };
        let until = datetime!(2026-11-21 13:30 UTC);
        for kind in [
            NoticeKind::Turn,
            NoticeKind::Reminder,
            NoticeKind::GameOver,
            NoticeKind::GameExpired,
            NoticeKind::Digest,
        ] {
            let quiet = preferring(kind, noon_in_berlin);
            assert_eq!(Decision::of(&quiet, NOW), Decision::Wait(until), "{kind:?}");
            assert!(matches!(Decision::of(&quiet, until), Decision::Send(_)), "{kind:?}");
        }
        let mut urgent = preferring(NoticeKind::Reminder, noon_in_berlin);
        urgent.urgent = true;
        assert!(matches!(Decision::of(&urgent, NOW), Decision::Send(_)));
        let mut reset = samples::confirmation();
        noon_in_berlin(&mut reset.preferences);
        assert!(matches!(Decision::of(&reset, NOW), Decision::Send(_)), "the player waits for this one");
    }

    #[test]
    fn an_address_that_wants_no_invitations_gets_none() {
        let declined = ClaimedNotice { declined: true, ..samples::invitation() };
        assert_eq!(refusal(&declined), NotSent::Declined);
    }

    #[test]
    fn a_link_goes_to_its_own_address_whatever_the_player_prefers() {
        for kind in [NoticeKind::ConfirmEmail, NoticeKind::ResetPassword, NoticeKind::AddressChanged] {
            let notice = ClaimedNotice { kind, mail_enabled: false, ..samples::confirmation() };
            let delivery = Delivery::of(&notice, NOW).expect("a delivery");
            assert_eq!(delivery.to.address, "alice@new.example.org");
            let expires_at = datetime!(2026-11-22 12:00 UTC);
            assert_eq!(delivery.about, Subject::Account { kind, link_id: LINK, expires_at });
        }
    }

    #[test]
    fn the_owner_of_an_address_that_somebody_else_gave_hears_of_it_instead_of_a_link_going_out() {
        let holder = AddressHolder {
            player_id: OTHER,
            handle: "bob".to_owned(),
            email: "Alice@new.example.org".to_owned(),
            email_key: "alice@new.example.org".to_owned(),
            language: "de".to_owned(),
            zone: "Europe/Berlin".to_owned(),
        };
        let claimed = ClaimedNotice { holder: Some(holder), ..samples::confirmation() };
        let delivery = Delivery::of(&claimed, NOW).expect("a delivery");
        assert_eq!(delivery.to.address, "Alice@new.example.org");
        assert_eq!(delivery.to.handle.as_deref(), Some("bob"), "nothing of the one who asked");
        assert_eq!(delivery.to.reader.language, Language::GERMAN);
        let email_key = "alice@new.example.org".to_owned();
        assert_eq!(
            delivery.about,
            Subject::AddressInUse { player_id: OTHER, email_key, link_id: samples::ID }
        );
        let used = ClaimedNotice { link_used: true, ..claimed };
        assert_eq!(refusal(&used), NotSent::LinkUsed);
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
