//! Which mails come and when, the language, and the theme.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post};
use minijinja::{Value, context};
use serde::Deserialize;

use super::{PreferencesPage, Section, back, looks, show};
use crate::form::{Posted, own_path, see_other};
use crate::page::page;
use crate::site::CookieName;
use crate::visitor::{SignedIn, Theme, Visitor};
use pippost_accounts::preferences::{ALL, Group, Kind, Preference};
use pippost_accounts::{NotificationPreferences, PreferencesChange, ProfileChange, TurnMails};
use pippost_clock::{MinuteOfDay, QuietHours, Reminder, ReminderSchedule, Zone};
use pippost_http::peer::Peer;
use pippost_http::{Code, Problem};
use pippost_language::{Arguments, Language, words};
use time::Duration;

/// The fields of the form by name; a box that is not ticked is not sent.
type Fields = BTreeMap<String, String>;

/// How news of a kind comes by mail: each in a mail of its own, with the daily digest, or not at all.
const NEWS: [&str; 3] = ["each", "digest", "none"];

/// What the page shows of all preferences: what the player is told of, each by mail and by web push; further switches; and the values
/// of the others by name.
pub fn shown(wanted: &NotificationPreferences, language: Language) -> Value {
    let is_on =
        |preference: &Preference| matches!(&preference.kind, Kind::Switch(lens) if *(lens.of)(wanted));
    let own = || ALL.iter().filter(|preference| preference.group.is_none());
    let channel = |one: &Preference| {
        let push = one.twin(Group::Push)?;
        let (options, chosen) = match (&one.kind, one.twin(Group::Digest)) {
            (Kind::Turns(lens), _) => {
                (TurnMails::ALL.iter().map(|turns| turns.as_str()).collect(), (lens.of)(wanted).as_str())
            }
            (_, Some(digest)) => {
                (NEWS.to_vec(), NEWS[if is_on(one) { usize::from(is_on(digest)) } else { 2 }])
            }
            (_, None) => (Vec::new(), if is_on(one) { "on" } else { "" }),
        };
        let texts = if matches!(one.kind, Kind::Turns(_)) { "turns" } else { "news" };
        Some(context! { name => one.name, options, chosen, texts, push => is_on(push) })
    };
    let is_switch = |one: &&Preference| {
        matches!(one.kind, Kind::Switch(_)) && one.twin(Group::Push).is_none() && !is_about_data(one)
    };
    let switch = |one: &Preference| {
        let text = format!("preferences-{}", one.name.replace('_', "-"));
        let place = match one.group {
            Some(_) => "digest",
            None if one.name.contains("quiet_hours") => "quiet",
            None => "",
        };
        context! { name => one.name, text, is_on => is_on(one), place }
    };
    let of_digest_alone = ALL.iter().filter(|one| is_of_digest_alone(one));
    let quiet = wanted.quiet_hours;
    context! {
        channels => own().filter_map(channel).collect::<Vec<_>>(),
        switches => own().filter(is_switch).chain(of_digest_alone).map(switch).collect::<Vec<_>>(),
        schedule => schedule(&wanted.reminder_schedule, language),
        digest_time => wanted.digest_time.to_string(),
        is_quiet => quiet.is_some(),
        quiet_from => quiet.map_or_else(|| "22:00".to_owned(), |quiet| quiet.from().to_string()),
        quiet_until => quiet.map_or_else(|| "07:00".to_owned(), |quiet| quiet.until().to_string()),
    }
}

/// The reminders to choose from, beside others that the player has chosen elsewhere.
const REMINDERS: [Reminder; 7] = [
    Reminder::Share(75),
    Reminder::Share(50),
    Reminder::Share(25),
    Reminder::Hours(72),
    Reminder::Hours(24),
    Reminder::Hours(6),
    Reminder::Hours(1),
];

/// Says that the form has the boxes of reminders, of which only the ticked ones are sent.
const REMINDERS_CHOSEN: &str = "reminders_chosen";

/// What the names of these boxes begin with.
const REMIND: &str = "remind.";

/// The reminders to choose from in words, and which of them are chosen.
fn schedule(wanted: &ReminderSchedule, language: Language) -> Vec<Value> {
    let others = wanted.reminders().iter().filter(|reminder| !REMINDERS.contains(reminder));
    let offered = REMINDERS.iter().chain(others);
    let shown = |reminder: &Reminder| {
        let words = match *reminder {
            Reminder::Share(percent) => {
                language.say_with("reminder-share", &Arguments::default().number("percent", percent.into()))
            }
            Reminder::Hours(hours) => {
                let span = words::span(Duration::hours(hours.into()), language);
                language.say_with("reminder-hours", &Arguments::default().text("span", span))
            }
        };
        context! { name => reminder.to_string(), words, is_on => wanted.reminders().contains(reminder) }
    };
    offered.map(shown).collect()
}

/// The ticked reminders; `None` if they are none, or too many.
fn chosen_schedule(fields: &Fields) -> Option<ReminderSchedule> {
    let ticked = fields.keys().filter_map(|name| name.strip_prefix(REMIND));
    ReminderSchedule::new(ticked.map(Reminder::parse).collect::<Option<_>>()?)
}

