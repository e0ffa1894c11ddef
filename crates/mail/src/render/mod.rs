//! Renders contents with the templates in `templates/mail/`: each kind has a subject, a text and an HTML part.

mod answer;
mod board;

use answer::About;

use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{Environment, UndefinedBehavior, context};

use super::checkpoint::MailCheckpoint;
use super::content::Content;
use pippost_clock::TimeControl;
use pippost_language::functions::{self, Styles};
use pippost_language::{Arguments, Language, words};
use pippost_notices::delivery::Reader;
use pippost_notices::{
    AccountContent, AnswerContent, BoardPicture, ChallengeContent, ClubContent, DigestContent, DigestGame,
    DigestNews, ExpiredContent, GameContent, Headline, InvitationContent, Links,
};

/// The width of the text part, in columns.
const COLUMNS: usize = 78;

/// How many examples of notation a mail shows.
const EXAMPLES: usize = 5;

/// The Content-ID of the picture of the board.
pub const PICTURE_ID: &str = "board";

/// A rendered mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// The templates: parts of several mails; and by the name of its kind, of each mail about a game a text and a page, of every other mail
/// a subject, too.
macro_rules! templates {
    (parts: $($part:literal),+; of_games: $($game:literal),+; others: $($other:literal),+;) => {
        [
            $(template!($part),)+
            $(template!(concat!($game, "/mail.txt")), template!(concat!($game, "/mail.html")),)+
            $(
                template!(concat!($other, "/subject.txt")),
                template!(concat!($other, "/mail.txt")),
                template!(concat!($other, "/mail.html")),
            )+
        ]
    };
}

macro_rules! template {
    ($name:expr) => {
        ($name, include_str!(concat!("../../../../templates/mail/", $name)))
    };
}

static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.set_syntax(
        SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build().expect("the usual syntax"),
    );
    templates.add_filter("wrap", |text: &str| textwrap::fill(text, columns()));
    templates.add_filter("item", |text: &str| {
        textwrap::fill(text, columns().initial_indent("- ").subsequent_indent("  "))
    });
    templates.add_filter("indented", |text: &str| {
        textwrap::fill(text, columns().initial_indent("  ").subsequent_indent("  "))
    });
    templates.add_filter("sentences", |text: &str| {
        let (first, rest) = first_sentence(text);
        vec![first.to_owned(), rest.to_owned()]
    });
    functions::add(&mut templates, Some(STYLES));
    let all = templates! {
        parts: "layout.txt", "layout.html", "game.txt", "game.html", "game_subject.txt", "button.html", "answer/help.txt", "answer/help.html",
            "answer/general.txt", "answer/general.html", "answer/said.txt", "answer/said.html", "digest/list.txt", "digest/list.html",
            "digest/problem.txt", "digest/problem.html", "board.html", "tap.html";
        of_games: "turn", "reminder", "game_started", "game_over", "seat_offered", "seat_taken", "pause_proposed", "message";
        others: "game_expired", "digest", "invitation", "invitation_answered", "challenge", "club", "answer", "how_to_move", "confirm_email", "confirm_help", "reset_password", "address_in_use",
            "address_changed", "moderation", "webhook_disabled";
    };
    for (name, source) in all {
        templates.add_template(name, source).expect("the templates are tested");
    }
    templates.add_global("style", styles());
    templates
});

/// The first sentence of a text, and the rest. A dot behind one or two letters ends none.
fn first_sentence(text: &str) -> (&str, &str) {
    let is_end = |at: &usize| {
        let letters = text[..at - 1].chars().rev().take_while(|sign| sign.is_alphabetic()).count();
        let next = text[*at..].strip_prefix(' ').and_then(|rest| rest.chars().next());
        !(1..=2).contains(&letters) && next.is_some_and(char::is_uppercase)
    };
    let end = text.match_indices(['.', '?', '!']).map(|(at, _)| at + 1).find(is_end);
    let (first, rest) = text.split_at(end.unwrap_or(text.len()));
    (first, rest.trim_start())
}

/// Longer words, such as links, are not broken.
fn columns() -> textwrap::Options<'static> {
    textwrap::Options::new(COLUMNS).break_words(false).word_splitter(textwrap::WordSplitter::NoHyphenation)
}

