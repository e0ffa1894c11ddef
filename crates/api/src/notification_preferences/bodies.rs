//! Notification preferences in JSON, read and written as the table of preferences says. Schemas: `schemas.rs`.

use std::fmt;

use serde::de::{DeserializeOwned, Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::games::is_tag;
use pippost_accounts::preferences::{ALL, Group, Kind, Preference};
use pippost_accounts::{NotificationPreferences, PreferencesChange};
use pippost_clock::reminders::MAX_REMINDERS;
use pippost_clock::{MinuteOfDay, QuietHours, Reminder, ReminderSchedule, UnknownZone, Zone};
use pippost_http::json::object;
use pippost_http::problem::{Code, Problem};
use pippost_http::text::{ZoneName, checked};
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

/// The preferences of a group, or those of none.
fn of_group(group: Option<Group>) -> impl Iterator<Item = &'static Preference> {
    ALL.iter().filter(move |preference| preference.group == group)
}

/// All preferences in JSON.
pub fn answer(preferences: &NotificationPreferences) -> Value {
    let members = |group| -> Map<String, Value> {
        let shown = |one: &Preference| (one.member().to_owned(), value(&one.kind, preferences));
        of_group(group).map(shown).collect()
    };
    let mut all = members(None);
    for group in Group::ALL {
        all.insert(group.name().to_owned(), members(Some(group)).into());
    }
    all.into()
}

fn value(kind: &Kind, of: &NotificationPreferences) -> Value {
    match kind {
        Kind::Switch(lens) => (*(lens.of)(of)).into(),
        Kind::Turns(lens) => (lens.of)(of).as_str().into(),
        Kind::Language(lens) => (lens.of)(of).tag().into(),
        Kind::Zone(lens) => (lens.of)(of).name().into(),
        Kind::Reminders(lens) => (lens.of)(of).reminders().iter().map(Reminder::to_string).collect(),
        Kind::Time(lens) => (lens.of)(of).to_string().into(),
        Kind::Quiet(lens) => (lens.of)(of).map_or(
            Value::Null,
            |quiet| json!({"from": quiet.from().to_string(), "until": quiet.until().to_string()}),
        ),
    }
}

/// The members of an object as they came, each once.
#[derive(Debug)]
struct Members(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Each;

        impl<'de> Visitor<'de> for Each {
            type Value = Members;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Members, A::Error> {
                let mut members: Vec<(String, Box<RawValue>)> = Vec::new();
                while let Some((name, value)) = from.next_entry::<String, _>()? {
                    if members.iter().any(|(known, _)| *known == name) {
                        return Err(A::Error::custom(format!("duplicate field `{name}`")));
                    }
                    // More than there are preferences, so one of them is unknown.
                    if members.len() > ALL.len() {
                        return Err(A::Error::custom("too many members"));
                    }
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }

        from.deserialize_map(Each)
    }
}

/// A change of preferences as it came.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct NotificationPreferencesBody(Members);

/// Quiet hours as an object.
#[derive(Deserialize)]
struct QuietObject(#[serde(deserialize_with = "object")] QuietHoursBody);

impl NotificationPreferencesBody {
    pub fn parse(self) -> Result<PreferencesChange, Problem> {
        let mut change = PreferencesChange::default();
        read(None, self.0, &mut change)?;
        Ok(change)
    }
}

/// Reads the members of the body, or of the object of a group.
fn read(group: Option<Group>, members: Members, change: &mut PreferencesChange) -> Result<(), Problem> {
    for (member, value) in members.0 {
        let inner = Group::ALL.into_iter().find(|inner| group.is_none() && inner.name() == member);
        if inner.is_some() {
            read(inner, sent(&value)?, change)?;
            continue;
        }
        let known = of_group(group).find(|preference| preference.member() == member);
        let preference = known.ok_or_else(not_fitting)?;
        set(preference, &value, change)?;
    }
    Ok(())
}

/// Puts a value into the change. Null is no change, but of what can be nothing.
fn set(preference: &Preference, value: &RawValue, change: &mut PreferencesChange) -> Result<(), Problem> {
    let (name, is_null) = (preference.name, value.get() == "null");
    match &preference.kind {
        Kind::Quiet(lens) => {
            let quiet = if is_null { None } else { quiet_hours(name, &sent::<QuietObject>(value)?.0)? };
            *(lens.change)(change) = Some(quiet);
        }
        _ if is_null => {}
        Kind::Switch(lens) => *(lens.change)(change) = Some(sent(value)?),
        Kind::Turns(lens) => *(lens.change)(change) = Some(sent(value)?),
        Kind::Language(lens) => *(lens.change)(change) = Some(language(name, &sent::<String>(value)?)?),
        Kind::Zone(lens) => *(lens.change)(change) = Some(zone(name, sent(value)?)?),
        Kind::Reminders(lens) => {
            *(lens.change)(change) = Some(reminders(name, &sent::<Vec<String>>(value)?)?);
        }
        Kind::Time(lens) => *(lens.change)(change) = Some(time(name, &sent::<String>(value)?)?),
    }
    Ok(())
}

/// What was sent, if it is of the type that the document gives.
fn sent<T: DeserializeOwned>(value: &RawValue) -> Result<T, Problem> {
    serde_json::from_str(value.get()).map_err(|_| not_fitting())
}

/// The document says what is wrong.
fn not_fitting() -> Problem {
    Problem::new(Code::InvalidValue)
}

/// The language of a tag.
fn language(field: &str, tag: &str) -> Result<Language, Problem> {
    let known = Language::of_tag(tag);
    known.ok_or_else(|| {
        if is_tag(tag) {
            let known: Vec<&str> = Language::all().map(Language::tag).collect();
            let why = format!("one of {}", known.join(", "));
            return Problem::new(Code::UnknownLanguage).detail(why).with("field", field);
        }
        refused(field, "a tag as in `en` or `pt-BR` names a language")
    })
}

fn zone(field: &'static str, name: String) -> Result<Zone, Problem> {
    let unknown =
        |error: UnknownZone| Problem::new(Code::UnknownZone).detail(error.to_string()).with("field", field);
    Zone::named(&checked::<ZoneName>(field, name)?).map_err(unknown)
}

/// `None` if they end when they begin.
fn quiet_hours(field: &str, body: &QuietHoursBody) -> Result<Option<QuietHours>, Problem> {
    Ok(QuietHours::new(time(field, &body.from)?, time(field, &body.until)?))
}

fn reminders(field: &str, words: &[String]) -> Result<ReminderSchedule, Problem> {
    let reminders =
        words.iter().take(MAX_REMINDERS + 1).map(|word| Reminder::parse(word)).collect::<Option<_>>();
    let why = "1 to 6 different ones are expected, of 1% to 75% and 1h to 1440h";
    reminders.and_then(ReminderSchedule::new).ok_or_else(|| refused(field, why))
}

fn time(field: &str, text: &str) -> Result<MinuteOfDay, Problem> {
    MinuteOfDay::parse(text).ok_or_else(|| refused(field, "a time of day is expected, as in 07:30"))
}

fn refused(field: &str, why: &str) -> Problem {
    Problem::new(Code::InvalidValue).detail(why).with("field", field)
}
