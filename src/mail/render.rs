//! Puts content into words, by the templates in `templates/mail/`: for each kind a subject, a text and an HTML part.

use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{Environment, UndefinedBehavior, context};

use super::content::Content;
use super::words;
use crate::notices::{AccountLetter, GameLetter, InvitationLetter, Links};

/// The width of the text part, in columns.
const COLUMNS: usize = 78;

/// How many of the opponents are named where more are too many to read.
const NAMED_OPPONENTS: usize = 3;

/// How many examples of notation a mail shows.
const EXAMPLES: usize = 4;

/// The most pixels that a board may take across: on a wide screen, on a telephone.
const BOARD_WIDTH_PX: (f64, f64) = (500.0, 310.0);

/// Sizes of the board's letters, in pixels: the smallest that can be read, and the largest wanted.
const BOARD_LETTER_PX: (f64, f64) = (8.0, 14.0);

/// How wide a letter of fixed width is, as a part of its size; 0.6 in most founts.
const LETTER_WIDTH: f64 = 0.61;

/// One mail in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    pub subject: String,
    pub text: String,
    pub html: String,
}

macro_rules! templates {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../templates/mail/", $name)))),*]
    };
}

static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    templates.set_syntax(
        SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build().expect("the usual syntax"),
    );
    templates.add_filter("wrap", |text: &str| textwrap::fill(text, columns()));
    templates.add_filter("item", |text: &str| {
        textwrap::fill(text, columns().initial_indent("- ").subsequent_indent("  "))
    });
    for (name, source) in templates![
        "layout.txt",
        "layout.html",
        "game.txt",
        "game.html",
        "button.html",
        "turn/subject.txt",
        "turn/mail.txt",
        "turn/mail.html",
        "reminder/subject.txt",
        "reminder/mail.txt",
        "reminder/mail.html",
        "game_started/subject.txt",
        "game_started/mail.txt",
        "game_started/mail.html",
        "game_over/subject.txt",
        "game_over/mail.txt",
        "game_over/mail.html",
        "invitation/subject.txt",
        "invitation/mail.txt",
        "invitation/mail.html",
        "confirm_email/subject.txt",
        "confirm_email/mail.txt",
        "confirm_email/mail.html",
        "reset_password/subject.txt",
        "reset_password/mail.txt",
        "reset_password/mail.html",
    ] {
        templates.add_template(name, source).expect("the templates are tested");
    }
    templates.add_global("style", styles());
    templates
});

/// Longer words, such as links, stay whole.
fn columns() -> textwrap::Options<'static> {
    textwrap::Options::new(COLUMNS).break_words(false).word_splitter(textwrap::WordSplitter::NoHyphenation)
}

/// Mail programs that know no style sheets need the style on each element.
fn styles() -> Value {
    let fixed = "font-family:ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace;";
    context! {
        title => "margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:700;",
        heading => "margin:24px 0 8px;font-size:14px;line-height:1.4;font-weight:600;color:#625d53;",
        link => "color:#17604b;overflow-wrap:anywhere;",
        board => format!("margin:0;padding:16px;background:#f8f6f1;color:#1b1916;border:1px solid #e0dcd3;\
            border-radius:6px;line-height:1.3;white-space:pre;overflow-x:auto;{fixed}"),
        code => format!("background:#f0ede6;color:#1b1916;padding:2px 6px;border-radius:4px;font-size:14px;\
            white-space:nowrap;{fixed}"),
    }
}

/// The mail that says `content` to `recipient`, who may have no account.
pub fn render(content: Content, recipient: Option<String>, links: &Links) -> Rendered {
    let folder = content.template();
    let common = context! { recipient, home => links.home().to_owned(), mail_switch => links.mail_switch() };
    let particular = match content {
        Content::Game(letter) => game(letter),
        Content::Invitation(letter) => invitation(letter),
        Content::Account(letter) => account(letter),
    };
    let values = context! { ..particular, ..common };
    let subject = fill(&format!("{folder}/subject.txt"), &values).trim_end().to_owned();
    let values = context! { subject => subject.clone(), ..values };
    let text = fill(&format!("{folder}/mail.txt"), &values);
    let html = fill(&format!("{folder}/mail.html"), &values);
    Rendered { subject, text, html }
}

fn fill(name: &str, values: &Value) -> String {
    let template = TEMPLATES.get_template(name).expect("every kind has its templates");
    template.render(values).expect("the templates are tested with every kind")
}

fn game(letter: GameLetter) -> Value {
    let board = letter.board.trim_end().to_owned();
    let columns = board.lines().map(|line| line.chars().count()).max().unwrap_or_default();
    context! {
        game => game_name(&letter.rules_title, &letter.opponents),
        happened => letter.happened,
        board,
        board_px => letter_px(columns, BOARD_WIDTH_PX.0),
        board_narrow_px => letter_px(columns, BOARD_WIDTH_PX.1),
        to_do => letter.to_do,
        examples => letter.legal_notation.into_iter().take(EXAMPLES).collect::<Vec<_>>(),
        deadline => letter.deadline.map(words::moment),
        time_left => letter.time_left.map(words::span),
        result => letter.result,
        link => letter.link,
    }
}

/// `Pip•Pip against bob`: what stays the same through all mails of a game.
fn game_name(rules_title: &str, opponents: &[String]) -> String {
    match opponents {
        [] => rules_title.to_owned(),
        few if few.len() <= NAMED_OPPONENTS => format!("{rules_title} against {}", words::list(few)),
        [first, rest @ ..] => format!("{rules_title} against {first} and {} others", rest.len()),
    }
}

/// The largest size of letters at which so many columns fit into `width` pixels.
fn letter_px(columns: usize, width: f64) -> f64 {
    let columns = f64::from(u16::try_from(columns.max(1)).unwrap_or(u16::MAX));
    (width / columns / LETTER_WIDTH).floor().clamp(BOARD_LETTER_PX.0, BOARD_LETTER_PX.1)
}

fn invitation(letter: InvitationLetter) -> Value {
    let others: Vec<_> = letter.joined.iter().filter(|handle| **handle != letter.from).cloned().collect();
    let joined = match others.len() {
        0 => String::new(),
        1 => format!("{} has joined already. ", others[0]),
        _ => format!("{} have joined already. ", words::list(&others)),
    };
    let pace = match letter.limit_hours {
        Some(hours) => {
            let limit = words::span(time::Duration::hours(hours.into()));
            format!("Each player has {limit} for each move.")
        }
        None => "There is no time limit for a move.".to_owned(),
    };
    let seats = if letter.seats == 1 { "one player".to_owned() } else { format!("{} players", letter.seats) };
    context! { from => letter.from, rules => letter.rules_title, joined, pace, seats, link => letter.link }
}

fn account(letter: AccountLetter) -> Value {
    context! { link => letter.link, expires => words::moment(letter.expires_at) }
}

#[cfg(test)]
mod tests;