const STYLES: Styles = Styles { link: " style=\"color:#0a6c74;overflow-wrap:anywhere;\"", code: "" };

/// Some mail programs ignore style sheets, so each element gets its style.
fn styles() -> Value {
    let fixed = "font-family:ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace;";
    context! {
        title => "margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:700;",
        heading => "margin:24px 0 8px;font-size:14px;line-height:1.4;font-weight:600;color:#5a6472;",
        board => "padding:16px;background:#f5f3ee;color:#1d2430;border:1px solid #dcd8cf;border-radius:6px;",
        drawing => format!("margin:0;line-height:1.25;white-space:pre;{fixed}"),
        sentences => format!("margin:0;line-height:1.5;white-space:pre-wrap;{fixed}"),
        // Its height is that of its line, because Outlook knows no padding of links.
        tap => format!("display:inline-block;margin:0 4px 4px 0;padding:0 12px;border:1px solid #0a6c74;border-radius:6px;\
            background:#f0ede6;color:#1d2430;font-size:14px;line-height:42px;text-decoration:none;overflow-wrap:anywhere;{fixed}"),
        code => format!("background:#f0ede6;color:#1d2430;padding:2px 6px;border-radius:4px;font-size:14px;\
            overflow-wrap:anywhere;{fixed}"),
    }
}

/// Who reads a mail, and what the reader can do with it.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    pub reader: &'a Reader,
    /// Where answers go, if the mail can be answered; if so, it explains how.
    pub reply_to: Option<&'a str>,
    /// The link that switches off mails of its kind.
    pub unsubscribe: Option<&'a str>,
    /// The newest checkpoint of the server's log.
    pub checkpoint: Option<&'a MailCheckpoint>,
}

/// Renders `content` for `recipient`, who may have no account.
pub fn render(content: Content, recipient: Option<String>, reading: &Reading<'_>, links: &Links) -> Rendered {
    let folder = content.template();
    let subject = match &content {
        Content::Game(_) => "game_subject.txt".to_owned(),
        _ => format!("{folder}/subject.txt"),
    };
    // An answer that is about no game has nothing of one.
    let mail = if matches!(&content, Content::Answer(content) if content.game.is_none()) {
        "general"
    } else {
        "mail"
    };
    let reader = reading.reader;
    let titled = titled(&content, reader);
    let common = context! {
        recipient,
        answerable => reading.reply_to.is_some(),
        reply_to => reading.reply_to,
        unsubscribe => reading.unsubscribe,
        checkpoint => reading.checkpoint.map(MailCheckpoint::shown),
        home => links.home().to_owned(),
        language => reader.language.tag(),
    };
    let particular = match content {
        Content::Game(content) => game(content, reader),
        Content::Digest(content) | Content::HowToMove(content) => digest(content, reader),
        Content::Invitation(content) | Content::InvitationAnswered(content) => {
            invitation(content, reader.language)
        }
        Content::Challenge(content) => challenge(content, reader),
        Content::Club(content) => club(&content, reader.language),
        Content::Expired(content) => expired(content, reader),
        Content::Account(content) | Content::AddressInUse(content) => account(content, reader),
        Content::Answer(content) => answer(content, reader),
        Content::Moderation(content) => {
            context! {
                kind => content.kind.as_str(),
                reason => content.reason.as_str(),
                words => &content.words,
                ends => content.ends_at.map(|ends_at| date_time(ends_at, reader)),
                link => &content.link,
            }
        }
        Content::WebhookDisabled(content) => {
            context! {
                host => content.host,
                since => date_time(content.failing_since, reader),
                link => links.to("/preferences/webhooks"),
            }
        }
    };
    let values = context! { ..particular, ..common };
    let subject = fill(&subject, &values).trim_end().to_owned();
    let values = context! { subject => subject.clone(), ..values };
    let values = match titled {
        Some(game) => context! { game, ..values },
        None => values,
    };
    let text = fill(&format!("{folder}/{mail}.txt"), &values);
    // Slashes need no escape, and programs that search the source for links do not find escaped ones.
    let html = fill(&format!("{folder}/{mail}.html"), &values).replace("&#x2f;", "/");
    Rendered { subject, text, html }
}

