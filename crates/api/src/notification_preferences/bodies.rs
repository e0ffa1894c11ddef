//! Request and response bodies of notification preferences.

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::{ArrayBuilder, SchemaType, Type};
use utoipa::openapi::{Ref, Schema};

use crate::games::{LanguageName, is_tag};
use pippost_accounts::{
    self as accounts, DigestChange, GamePreferences, NotificationPreferences, PreferencesChange, PushChange,
};
use pippost_clock::reminders::MAX_REMINDERS;
use pippost_clock::{MinuteOfDay, QuietHours, Reminder, ReminderSchedule, UnknownZone, Zone};
use pippost_http::json::object;
use pippost_http::problem::{Code, Problem};
use pippost_http::text::{ReminderTime, ZoneName, checked};
use pippost_language::Language;

/// A part of each day in which no mails about games are sent. They wait until it is over, and are sent if they are still current.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QuietHoursBody {
    /// In your time zone.
    #[schema(example = "22:00", pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    from: String,
    /// In your time zone; on the next day if it is before `from`. The same as `from`: no quiet hours.
    #[schema(example = "07:30", pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    until: String,
}

/// Which of a player's turns get their own mail.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TurnMails {
    /// Every turn.
    Each,
    /// One turn, and then none until you come back.
    Once,
    /// None; turns are listed in the daily digest.
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

/// Which notices come by web push to the browsers that you have subscribed.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[allow(clippy::struct_excessive_bools, reason = "each is chosen by itself")]
pub struct PushPreferencesAnswer {
    /// Whether you are told of each turn. A newer message about a game replaces the one before it.
    turns: bool,
    reminders: bool,
    /// Starts and ends of games, proposals to pause them, and seats that are offered or taken.
    games: bool,
    invitations: bool,
}

/// A change of what comes by web push; missing members stay as they are.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PushPreferencesBody {
    turns: Option<bool>,
    reminders: Option<bool>,
    /// Starts and ends of games, proposals to pause them, and seats that are offered or taken.
    games: Option<bool>,
    invitations: Option<bool>,
}

/// Which notices come with the daily digest, and not each in a mail of its own. It holds for kinds that you get by mail at all.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct DigestPreferencesAnswer {
    /// Starts and ends of games, proposals to pause them, and seats that are offered or taken.
    games: bool,
    invitations: bool,
}

/// A change of what comes with the daily digest; missing members stay as they are.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DigestPreferencesBody {
    /// Starts and ends of games, proposals to pause them, and seats that are offered or taken.
    games: Option<bool>,
    invitations: Option<bool>,
}

/// Your notification preferences.
#[derive(Debug, Serialize, ToSchema)]
#[allow(clippy::struct_excessive_bools, reason = "each is chosen by itself")]
pub struct NotificationPreferencesAnswer {
    /// The language of mails: `en` or `de`.
    language: &'static str,
    /// The name of your time zone in the IANA database.
    zone: String,
    turns: TurnMails,
    /// Whether you are reminded of a turn by mail.
    reminders: bool,
    /// When you are reminded: `25%` when a quarter of the time for the turn is left, `24h` when 24 hours of it are left. What does not
    /// count, such as your nights, is no time left. Each comes once, and none before a quarter of the time is used.
    #[schema(value_type = Vec<ReminderTime>)]
    reminder_schedule: Vec<String>,
    /// Whether the last reminder of a turn comes in your quiet hours, too. The others wait for their end, and one mail stands for all
    /// that waited.
    last_reminder_in_quiet_hours: bool,
    /// Whether you get a mail when one of your games starts or ends, and when a player proposes a pause.
    games: bool,
    /// Whether you get mails in which others invite you to a game.
    invitations: bool,
    digest: DigestPreferencesAnswer,
    /// The time of the daily digest in your time zone. It is sent if `turns` is `digest`, here or for a game, and a game waits
    /// for you, or if there is something that `digest` leaves to it.
    digest_time: String,
    /// Null: no quiet hours.
    quiet_hours: Option<QuietHoursBody>,
    push: PushPreferencesAnswer,
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
            reminder_schedule: preferences
                .reminder_schedule
                .reminders()
                .iter()
                .map(Reminder::to_string)
                .collect(),
            last_reminder_in_quiet_hours: preferences.last_reminder_in_quiet_hours,
            games: preferences.games,
            invitations: preferences.invitations,
            digest: DigestPreferencesAnswer {
                games: preferences.digest.games,
                invitations: preferences.digest.invitations,
            },
            digest_time: preferences.digest_time.to_string(),
            quiet_hours: preferences.quiet_hours.map(quiet),
            push: PushPreferencesAnswer {
                turns: preferences.push.turns,
                reminders: preferences.push.reminders,
                games: preferences.push.games,
                invitations: preferences.push.invitations,
            },
        }
    }
}

/// The different times at which a player wishes to be reminded, or null.
fn changed_schedule() -> Schema {
    let times = ArrayBuilder::new()
        .schema_type(SchemaType::Array(vec![Type::Array, Type::Null]))
        .items(Ref::from_schema_name(ReminderTime::name()))
        .unique_items(true)
        .min_items(Some(1))
        .max_items(Some(MAX_REMINDERS))
        .examples([serde_json::json!(["50%", "24h"])]);
    let said = "When you are reminded, from your next turn on: `25%` when a quarter of the time for the turn is left, `24h` when 24 \
                hours of it are left. Each is said once.";
    times.description(Some(said)).into()
}

