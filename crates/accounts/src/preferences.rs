//! Notification preferences: language, times, and kinds of mails.

use time::OffsetDateTime;
use uuid::Uuid;

use super::{AccountError, Accounts};
use pippost_clock::{MinuteOfDay, QuietHours, ReminderSchedule, Zone};
use pippost_keys::secret::Purpose;
use pippost_language::Language;
use pippost_store::notices::{self, NoticeKind};
use pippost_store::preferences::{self, Forget, GamePreferencesRow, PreferencesRow};

pub use pippost_store::preferences::TurnMails;

/// The default time of the digest: 8:00.
const DEFAULT_DIGEST_MINUTE: u16 = 8 * 60;

/// Which notices come by web push to the browsers that a player has chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is chosen by itself")]
pub struct PushPreferences {
    pub turns: bool,
    pub reminders: bool,
    pub games: bool,
    pub invitations: bool,
}

impl Default for PushPreferences {
    fn default() -> Self {
        Self { turns: true, reminders: true, games: true, invitations: true }
    }
}

impl PushPreferences {
    /// Whether notices of a kind come; `None`: it never comes so.
    #[must_use]
    pub fn wants(self, kind: NoticeKind) -> Option<bool> {
        match MailKind::of(kind)? {
            MailKind::Turns => Some(self.turns),
            MailKind::Reminders => Some(self.reminders),
            MailKind::Games => Some(self.games),
            MailKind::Invitations => Some(self.invitations),
            MailKind::Digest => None,
        }
    }
}

/// A change of [`PushPreferences`]; `None` leaves one as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PushChange {
    pub turns: Option<bool>,
    pub reminders: Option<bool>,
    pub games: Option<bool>,
    pub invitations: Option<bool>,
}

/// Which kinds of notices come with the daily digest, and not each in a mail of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DigestPreferences {
    pub games: bool,
    pub invitations: bool,
}

/// A change of [`DigestPreferences`]; `None` leaves one as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DigestChange {
    pub games: Option<bool>,
    pub invitations: Option<bool>,
}

/// All preferences of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is chosen by itself")]
pub struct NotificationPreferences {
    pub language: Language,
    pub zone: Zone,
    pub turns: TurnMails,
    pub reminders: bool,
    pub reminder_schedule: ReminderSchedule,
    /// Whether the last reminder of a turn comes in quiet hours, too.
    pub last_reminder_in_quiet_hours: bool,
    /// Starts and ends of games, and proposals to pause them.
    pub games: bool,
    pub invitations: bool,
    /// What of these comes with the digest.
    pub digest: DigestPreferences,
    pub digest_time: MinuteOfDay,
    pub quiet_hours: Option<QuietHours>,
    pub push: PushPreferences,
}

impl Default for NotificationPreferences {
    fn default() -> Self {
        Self {
            language: Language::default(),
            zone: Zone::UTC,
            turns: TurnMails::default(),
            reminders: true,
            reminder_schedule: ReminderSchedule::default(),
            last_reminder_in_quiet_hours: false,
            games: true,
            invitations: true,
            digest: DigestPreferences::default(),
            digest_time: MinuteOfDay::new(DEFAULT_DIGEST_MINUTE).expect("a time of day"),
            quiet_hours: None,
            push: PushPreferences::default(),
        }
    }
}

/// A change of preferences; `None` leaves a preference as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PreferencesChange {
    pub language: Option<Language>,
    pub zone: Option<Zone>,
    pub turns: Option<TurnMails>,
    pub reminders: Option<bool>,
    pub reminder_schedule: Option<ReminderSchedule>,
    pub last_reminder_in_quiet_hours: Option<bool>,
    pub games: Option<bool>,
    pub invitations: Option<bool>,
    pub digest: DigestChange,
    pub digest_time: Option<MinuteOfDay>,
    pub quiet_hours: Option<Option<QuietHours>>,
    pub push: PushChange,
}

/// A player's preferences for one game; `None`: the same as for all games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GamePreferences {
    pub turns: Option<TurnMails>,
    pub reminders: Option<bool>,
    /// Whether web push tells of the game.
    pub push: Option<bool>,
}

/// Kinds of mail that have a link to switch them off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailKind {
    Turns,
    Reminders,
    /// Starts and ends of games.
    Games,
    Digest,
    Invitations,
}

