//! What clients send and get about preferences.

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::accounts::{self, GamePreferences, NotificationPreferences, PreferencesChange};
use crate::api::problem::{Code, Problem};
use crate::clock::{MinuteOfDay, QuietHours, Zone};
use crate::language::Language;

/// A part of each day in which no mail about games comes; what there is to tell waits until it is over, and comes if it still holds.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QuietHoursBody {
    /// In your zone.
    #[schema(example = "22:00", pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    from: String,
    /// In your zone; on the next day if it is before `from`.
    #[schema(example = "07:30", pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    until: String,
}

/// Which of a player's turns are told of by a mail of their own.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TurnMails {
    /// Every one.
    Each,
    /// One, and then none until you come back.
    Once,
    /// None; they are in the daily digest.
    Digest,
    None,
}

impl From<accounts::TurnMails> for TurnMails {
    fn from(turns: accounts::TurnMails) -> Self {
        match turns {
            accounts::TurnMails::Each => Self::Each,
            accounts::TurnMails::Once => Self::Once,
            accounts::TurnMails::Digest => Self::Digest,
            accounts::TurnMails::None => Self::None,
        }
    }
}

impl From<TurnMails> for accounts::TurnMails {
    fn from(turns: TurnMails) -> Self {
        match turns {
            TurnMails::Each => Self::Each,
            TurnMails::Once => Self::Once,
            TurnMails::Digest => Self::Digest,
            TurnMails::None => Self::None,
        }
    }
}

/// How you want to be told.
#[derive(Debug, Serialize, ToSchema)]
pub struct NotificationPreferencesAnswer {
    /// The language of mails: `en` or `de`.
    language: &'static str,
    /// Your time zone, by its name in the IANA database.
    zone: String,
    turns: TurnMails,
    /// A mail when a quarter of the time for a move is left.
    reminders: bool,
    /// A mail when a game of yours starts or ends.
    games: bool,
    /// Mails in which others ask you to join a game.
    invitations: bool,
    /// When the daily digest comes, in your zone. It comes if `turns` is `digest`, here or for a game, and a game waits for you.
    digest_time: String,
    /// Null: none.
    quiet_hours: Option<QuietHoursBody>,
}

impl From<NotificationPreferences> for NotificationPreferencesAnswer {
    fn from(preferences: NotificationPreferences) -> Self {
        let quiet = |quiet: QuietHours| QuietHoursBody {
            from: quiet.from().to_string(),
            until: quiet.until().to_string(),
        };
        Self {
            language: preferences.language.tag(),
            zone: preferences.zone.name().to_owned(),
            turns: preferences.turns.into(),
            reminders: preferences.reminders,
            games: preferences.games,
            invitations: preferences.invitations,
            digest_time: preferences.digest_time.to_string(),
            quiet_hours: preferences.quiet_hours.map(quiet),
        }
    }
}

/// Changing how you want to be told; what is missing stays as it is.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(clippy::option_option, reason = "null and missing are two things")]
pub struct NotificationPreferencesBody {
    /// The language of mails: `en` or `de`.
    #[schema(max_length = 16, example = "de")]
    language: Option<String>,
    /// Your time zone, by its name in the IANA database.
    #[schema(max_length = 64, example = "Europe/Berlin")]
    zone: Option<String>,
    turns: Option<TurnMails>,
    /// A mail when a quarter of the time for a move is left.
    reminders: Option<bool>,
    /// A mail when a game of yours starts or ends.
    games: Option<bool>,
    /// Mails in which others ask you to join a game.
    invitations: Option<bool>,
    /// When the daily digest comes, in your zone.
    #[schema(example = "08:00", pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    digest_time: Option<String>,
    /// Null: none.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<QuietHoursBody>)]
    quiet_hours: Option<Option<QuietHoursBody>>,
}

/// Tells null from a member that is missing.
#[allow(clippy::option_option, reason = "null and missing are two things")]
fn given<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<QuietHoursBody>>, D::Error> {
    Option::deserialize(from).map(Some)
}

impl NotificationPreferencesBody {
    pub fn parse(self) -> Result<PreferencesChange, Problem> {
        let language = self.language.map(|tag| {
            let known = Language::ALL.map(Language::tag).join(", ");
            Language::of_tag(&tag).ok_or_else(|| refused("language", &format!("one of {known}")))
        });
        let zone =
            self.zone.map(|name| Zone::named(&name).map_err(|error| refused("zone", &error.to_string())));
        let quiet_hours = self.quiet_hours.map(|quiet| quiet.map(quiet_hours).transpose());
        Ok(PreferencesChange {
            language: language.transpose()?,
            zone: zone.transpose()?,
            turns: self.turns.map(accounts::TurnMails::from),
            reminders: self.reminders,
            games: self.games,
            invitations: self.invitations,
            digest_time: self.digest_time.map(|text| time("digest_time", &text)).transpose()?,
            quiet_hours: quiet_hours.transpose()?,
        })
    }
}

fn quiet_hours(body: QuietHoursBody) -> Result<QuietHours, Problem> {
    let (from, until) = (time("quiet_hours", &body.from)?, time("quiet_hours", &body.until)?);
    let why = "they end at another time than they begin; to get no mails at all, switch them off";
    QuietHours::new(from, until).ok_or_else(|| refused("quiet_hours", why))
}

fn time(field: &'static str, text: &str) -> Result<MinuteOfDay, Problem> {
    MinuteOfDay::parse(text).ok_or_else(|| refused(field, "a time of day is expected, as in 07:30"))
}

fn refused(field: &'static str, why: &str) -> Problem {
    Problem::new(Code::InvalidValue).detail(why).with("field", field)
}

/// What you want otherwise in one game; null: as everywhere.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GameNotificationPreferencesBody {
    #[serde(default)]
    turns: Option<TurnMails>,
    #[serde(default)]
    reminders: Option<bool>,
}

impl From<GamePreferences> for GameNotificationPreferencesBody {
    fn from(GamePreferences { turns, reminders }: GamePreferences) -> Self {
        Self { turns: turns.map(TurnMails::from), reminders }
    }
}

impl From<GameNotificationPreferencesBody> for GamePreferences {
    fn from(GameNotificationPreferencesBody { turns, reminders }: GameNotificationPreferencesBody) -> Self {
        Self { turns: turns.map(accounts::TurnMails::from), reminders }
    }
}
