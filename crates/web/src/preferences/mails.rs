//! Which mails come and when, the language, and the theme.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post};
use minijinja::context;
use serde::Deserialize;

use super::{PreferencesPage, back, looks, show};
use crate::form::{Posted, own_path, see_other};
use crate::page::page;
use crate::site::CookieName;
use crate::visitor::{SignedIn, Theme, Visitor};
use pippost_accounts::{DigestChange, PreferencesChange, ProfileChange, PushChange, TurnMails};
use pippost_clock::{MinuteOfDay, QuietHours, ReminderSchedule, Zone};
use pippost_http::peer::Peer;
use pippost_http::{Code, Problem};
use pippost_language::Language;

/// The form; a box that is not ticked is not sent.
#[derive(Debug, Deserialize)]
pub struct MailsForm {
    #[serde(default)]
    mail_enabled: Option<String>,
    #[serde(default)]
    turns: String,
    #[serde(default)]
    reminders: Option<String>,
    /// As in `50% 24h`; empty: as before.
    #[serde(default)]
    reminder_schedule: String,
    #[serde(default)]
    last_in_quiet: Option<String>,
    #[serde(default)]
    games: NewsMails,
    #[serde(default)]
    invitations: NewsMails,
    /// Whether the form asks what comes by web push.
    #[serde(default)]
    push: Option<String>,
    #[serde(default)]
    push_turns: Option<String>,
    #[serde(default)]
    push_reminders: Option<String>,
    #[serde(default)]
    push_games: Option<String>,
    #[serde(default)]
    push_invitations: Option<String>,
    #[serde(default)]
    digest_time: String,
    #[serde(default)]
    quiet: Option<String>,
    #[serde(default)]
    quiet_from: String,
    #[serde(default)]
    quiet_until: String,
    #[serde(default)]
    zone: String,
}

/// How news of a kind comes by mail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NewsMails {
    /// Each in a mail of its own.
    Each,
    /// With the daily digest.
    Digest,
    #[default]
    None,
}

impl NewsMails {
    pub const ALL: [&str; 3] = ["each", "digest", "none"];

    /// The word of the form for a preference.
    pub fn word(wanted: bool, in_digest: bool) -> &'static str {
        match (wanted, in_digest) {
            (true, false) => "each",
            (true, true) => "digest",
            (false, _) => "none",
        }
    }

    fn is_wanted(self) -> bool {
        self != Self::None
    }

    /// Unchanged by those that do not come at all.
    fn in_digest(self) -> Option<bool> {
        (self != Self::None).then_some(self == Self::Digest)
    }
}

impl MailsForm {
    fn push_change(&self) -> PushChange {
        let ticked = |field: &Option<String>| self.push.as_ref().map(|_| field.is_some());
        PushChange {
            turns: ticked(&self.push_turns),
            reminders: ticked(&self.push_reminders),
            games: ticked(&self.push_games),
            invitations: ticked(&self.push_invitations),
        }
    }
}

#[post("/preferences/mails")]
pub async fn change_mails(
    signed_in: SignedIn,
    peer: Peer,
    accounts: PreferencesPage,
    form: Posted<MailsForm>,
) -> Result<HttpResponse, Problem> {
    let form = form.into_inner();
    let language = signed_in.visitor.language;
    let Ok(zone) = Zone::named(form.zone.trim()) else {
        let zone_problem = language.say("preferences-zone-bad");
        let more = context! { zone_problem };
        return show(StatusCode::UNPROCESSABLE_ENTITY, signed_in, &accounts, more).await;
    };
    let schedule = ReminderSchedule::parse(&form.reminder_schedule);
    if schedule.is_none() && !form.reminder_schedule.trim().is_empty() {
        let schedule_problem = language.say("preferences-schedule-bad");
        let more = context! { schedule_problem };
        return show(StatusCode::UNPROCESSABLE_ENTITY, signed_in, &accounts, more).await;
    }
    let quiet = MinuteOfDay::parse(&form.quiet_from).zip(MinuteOfDay::parse(&form.quiet_until));
    let quiet = quiet.and_then(|(from, until)| QuietHours::new(from, until));
    let change = PreferencesChange {
        zone: Some(zone),
        turns: TurnMails::ALL.iter().copied().find(|turns| turns.as_str() == form.turns),
        reminders: Some(form.reminders.is_some()),
        reminder_schedule: schedule,
        last_reminder_in_quiet_hours: Some(form.last_in_quiet.is_some()),
        games: Some(form.games.is_wanted()),
        invitations: Some(form.invitations.is_wanted()),
        digest: DigestChange { games: form.games.in_digest(), invitations: form.invitations.in_digest() },
        digest_time: MinuteOfDay::parse(&form.digest_time),
        quiet_hours: Some(quiet.filter(|_| form.quiet.is_some())),
        push: form.push_change(),
        ..PreferencesChange::default()
    };
    let account = &signed_in.account;
    accounts.change_preferences(account.player_id, change).await?;
    let profile = ProfileChange { mail_enabled: Some(form.mail_enabled.is_some()), email: None };
    accounts.change_profile(account, &profile, peer.0).await?;
    Ok(back("mails", "mails"))
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
        None if visitor.account.is_some() => back("look", "look"),
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