impl MailKind {
    /// The kind of mail of a notice, if it can be switched off.
    #[must_use]
    pub fn of(kind: NoticeKind) -> Option<Self> {
        match kind {
            NoticeKind::Turn => Some(Self::Turns),
            NoticeKind::Reminder => Some(Self::Reminders),
            NoticeKind::GameStarted
            | NoticeKind::GameOver
            | NoticeKind::GameExpired
            | NoticeKind::PauseProposed
            | NoticeKind::SeatOffered
            | NoticeKind::SeatTaken => Some(Self::Games),
            NoticeKind::Digest => Some(Self::Digest),
            NoticeKind::Invitation => Some(Self::Invitations),
            NoticeKind::ConfirmEmail
            | NoticeKind::ResetPassword
            | NoticeKind::AddressChanged
            | NoticeKind::Answer
            | NoticeKind::HowToMove
            | NoticeKind::WebhookDisabled => None,
        }
    }
}

/// What an unsubscribe link switches off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchOff {
    /// The notice that the mail was about.
    pub notice_id: Uuid,
    pub kind: MailKind,
    /// `None` if the mail went to an address without a player.
    pub player_id: Option<Uuid>,
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
            let kind = MailKind::of(about.kind)?;
            Some(SwitchOff { notice_id, kind, player_id: about.player_id })
        }))
    }

    /// A player's preferences; the defaults if none are stored.
    ///
    /// # Errors
    /// The database failed.
    pub async fn preferences(&self, player_id: Uuid) -> Result<NotificationPreferences, AccountError> {
        let row = preferences::of_player(&self.0.database, player_id).await?;
        Ok(row.as_ref().map(read).unwrap_or_default())
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
            let mut preferences = row.as_ref().map(read).unwrap_or_default();
            preferences.apply(change);
            (preferences.row(player_id, digested, now), preferences)
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
        let row = preferences::of_game(&self.0.database, player_id, game_id).await?;
        let read = |GamePreferencesRow { turns, reminders, push, .. }: GamePreferencesRow| GamePreferences {
            turns,
            reminders,
            push,
        };
        Ok(row.map(read).unwrap_or_default())
    }

    /// Sets a player's preferences for one game, which must exist.
    ///
    /// # Errors
    /// The database failed.
    pub async fn set_game_preferences(
        &self,
        player_id: Uuid,
        game_id: Uuid,
        wanted: GamePreferences,
    ) -> Result<(), AccountError> {
        let GamePreferences { turns, reminders, push } = wanted;
        let row = GamePreferencesRow { player_id, game_id, turns, reminders, push };
        let now = self.0.clock.now();
        let planned = planned(player_id, now, |_| {});
        Ok(preferences::set_of_game(&self.0.database, &row, planned).await?)
    }

    /// Switches a kind of mail off: for a player in all games; for an address without a player, invitations.
    ///
    /// # Errors
    /// The database failed.
    pub async fn switch_off(&self, about: SwitchOff) -> Result<(), AccountError> {
        let (now, database) = (self.0.clock.now(), &self.0.database);
        let Some(player_id) = about.player_id else {
            return Ok(preferences::decline(database, about.notice_id, now).await?);
        };
        let kind = about.kind;
        let forget = match kind {
            MailKind::Turns => Forget::Turns,
            MailKind::Digest => Forget::Digests,
            MailKind::Reminders => Forget::Reminders,
            MailKind::Games | MailKind::Invitations => Forget::Nothing,
        };
        let change = planned(player_id, now, move |preferences| match kind {
            MailKind::Turns => preferences.turns = TurnMails::None,
            MailKind::Digest => preferences.end_digest(),
            MailKind::Reminders => preferences.reminders = false,
            MailKind::Games => preferences.games = false,
            MailKind::Invitations => preferences.invitations = false,
        });
        Ok(preferences::change_for_all_games(database, player_id, forget, change).await?)
    }
}

/// Changes a player's preferences and plans the next digest.
fn planned(
    player_id: Uuid,
    now: OffsetDateTime,
    change: impl FnOnce(&mut NotificationPreferences) + Send,
) -> impl FnOnce(Option<PreferencesRow>, bool) -> (PreferencesRow, ()) + Send {
    move |row, digested| {
        let mut preferences = row.as_ref().map(read).unwrap_or_default();
        change(&mut preferences);
        (preferences.row(player_id, digested, now), ())
    }
}