/// What the form asks for; or the name and the text of a problem with it.
fn asked(fields: &Fields, language: Language) -> Result<PreferencesChange, (&'static str, String)> {
    let field = |name: &str| fields.get(name).map_or("", |value| value.trim());
    let mut change = PreferencesChange::default();
    for preference in ALL {
        let name = preference.name;
        match &preference.kind {
            // It has a form of its own.
            Kind::Switch(_) if is_about_data(preference) => {}
            Kind::Switch(lens) => *(lens.change)(&mut change) = switched(preference, fields),
            Kind::Turns(lens) => {
                let wanted = TurnMails::ALL.iter().copied().find(|turns| turns.as_str() == field(name));
                *(lens.change)(&mut change) = wanted;
            }
            Kind::Zone(lens) if fields.contains_key("zone") => {
                let zone = Zone::named(field(name));
                let zone = zone.map_err(|_| ("zone_problem", language.say("preferences-zone-bad")))?;
                *(lens.change)(&mut change) = Some(zone);
            }
            Kind::Reminders(lens) if fields.contains_key(REMINDERS_CHOSEN) => {
                let bad = || ("schedule_problem", language.say("preferences-schedule-bad"));
                *(lens.change)(&mut change) = Some(chosen_schedule(fields).ok_or_else(bad)?);
            }
            Kind::Time(lens) => *(lens.change)(&mut change) = MinuteOfDay::parse(field(name)),
            Kind::Quiet(lens) => {
                let times =
                    MinuteOfDay::parse(field("quiet_from")).zip(MinuteOfDay::parse(field("quiet_until")));
                let quiet = times.and_then(|(from, until)| QuietHours::new(from, until));
                *(lens.change)(&mut change) = Some(quiet.filter(|_| fields.contains_key("quiet")));
            }
            // They are chosen with the look, and with the calendar.
            Kind::Language(_) | Kind::Zone(_) | Kind::Reminders(_) => {}
        }
    }
    Ok(change)
}

/// Whether a preference is about what others may have of the player, not about mails.
fn is_about_data(preference: &Preference) -> bool {
    preference.name == "in_dumps"
}

/// Whether it comes with the digest or not at all, and never in a mail of its own.
fn is_of_digest_alone(preference: &Preference) -> bool {
    let is_own = |other: &Preference| other.group.is_none() && other.name == preference.member();
    preference.group == Some(Group::Digest) && !ALL.iter().any(is_own)
}

/// Whether a switch is to be on. What comes by web push is asked only if the form says so, and what comes with the digest only of news
/// that come at all.
fn switched(preference: &Preference, fields: &Fields) -> Option<bool> {
    let is_ticked = fields.contains_key(preference.name);
    match preference.group {
        Some(Group::Push) => fields.contains_key("push").then_some(is_ticked),
        Some(Group::Digest) if is_of_digest_alone(preference) => Some(is_ticked),
        Some(Group::Digest) => match fields.get(preference.member()).map(String::as_str) {
            Some("each") => Some(false),
            Some("digest") => Some(true),
            _ => None,
        },
        None if preference.twin(Group::Digest).is_some() => {
            let word = fields.get(preference.name).map_or("none", String::as_str);
            Some(word == "each" || word == "digest")
        }
        None => Some(is_ticked),
    }
}

#[post("/preferences/mails")]
pub async fn change_mails(
    signed_in: SignedIn,
    peer: Peer,
    accounts: PreferencesPage,
    form: Posted<Fields>,
) -> Result<HttpResponse, Problem> {
    let fields = form.into_inner();
    let change = match asked(&fields, signed_in.visitor.language) {
        Ok(change) => change,
        Err((name, problem)) => {
            let more = Value::from(BTreeMap::from([(name, problem)]));
            return show(StatusCode::UNPROCESSABLE_ENTITY, Section::Notices, signed_in, &accounts, more)
                .await;
        }
    };
    let account = &signed_in.account;
    accounts.change_preferences(account.player_id, change).await?;
    let mail_enabled = Some(fields.contains_key("mail_enabled"));
    accounts.change_profile(account, &ProfileChange { mail_enabled, email: None }, peer.0).await?;
    Ok(back("mails", Section::Notices, "mails"))
}

#[derive(Debug, Deserialize)]
pub struct LookForm {
    #[serde(default)]
    language: String,
    #[serde(default)]
    theme: String,
    #[serde(default)]
    next: String,
}

/// The page on which also a visitor without an account chooses language and theme.
#[get("/look")]
pub async fn look(visitor: Visitor) -> Result<HttpResponse, Problem> {
    let values = context! { ..looks(&visitor) };
    page(StatusCode::OK, "look.html", visitor.with_form(), values)
}

/// Keeps language and theme in this browser; a player's language is that of the mails, too.
#[post("/look")]
pub async fn change_look(
    visitor: Visitor,
    accounts: PreferencesPage,
    form: Posted<LookForm>,
) -> Result<HttpResponse, Problem> {
    let LookForm { language, theme, next } = form.into_inner();
    let (language, theme) = (Language::of_tag(&language), Theme::named(&theme));
    if let (Some(player_id), Some(_)) = (visitor.player_id(), language) {
        let change = PreferencesChange { language, ..PreferencesChange::default() };
        accounts.change_preferences(player_id, change).await?;
    }
    let mut answer = match own_path(&next) {
        Some(next) => see_other(next),
        None if visitor.account.is_some() => back("look", Section::Look, "main"),
        None => see_other("/look"),
    };
    let language = language.map(|language| (CookieName::Language, language.tag()));
    let theme = theme.map(|theme| (CookieName::Theme, theme.as_str()));
    for (name, value) in language.into_iter().chain(theme) {
        let cookie = visitor.site.cookie(name, value.to_owned());
        answer.add_cookie(&cookie).map_err(|error| Problem::new(Code::Internal).cause(error))?;
    }
    Ok(answer)
}