/// The game's name with its title, for the text of a mail alone: subjects have nothing that a player wrote.
fn titled(content: &Content, reader: &Reader) -> Option<String> {
    let Content::Game(content) = content else { return None };
    let game = words::game_name(&content.rules_title, &content.opponents, reader.language);
    let named = Arguments::default().text("game", game).text("title", content.game_title.as_ref()?);
    Some(reader.language.say_with("game-titled", &named))
}

fn fill(name: &str, values: &Value) -> String {
    let template = TEMPLATES.get_template(name).expect("every kind has its templates");
    template.render(values).expect("the templates are tested with every kind")
}

fn game(content: GameContent, reader: &Reader) -> Value {
    context! {
        subject_key => content.subject_key(),
        game => words::game_name(&content.rules_title, &content.opponents, reader.language),
        number => content.number,
        happened => content.happened,
        has_moved => content.has_moved,
        said => content.said,
        to_do => content.to_do,
        examples => content.legal_notation.into_iter().take(EXAMPLES).collect::<Vec<_>>(),
        deadline => content.deadline.map(|at| date_time(at, reader)),
        time_left => content.time_left.map(|left| words::span(left, reader.language)),
        pause_by => content.pause.as_ref().map(|pause| pause.by.clone()),
        pause_until => content.pause.and_then(|pause| pause.until).map(|at| date_time(at, reader)),
        holiday => content.holiday.map(|holiday| context! {
            last_day => holiday.last_day.to_string(),
            days => i64::from(holiday.days),
            left => i64::from(holiday.left),
        }),
        seat_before => content.seat.as_ref().map(|seat| seat.before.clone()),
        seat_taken_by => content.seat.as_ref().and_then(|seat| seat.taken_by.clone()),
        seat_until => content.seat.and_then(|seat| seat.until).map(|at| date_time(at, reader)),
        result => content.result,
        link => content.link,
        ..shown_board(&content.board, content.picture)
    }
}

/// A board as text, and as a picture if there is one.
fn shown_board(board: &str, picture: Option<BoardPicture>) -> Value {
    context! {
        blocks => board::blocks(board),
        board => board.trim_end().to_owned(),
        narrow_board => board::narrow(board),
        picture => picture.map(|picture| context! {
            source => format!("cid:{PICTURE_ID}"),
            alt => picture.alt,
            width => picture.width_px,
        }),
    }
}

fn date_time(at: time::OffsetDateTime, reader: &Reader) -> String {
    words::date_time(at, &reader.zone, reader.language)
}

fn digest(content: DigestContent, reader: &Reader) -> Value {
    let listed =
        |games: Vec<DigestGame>| games.into_iter().map(|game| digest_game(game, reader)).collect::<Vec<_>>();
    let news: Vec<_> = content.news.into_iter().map(|news| digest_news(news, reader)).collect();
    let more_news = content.more_news;
    let (mine, others, open) = (listed(content.mine), listed(content.others), listed(content.open));
    let lists = context! { mine, others, open, news, more_news };
    let Some(problem) = content.problem else { return context! { problem => (), ..lists } };
    let board = shown_board(&problem.board, problem.picture);
    let problem = context! {
        title => problem.rules_title,
        mover => problem.mover,
        to_do => problem.to_do,
        link => problem.link,
        answer_before => problem.answer_before,
    };
    let lists = context! { problem, ..lists };
    context! { ..lists, ..board }
}

fn answer(mut content: AnswerContent, reader: &Reader) -> Value {
    let language = reader.language;
    let verdict = &content.answer.verdict;
    let game_of = |game: &GameContent| words::game_name(&game.rules_title, &game.opponents, language);
    let lists_games = content.games.is_some();
    let name = content.game.as_ref().map_or_else(|| language.say("answer-your-games"), game_of);
    let about = About { name: &name, is_game: content.game.is_some() };
    let lists = content.games.take().map(|listed| digest(listed, reader)).unwrap_or_default();
    let own = context! {
        headline => answer::headline(&content.answer, &name, language),
        lists_games,
        who => content.who.clone(),
        said => answer::sentences(&content.answer, about, language),
        order_lines => content.answer.order_lines.clone(),
        word => answer::line_back(verdict, language),
        also => answer::also(&content, about, language),
        help => content.answer.help,
        notation_help => content.notation_help,
        language => language.tag(),
        acted => verdict.acted(),
        legal => content.legal,
        more_legal => content.more_legal,
    };
    let help = content.answer.help.then(|| fill("answer/help.txt", &own).trim().to_owned());
    let values = context! { ..own, ..lists };
    let values = context! { help, ..values };
    let Some(content) = content.game else { return context! { number => (), result => (), ..values } };
    context! { ..values, ..game(content, reader) }
}