impl NotificationPreferences {
    fn apply(&mut self, change: PreferencesChange) {
        fn set<T>(field: &mut T, new: Option<T>) {
            if let Some(new) = new {
                *field = new;
            }
        }
        set(&mut self.language, change.language);
        set(&mut self.zone, change.zone);
        set(&mut self.turns, change.turns);
        set(&mut self.reminders, change.reminders);
        set(&mut self.reminder_schedule, change.reminder_schedule);
        set(&mut self.last_reminder_in_quiet_hours, change.last_reminder_in_quiet_hours);
        set(&mut self.games, change.games);
        set(&mut self.invitations, change.invitations);
        set(&mut self.digest.games, change.digest.games);
        set(&mut self.digest.invitations, change.digest.invitations);
        set(&mut self.digest_time, change.digest_time);
        set(&mut self.quiet_hours, change.quiet_hours);
        set(&mut self.push.turns, change.push.turns);
        set(&mut self.push.reminders, change.push.reminders);
        set(&mut self.push.games, change.push.games);
        set(&mut self.push.invitations, change.push.invitations);
    }

    /// What comes with the digest does not come any more.
    fn end_digest(&mut self) {
        if self.turns == TurnMails::Digest {
            self.turns = TurnMails::None;
        }
        self.games &= !self.digest.games;
        self.invitations &= !self.digest.invitations;
    }

    /// Whether anything but turns of single games comes with the digest.
    fn is_digested(&self) -> bool {
        let news = (self.games && self.digest.games) || (self.invitations && self.digest.invitations);
        news || self.turns == TurnMails::Digest
    }

    /// The stored form. A digest is planned if it covers anything, or if something still waits for it.
    fn row(&self, player_id: Uuid, is_needed: bool, now: OffsetDateTime) -> PreferencesRow {
        let digested = is_needed || self.is_digested();
        PreferencesRow {
            player_id,
            language: self.language.tag().to_owned(),
            zone: self.zone.name().to_owned(),
            turns: self.turns,
            reminders: self.reminders,
            reminder_schedule: self.reminder_schedule.to_string(),
            last_reminder_in_quiet_hours: self.last_reminder_in_quiet_hours,
            games: self.games,
            invitations: self.invitations,
            digest_games: self.digest.games,
            digest_invitations: self.digest.invitations,
            digest_minute: to_row(self.digest_time),
            quiet_from: self.quiet_hours.map(|quiet| to_row(quiet.from())),
            quiet_until: self.quiet_hours.map(|quiet| to_row(quiet.until())),
            digest_at: digested.then(|| self.zone.next(self.digest_time, now)),
            push_turns: self.push.turns,
            push_reminders: self.push.reminders,
            push_games: self.push.games,
            push_invitations: self.push.invitations,
        }
    }
}

/// Uses UTC for a zone that an update of the zone database has removed.
fn read(row: &PreferencesRow) -> NotificationPreferences {
    NotificationPreferences {
        language: Language::of_tag(&row.language).unwrap_or_default(),
        zone: Zone::named(&row.zone).unwrap_or_default(),
        turns: row.turns,
        reminders: row.reminders,
        reminder_schedule: ReminderSchedule::parse(&row.reminder_schedule).unwrap_or_default(),
        last_reminder_in_quiet_hours: row.last_reminder_in_quiet_hours,
        games: row.games,
        invitations: row.invitations,
        digest: DigestPreferences { games: row.digest_games, invitations: row.digest_invitations },
        digest_time: of_row(row.digest_minute).unwrap_or(NotificationPreferences::default().digest_time),
        quiet_hours: quiet_hours(row.quiet_from, row.quiet_until),
        push: PushPreferences {
            turns: row.push_turns,
            reminders: row.push_reminders,
            games: row.push_games,
            invitations: row.push_invitations,
        },
    }
}

/// Parses the stored form of quiet hours: minutes after midnight.
#[must_use]
pub fn quiet_hours(from: Option<i16>, until: Option<i16>) -> Option<QuietHours> {
    QuietHours::new(of_row(from?)?, of_row(until?)?)
}

fn to_row(time: MinuteOfDay) -> i16 {
    i16::try_from(time.minutes()).expect("less than 1440")
}

fn of_row(minute: i16) -> Option<MinuteOfDay> {
    MinuteOfDay::new(u16::try_from(minute).ok()?)
}
