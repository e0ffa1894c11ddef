//! What a notice tells in a title and a sentence or two, where there is no room for a whole mail: by web push, and in a digest.

use time::OffsetDateTime;

use super::content::{ChallengeContent, ClubContent, ExpiredContent, GameContent, InvitationContent};
use pippost_clock::Zone;
use pippost_language::{Arguments, Language, words};
use pippost_store::notices::NoticeKind;

/// A title and a text, both plain; the text may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headline {
    pub title: String,
    pub body: String,
}

impl Headline {
    /// About a game.
    #[must_use]
    pub fn of_game(content: &GameContent, language: Language, zone: &Zone) -> Self {
        let game = words::game_name(&content.rules_title, &content.opponents, language);
        let title = language.say_with(&content.subject_key(), &Arguments::default().text("game", game));
        let told = told(content, language, zone);
        let (to_do, result) = (content.to_do.clone(), content.result.clone());
        let stands = [left(content, language), to_do, result].into_iter().filter(|_| content.said.is_empty());
        let body = stands.chain([told]);
        let body: Vec<String> = body.flatten().collect();
        Self { title, body: body.join(" ") }
    }

    /// An invitation.
    #[must_use]
    pub fn of_invitation(content: &InvitationContent, language: Language) -> Self {
        let arguments = Arguments::default().text("from", &content.from).text("rules", &content.rules_title);
        let seats = Arguments::default().number("seats", content.seats.into());
        let title = language.say_with("invitation-subject", &arguments);
        Self { title, body: language.say_with("invitation-seats", &seats) }
    }

    /// A challenge.
    #[must_use]
    pub fn of_challenge(content: &ChallengeContent, language: Language, zone: &Zone) -> Self {
        let arguments = Arguments::default().text("from", &content.from).text("rules", &content.rules_title);
        let until = Arguments::default().text("until", words::date_time(content.until, zone, language));
        let title = language.say_with("challenge-subject", &arguments);
        Self { title, body: language.say_with("challenge-until", &until) }
    }

    /// What happened about a club.
    #[must_use]
    pub fn of_club(content: &ClubContent, language: Language) -> Self {
        let arguments = Arguments::default().text("player", &content.player).text("club", &content.club);
        let say = |part: &str| language.say_with(&format!("club-{part}-{}", content.told), &arguments);
        Self { title: say("subject"), body: say("text") }
    }

    /// A game that has expired.
    #[must_use]
    pub fn of_expired(content: &ExpiredContent, language: Language) -> Self {
        let game = words::game_name(&content.rules_title, &content.others, language);
        let title = language.say_with("expired-subject", &Arguments::default().text("game", game));
        let body = match content.missing {
            0 => language.say("expired-full"),
            missing => {
                language.say_with("expired-missing", &Arguments::default().number("missing", missing.into()))
            }
        };
        Self { title, body }
    }
}

impl GameContent {
    /// The text that is the subject of the mail, and the title of a headline: it has the name of the kind.
    #[must_use]
    pub fn subject_key(&self) -> String {
        if self.pause.as_ref().is_some_and(|pause| pause.until.is_none()) {
            return "resume-proposed-subject".to_owned();
        }
        format!("{}-subject", self.kind.as_str().replace('_', "-"))
    }
}

/// How much time is left, in a reminder.
fn left(content: &GameContent, language: Language) -> Option<String> {
    let left = content.time_left.filter(|_| content.kind == NoticeKind::Reminder)?;
    let left = Arguments::default().text("left", words::span(left, language));
    Some(language.say_with("time-left-short", &left))
}

/// What a proposal or a change of seats is about, or what others have written last.
fn told(content: &GameContent, language: Language, zone: &Zone) -> Option<String> {
    if let Some(said) = content.said.last() {
        return Some(said.clone());
    }
    let date = |at: OffsetDateTime| words::date_time(at, zone, language);
    if let Some(pause) = &content.pause {
        let arguments = Arguments::default().text("by", &pause.by);
        return Some(match pause.until {
            Some(until) => language.say_with("pause-asked", &arguments.text("until", date(until))),
            None => language.say_with("resume-asked", &arguments),
        });
    }
    let seat = content.seat.as_ref()?;
    let arguments = Arguments::default().text("before", &seat.before);
    Some(match (&seat.taken_by, seat.until) {
        (Some(by), _) => language.say_with("seat-taken", &arguments.text("by", by)),
        (None, Some(until)) => language.say_with("seat-vacant", &arguments.text("until", date(until))),
        (None, None) => language.say_with("seat-offered", &arguments),
    })
}