/// A change of your notification preferences; missing members stay as they are.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(clippy::option_option, reason = "null and missing are two things")]
pub struct NotificationPreferencesBody {
    /// The language of mails.
    #[schema(value_type = Option<LanguageName>)]
    language: Option<String>,
    /// Your time zone.
    #[schema(value_type = Option<ZoneName>, example = "Europe/Berlin")]
    zone: Option<String>,
    turns: Option<TurnMails>,
    /// Whether you are reminded of a turn by mail.
    reminders: Option<bool>,
    /// When you are reminded, from your next turn on: `25%` when a quarter of the time for the turn is left, `24h` when 24 hours of
    /// it are left.
    #[schema(schema_with = changed_schedule)]
    reminder_schedule: Option<Vec<String>>,
    /// Whether the last reminder of a turn comes in your quiet hours, too.
    last_reminder_in_quiet_hours: Option<bool>,
    /// Whether you get a mail when one of your games starts or ends, and when a player proposes a pause.
    games: Option<bool>,
    /// Whether you get mails in which others invite you to a game.
    invitations: Option<bool>,
    #[serde(default, deserialize_with = "members")]
    digest: DigestPreferencesBody,
    /// The time of the daily digest in your time zone.
    #[schema(example = "08:00", pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    digest_time: Option<String>,
    /// Null: no quiet hours.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<QuietHoursBody>)]
    quiet_hours: Option<Option<QuietHoursBody>>,
    #[serde(default, deserialize_with = "members")]
    push: PushPreferencesBody,
}

/// Quiet hours as an object.
#[derive(Deserialize)]
struct Members(#[serde(deserialize_with = "object")] QuietHoursBody);

/// Distinguishes null from a missing member.
#[allow(clippy::option_option, reason = "null and missing are two things")]
fn given<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<QuietHoursBody>>, D::Error> {
    Option::<Members>::deserialize(from).map(|quiet| Some(quiet.map(|quiet| quiet.0)))
}

/// What comes by web push or with the digest, as an object.
fn members<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    object(from)
}

impl NotificationPreferencesBody {
    pub fn parse(self) -> Result<PreferencesChange, Problem> {
        let unknown = |error: UnknownZone| {
            Problem::new(Code::UnknownZone).detail(error.to_string()).with("field", "zone")
        };
        let zone = self.zone.map(|name| Zone::named(&checked::<ZoneName>("zone", name)?).map_err(unknown));
        let language = self.language.as_deref().map(language);
        let quiet_hours = self.quiet_hours.map(|quiet| quiet.map_or(Ok(None), quiet_hours));
        Ok(PreferencesChange {
            language: language.transpose()?,
            zone: zone.transpose()?,
            turns: self.turns.map(accounts::TurnMails::from),
            reminders: self.reminders,
            reminder_schedule: self.reminder_schedule.as_deref().map(reminder_schedule).transpose()?,
            last_reminder_in_quiet_hours: self.last_reminder_in_quiet_hours,
            games: self.games,
            invitations: self.invitations,
            digest: DigestChange { games: self.digest.games, invitations: self.digest.invitations },
            digest_time: self.digest_time.map(|text| time("digest_time", &text)).transpose()?,
            quiet_hours: quiet_hours.transpose()?,
            push: PushChange {
                turns: self.push.turns,
                reminders: self.push.reminders,
                games: self.push.games,
                invitations: self.push.invitations,
            },
        })
    }
}

/// The language of a tag.
fn language(tag: &str) -> Result<Language, Problem> {
    let known = Language::of_tag(tag);
    known.ok_or_else(|| {
        if is_tag(tag) {
            let known: Vec<&str> = Language::all().map(Language::tag).collect();
            let why = format!("one of {}", known.join(", "));
            return Problem::new(Code::UnknownLanguage).detail(why).with("field", "language");
        }
        refused("language", "a tag as in `en` or `pt-BR` names a language")
    })
}

/// `None` if they end when they begin.
fn quiet_hours(body: QuietHoursBody) -> Result<Option<QuietHours>, Problem> {
    let (from, until) = (time("quiet_hours", &body.from)?, time("quiet_hours", &body.until)?);
    Ok(QuietHours::new(from, until))
}

fn reminder_schedule(words: &[String]) -> Result<ReminderSchedule, Problem> {
    let reminders =
        words.iter().take(MAX_REMINDERS + 1).map(|word| Reminder::parse(word)).collect::<Option<_>>();
    let why = "1 to 6 different ones are expected, of 1% to 75% and 1h to 1440h";
    reminders.and_then(ReminderSchedule::new).ok_or_else(|| refused("reminder_schedule", why))
}

fn time(field: &'static str, text: &str) -> Result<MinuteOfDay, Problem> {
    MinuteOfDay::parse(text).ok_or_else(|| refused(field, "a time of day is expected, as in 07:30"))
}

fn refused(field: &'static str, why: &str) -> Problem {
    Problem::new(Code::InvalidValue).detail(why).with("field", field)
}

/// Your notification preferences for one game; null: the same as for all games.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GameNotificationPreferencesBody {
    #[serde(default)]
    turns: Option<TurnMails>,
    #[serde(default)]
    reminders: Option<bool>,
    /// Whether web push tells you of the game; if so, of all kinds.
    #[serde(default)]
    push: Option<bool>,
}

impl From<GamePreferences> for GameNotificationPreferencesBody {
    fn from(GamePreferences { turns, reminders, push }: GamePreferences) -> Self {
        Self { turns: turns.map(TurnMails::from), reminders, push }
    }
}

impl From<GameNotificationPreferencesBody> for GamePreferences {
    fn from(
        GameNotificationPreferencesBody { turns, reminders, push }: GameNotificationPreferencesBody,
    ) -> Self {
        Self { turns: turns.map(accounts::TurnMails::from), reminders, push }
    }
}