fn digest_news(news: DigestNews, reader: &Reader) -> Value {
    let language = reader.language;
    let (headline, number, link) = match news {
        DigestNews::Game(content) => {
            (Headline::of_game(&content, language, &reader.zone), content.number, content.link)
        }
        DigestNews::Invitation(content) => (Headline::of_invitation(&content, language), None, content.link),
        DigestNews::Challenge(content) => {
            (Headline::of_challenge(&content, language, &reader.zone), None, content.link)
        }
        DigestNews::Club(content) => (Headline::of_club(&content, language), None, content.link),
        DigestNews::Expired(content) => {
            (Headline::of_expired(&content, language), content.number, content.link)
        }
    };
    context! { title => headline.title, number, body => headline.body, link }
}

fn digest_game(game: DigestGame, reader: &Reader) -> Value {
    context! {
        name => words::game_name(&game.rules_title, &game.opponents, reader.language),
        number => game.number,
        to_do => game.to_do,
        waits_for => game.waits_for,
        deadline => game.deadline.map(|at| date_time(at, reader)),
        time_left => game.time_left.map(|left| words::span(left, reader.language)),
        link => game.link,
    }
}

/// The players and the time limit of an invitation, in sentences.
fn invitation(content: InvitationContent, language: Language) -> Value {
    let seats = Arguments::default().number("seats", content.seats.into());
    let mut about = vec![language.say_with("invitation-seats", &seats)];
    let others: Vec<_> = content.joined.iter().filter(|handle| **handle != content.from).cloned().collect();
    if !others.is_empty() {
        let count = i64::try_from(others.len()).unwrap_or(i64::MAX);
        let joined =
            Arguments::default().number("count", count).text("names", words::list(&others, language));
        about.push(language.say_with("invitation-joined", &joined));
    }
    let TimeControl { limit_hours, bank, .. } = content.time_control;
    let span = |hours: i32| words::span(time::Duration::hours(hours.into()), language);
    if let Some(hours) = limit_hours {
        let limit = Arguments::default().text("limit", span(hours));
        about.push(language.say_with("invitation-limit", &limit));
    }
    if let Some(bank) = bank {
        let saved =
            Arguments::default().text("start", span(bank.start_hours)).text("gain", span(bank.gain_hours));
        about.push(language.say_with("invitation-bank", &saved));
    }
    if content.time_control.is_unlimited() {
        about.push(language.say("invitation-no-limit"));
    }
    if content.substitutes {
        about.push(language.say("invitation-substitutes"));
    }
    context! { from => content.from, rules => content.rules_title, about => about.join(" "), link => content.link }
}

fn challenge(content: ChallengeContent, reader: &Reader) -> Value {
    context! {
        from => content.from,
        rules => content.rules_title,
        until => date_time(content.until, reader),
        is_last => content.is_last,
        link => content.link,
    }
}

fn club(content: &ClubContent, language: Language) -> Value {
    let Headline { title, body } = Headline::of_club(content, language);
    context! { title, about => body, told => content.told.as_str(), from => &content.player, link => &content.link }
}

fn expired(content: ExpiredContent, reader: &Reader) -> Value {
    context! {
        game => words::game_name(&content.rules_title, &content.others, reader.language),
        number => content.number,
        missing => content.missing,
        created => date_time(content.created_at, reader),
        link => content.link,
    }
}

fn account(content: AccountContent, reader: &Reader) -> Value {
    context! { link => content.link, expires => date_time(content.expires_at, reader) }
}

#[cfg(test)]
mod tests;
