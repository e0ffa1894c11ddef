//! Notification preferences: language, times, and kinds of mails.

mod table;

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{AccountError, Accounts, mailbox_key};
use pippost_keys::secret::Purpose;
use pippost_store::digests::Digested;
use pippost_store::notices::{self, MailKind};
use pippost_store::preferences::{self, Forget, PreferencesRow};

pub use pippost_store::preferences::{GamePreferences, TurnMails};
pub use table::{
    ALL, Group, Kind, Lens, NotificationPreferences, Preference, PreferencesChange, quiet_hours,
};

/// What an unsubscribe link switches off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchOff {
    /// The notice that the mail was about.
    pub notice_id: Uuid,
    pub kind: MailKind,
    /// `None` if the mail went to an address without a player.
    pub player_id: Option<Uuid>,
    /// Who invites, if the mail is an invitation.
    pub inviter_id: Option<Uuid>,
}

impl Accounts {
    /// What the link with this token switches off; `None` if the token is invalid.
    ///
    /// # Errors
    /// The database failed.
    pub async fn switch_off_link(&self, token: &str) -> Result<Option<SwitchOff>, AccountError> {
        let Some(notice_id) = self.0.secret.read_link_token(Purpose::Unsubscribe, token) else {
            return Ok(None);
        };
        let about = notices::about(&self.0.database, notice_id).await?;
        Ok(about.and_then(|about| {
            let kind = about.kind.mails()?;
            let inviter_id = about.from_player_id.filter(|_| kind == MailKind::Invitations);
            Some(SwitchOff { notice_id, kind, player_id: about.player_id, inviter_id })
        }))
    }

    /// A player's preferences; the defaults if none are stored.
    ///
    /// # Errors
    /// The database failed.
    pub async fn preferences(&self, player_id: Uuid) -> Result<NotificationPreferences, AccountError> {
        let row = preferences::of_player(&self.0.database, player_id).await?;
        Ok(row.map(NotificationPreferences::of_row).unwrap_or_default())
    }

    /// Changes a player's preferences and returns all of them.
    ///
    /// # Errors
    /// The database failed.
    pub async fn change_preferences(
        &self,
        player_id: Uuid,
        change: PreferencesChange,
    ) -> Result<NotificationPreferences, AccountError> {
        let now = self.0.clock.now();
        let changed = preferences::change(&self.0.database, player_id, move |row, digested| {
            let mut preferences = row.map(NotificationPreferences::of_row).unwrap_or_default();
            preferences.apply(change);
            (preferences.planned_row(player_id, digested, now), preferences)
        });
        Ok(changed.await?)
    }

    /// A player's preferences for one game.
    ///
    /// # Errors
    /// The database failed.
    pub async fn game_preferences(
        &self,
        player_id: Uuid,
        game_id: Uuid,
    ) -> Result<GamePreferences, AccountError> {
        Ok(preferences::of_game(&self.0.database, player_id, game_id).await?.unwrap_or_default())
    }

    /// Sets a player's preferences for one game, which must exist.
    ///
    /// # Errors
    /// The database failed.
    pub async fn set_game_preferences(
        &self,
        player_id: Uuid,
        game_id: Uuid,
        wanted: &GamePreferences,
    ) -> Result<(), AccountError> {
        let planned = planned(player_id, self.0.clock.now(), |_| {});
        Ok(preferences::set_of_game(&self.0.database, (player_id, game_id), wanted, planned).await?)
    }

    /// Switches a kind of mail off: for a player in all games; for an address without a player, invitations.
    ///
    /// # Errors
    /// The database failed.
    pub async fn switch_off(&self, about: SwitchOff) -> Result<(), AccountError> {
        let (now, database) = (self.0.clock.now(), &self.0.database);
        let Some(player_id) = about.player_id else {
            let notice = notices::about(database, about.notice_id).await?;
            let Some(address) = notice.and_then(|notice| notice.address) else { return Ok(()) };
            return Ok(preferences::decline(database, about.notice_id, &mailbox_key(&address), now).await?);
        };
        let kind = about.kind;
        let forget = match kind {
            MailKind::Turns => Forget::Turns,
            MailKind::Digest => Forget::Digests,
            MailKind::Reminders => Forget::Reminders,
            MailKind::Messages => Forget::Messages,
            MailKind::Games | MailKind::Invitations => Forget::Nothing,
        };
        let change = planned(player_id, now, move |preferences| match kind {
            MailKind::Turns => preferences.turns = TurnMails::None,
            MailKind::Digest => preferences.end_digest(),
            MailKind::Reminders => preferences.reminders = false,
            MailKind::Games => preferences.games = false,
            MailKind::Invitations => preferences.invitations = false,
            MailKind::Messages => preferences.messages = false,
        });
        Ok(preferences::change_for_all_games(database, player_id, forget, change).await?)
    }
}

/// Changes a player's preferences and plans the next digest.
fn planned(
    player_id: Uuid,
    now: OffsetDateTime,
    change: impl FnOnce(&mut NotificationPreferences) + Send,
) -> impl FnOnce(Option<PreferencesRow>, Digested) -> (PreferencesRow, ()) + Send {
    move |row, digested| {
        let mut preferences = row.map(NotificationPreferences::of_row).unwrap_or_default();
        change(&mut preferences);
        (preferences.planned_row(player_id, digested, now), ())
    }
}

impl NotificationPreferences {
    /// What comes with the digest does not come any more.
    fn end_digest(&mut self) {
        if self.turns == TurnMails::Digest {
            self.turns = TurnMails::None;
        }
        self.games &= !self.digest_games;
        self.invitations &= !self.digest_invitations;
        self.digest_problem = false;
    }

    /// Whether anything but turns of single games comes with the digest.
    fn is_digested(&self) -> bool {
        let news = (self.games && self.digest_games) || (self.invitations && self.digest_invitations);
        news || self.digest_problem || self.turns == TurnMails::Digest
    }

    /// The stored form. A digest is planned if it covers anything, or if something still waits for it.
    fn planned_row(&self, player_id: Uuid, digested: Digested, now: OffsetDateTime) -> PreferencesRow {
        let is_planned = digested.is_needed || self.is_digested();
        self.row(player_id, is_planned.then(|| self.next_digest(digested.last_at, now)))
    }

    /// When the next digest is due: on no day of the player's on which there was one.
    fn next_digest(&self, last_at: Option<OffsetDateTime>, now: OffsetDateTime) -> OffsetDateTime {
        let next_day = last_at.and_then(|last| self.zone.day(last).next_day());
        // A digest may be due when the day begins.
        let before = next_day.map(|day| self.zone.start_of(day) - Duration::SECOND);
        self.zone.next(self.digest_time, before.map_or(now, |before| before.max(now)))
    }
}
