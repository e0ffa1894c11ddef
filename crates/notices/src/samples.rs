//! Claimed notices for tests, with fictional people.

use time::macros::datetime;
use uuid::{Uuid, uuid};

use pippost_store::notices::{ClaimedNotice, NoticeKind, RecipientPreferences};

pub const ID: Uuid = uuid!("019a9f00-0000-7000-8000-00000000000b");
pub const GAME: Uuid = uuid!("019a9f00-0000-7000-8000-00000000000a");
pub const PLAYER: Uuid = uuid!("019a9f00-0000-7000-8000-00000000000c");
pub const OTHER: Uuid = uuid!("019a9f00-0000-7000-8000-00000000000d");
pub const LINK: Uuid = uuid!("019a9f00-0000-7000-8000-00000000000e");

/// It is alice's turn; she has confirmed her address and wants mails.
pub fn turn() -> ClaimedNotice {
    ClaimedNotice {
        id: ID,
        kind: NoticeKind::Turn,
        attempts: 1,
        player_id: Some(PLAYER),
        address: None,
        game_id: Some(GAME),
        seq: Some(7.into()),
        from_player_id: None,
        urgent: false,
        created_at: datetime!(2026-11-21 11:55 UTC),
        handle: Some("alice".to_owned()),
        email: Some("alice@example.org".to_owned()),
        email_confirmed: true,
        mail_enabled: true,
        preferences: RecipientPreferences {
            language: "en".to_owned(),
            zone: "UTC".to_owned(),
            turns: pippost_accounts::TurnMails::Each,
            reminders: true,
            games: true,
            invitations: true,
            messages: true,
            digest_games: false,
            digest_invitations: false,
            quiet_from: None,
            quiet_until: None,
        },
        thread_root: None,
        declined: false,
        link_id: None,
        link_email: None,
        link_expires_at: None,
        link_used: false,
        holder: None,
        oldest_slot: 0,
    }
}

/// A person without an account is invited.
pub fn invitation() -> ClaimedNotice {
    ClaimedNotice {
        kind: NoticeKind::Invitation,
        player_id: None,
        address: Some("carol@example.net".to_owned()),
        seq: None,
        from_player_id: Some(OTHER),
        handle: None,
        email: None,
        email_confirmed: false,
        mail_enabled: false,
        ..turn()
    }
}

/// alice is asked to confirm an address within a day.
pub fn confirmation() -> ClaimedNotice {
    ClaimedNotice {
        kind: NoticeKind::ConfirmEmail,
        game_id: None,
        seq: None,
        email_confirmed: false,
        link_id: Some(LINK),
        link_email: Some("alice@new.example.org".to_owned()),
        link_expires_at: Some(datetime!(2026-11-22 12:00 UTC)),
        ..turn()
    }
}
