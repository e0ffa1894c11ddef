//! Renders the answer to a player's mail as sentences: first what was understood, then what was not.

use pippost_language::{Arguments, Language};
use pippost_notices::{
    Answer, AnswerContent, OrdersFate, RequestOutcome, StopReason, Stopped, TableFate, Verdict,
};

/// The most orders named in a subject.
const MAX_NAMED: usize = 3;

/// The subject of the answer.
pub fn headline(answer: &Answer, game: &str, language: Language) -> String {
    let kind = match &answer.verdict {
        Verdict::Moved { stopped: Some(_), .. } => "stopped",
        Verdict::Told if !answer.outcomes.is_empty() => "did",
        Verdict::Told if answer.games => "games",
        Verdict::Told if answer.orders != OrdersFate::None => "orders",
        Verdict::Told if answer.preferences => "preferences",
        Verdict::Told if is_told(answer.table) => "message",
        verdict => kind_of(verdict),
    };
    let arguments = Arguments::default().text("game", game);
    let arguments = match &answer.verdict {
        Verdict::Moved { done, .. } => arguments.text("done", named(done)),
        Verdict::Asked { actions, .. } => arguments.text("orders", named(actions)),
        _ => arguments,
    };
    language.say_with(&format!("answer-subject-{kind}"), &arguments)
}

/// What an answer is about.
#[derive(Clone, Copy)]
pub struct About<'a> {
    /// The name of the game, or of all of them.
    pub name: &'a str,
    /// Whether it is a game that has started, which the mail shows.
    pub is_game: bool,
}

/// What came of a request that is no move.
fn outcome(outcome: &RequestOutcome, language: Language) -> String {
    let RequestOutcome { result, number, about, more } = outcome;
    let number = number.map(|number| number.to_string()).unwrap_or_default();
    let arguments = Arguments::default().text("number", number).text("about", about).text("more", more);
    language.say_with(result.text_key(), &arguments)
}

/// The whole answer, one paragraph per item. Where a line is to be sent back, the first names it: it is printed right below.
pub fn sentences(answer: &Answer, about: About<'_>, language: Language) -> Vec<String> {
    let say = |key: &str, arguments: Arguments| language.say_with(key, &arguments);
    let preferences = answer.preferences.then(|| language.say("answer-preferences"));
    let unsubscribed = answer.unsubscribed.then(|| language.say("answer-unsubscribed"));
    let orders = orders_key(answer).map(|key| language.say(&format!("answer-orders-{key}")));
    let message = (answer.table != TableFate::None).then(|| {
        let arguments = Arguments::default().text("text", answer.told.clone().unwrap_or_default());
        say(&format!("answer-table-{}", table(answer.table)), arguments)
    });
    let is_only_told = matches!(answer.verdict, Verdict::Told);
    let is_said = answer.preferences
        || orders.is_some()
        || answer.games
        || !answer.outcomes.is_empty()
        || !about.is_game;
    let came_of_it = (!(is_said && is_only_told)).then(|| verdict(&answer.verdict, about.name, language));
    let outcomes = answer.outcomes.iter().map(|of_one| outcome(of_one, language));
    let (first, last) = if is_only_told && is_told(answer.table) { (message, None) } else { (None, message) };
    let mut said: Vec<String> = match line_back(&answer.verdict, language) {
        Some(_) => came_of_it.into_iter().chain(preferences).chain(outcomes).collect(),
        None => {
            [preferences, unsubscribed, first, came_of_it].into_iter().flatten().chain(outcomes).collect()
        }
    };
    if matches!(answer.verdict, Verdict::Asked { preview: false, .. }) {
        said.push(language.say("answer-asked-how"));
    }
    // Their lines stand right below all sentences.
    let (orders_now, orders_last) =
        if answer.order_lines.is_empty() { (orders, None) } else { (None, orders) };
    if let Verdict::Moved { done, stopped: Some(stopped) } = &answer.verdict {
        said.extend(stop(stopped, done.last(), language));
    }
    if !answer.left_out.is_empty() {
        said.push(say("answer-left-out", Arguments::default().text("lines", quoted(&answer.left_out))));
    }
    said.extend(orders_now);
    said.extend(last);
    if answer.doubted && !matches!(answer.verdict, Verdict::Forged) {
        said.push(language.say("answer-doubted"));
    }
    said.extend(orders_last);
    said
}

/// What is said of orders for later, by its name in the catalogue.
fn orders_key(answer: &Answer) -> Option<&'static str> {
    Some(match answer.orders {
        OrdersFate::None => return None,
        OrdersFate::Given => "given",
        OrdersFate::Shown if answer.order_lines.is_empty() => "without",
        OrdersFate::Shown => "shown",
        OrdersFate::Cancelled => "cancelled",
        OrdersFate::NotTaken => "not_taken",
        OrdersFate::Unsure => "unsure",
        OrdersFate::YourTurn => "your_turn",
        OrdersFate::Late => "late",
        OrdersFate::TooMany => "too_many",
    })
}

/// The answer in one line, for a mail that is answered together with others.
fn in_short(answer: &Answer, about: About<'_>, language: Language) -> String {
    let mut said = sentences(answer, about, language);
    if !answer.order_lines.is_empty() {
        said.push(quoted(&answer.order_lines));
    }
    said.join(" ")
}

/// The answers to other mails, one line each, and how many more there were.
pub fn also(content: &AnswerContent, about: About<'_>, language: Language) -> Vec<String> {
    let mut lines: Vec<String> = content.also.iter().map(|also| in_short(also, about, language)).collect();
    if content.more_also > 0 {
        let count = i64::try_from(content.more_also).unwrap_or(i64::MAX);
        lines.push(language.say_with("answer-also-more", &Arguments::default().number("count", count)));
    }
    lines
}

/// The line that the player sends back to do what the mail asks about.
pub fn line_back(verdict: &Verdict, language: Language) -> Option<String> {
    let first = |key: &str| language.say(key).split(',').next().unwrap_or_default().trim().to_owned();
    match verdict {
        Verdict::ConfirmResign { word } => Some(format!("{} {word}", first("command-resign"))),
        Verdict::Asked { .. } => Some(first("command-yes")),
        _ => None,
    }
}

fn verdict(verdict: &Verdict, game: &str, language: Language) -> String {
    let arguments = Arguments::default().text("game", game);
    match verdict {
        Verdict::Moved { done, .. } => {
            language.say_with("answer-moved", &arguments.text("done", done.join(", ")))
        }
        Verdict::Asked { actions, preview } => {
            let key = if *preview { "answer-preview" } else { "answer-asked" };
            language.say_with(key, &arguments.text("orders", quoted(actions)))
        }
        Verdict::Unreadable { part, understood, why } => {
            unreadable("answer-unreadable", part, understood, why, language)
        }
        Verdict::Incomplete { part, why } => {
            language.say_with("answer-incomplete", &arguments.text("part", part).text("why", why))
        }
        Verdict::Illegal { part, why } => {
            language.say_with("answer-illegal", &arguments.text("part", part).text("why", why))
        }
        verdict => language.say_with(&format!("answer-{}", kind_of(verdict)), &arguments),
    }
}

/// Why the orders stopped, and which were not done as a result.
fn stop(stopped: &Stopped, last: Option<&String>, language: Language) -> Vec<String> {
    let Stopped { reason, part, understood, why, rest } = stopped;
    let ended = |key: &str| {
        let all = [std::slice::from_ref(part), rest].concat().join(", ");
        let last = last.cloned().unwrap_or_default();
        vec![language.say_with(key, &Arguments::default().text("last", last).text("rest", all))]
    };
    let mut said = match reason {
        StopReason::TurnOver => return ended("answer-stopped-turn_over"),
        StopReason::GameOver => return ended("answer-stopped-game_over"),
        StopReason::TooLong => return ended("answer-stopped-too_long"),
        StopReason::Unreadable => {
            vec![unreadable("answer-stopped-unreadable", part, understood, why, language)]
        }
        StopReason::Illegal => {
            let arguments = Arguments::default().text("part", part).text("why", why);
            vec![language.say_with("answer-stopped-illegal", &arguments)]
        }
    };
    if !rest.is_empty() {
        said.push(language.say_with("answer-not-done", &Arguments::default().text("rest", rest.join(", "))));
    }
    said
}

/// The part that was not understood, after the part that was.
fn unreadable(key: &str, part: &str, understood: &str, why: &str, language: Language) -> String {
    let rest = part
        .strip_prefix(understood)
        .map(str::trim)
        .filter(|rest| !rest.is_empty() && !understood.is_empty());
    let arguments = Arguments::default().text("why", why);
    match rest {
        Some(rest) => {
            let arguments = arguments.text("understood", understood).text("rest", rest);
            let end = if why.is_empty() { "after-whole" } else { "after" };
            language.say_with(&format!("{key}-{end}"), &arguments)
        }
        None => language.say_with(key, &arguments.text("part", part)),
    }
}

fn named(done: &[String]) -> String {
    let first = done.iter().take(MAX_NAMED).cloned().collect::<Vec<_>>().join(", ");
    if done.len() > MAX_NAMED { format!("{first} …") } else { first }
}

fn quoted(lines: &[String]) -> String {
    lines.iter().map(|line| format!("\"{line}\"")).collect::<Vec<_>>().join(", ")
}

/// The name of a verdict in the keys of the catalogue.
fn kind_of(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Moved { .. } => "moved",
        Verdict::Resigned => "resigned",
        Verdict::Told => "told",
        Verdict::Empty => "empty",
        Verdict::Unreadable { .. } => "unreadable",
        Verdict::NoOrder => "no_order",
        Verdict::NoGame => "no_game",
        Verdict::NotStarted => "not_started",
        Verdict::Incomplete { .. } => "incomplete",
        Verdict::Asked { preview: true, .. } => "preview",
        Verdict::Asked { .. } => "asked",
        Verdict::Declined => "declined",
        Verdict::PauseAgreed => "pause_agreed",
        Verdict::PauseDeclined => "pause_declined",
        Verdict::PauseGone => "pause_gone",
        Verdict::Confirmed => "confirmed",
        Verdict::NothingAsked => "nothing_asked",
        Verdict::TooMuch => "too_much",
        Verdict::Sealed => "sealed",
        Verdict::TooManyMails => "too_many_mails",
        Verdict::Illegal { .. } => "illegal",
        Verdict::NotYourTurn => "not_your_turn",
        Verdict::Left => "left",
        Verdict::GameOver => "game_over",
        Verdict::TooLong => "too_long",
        Verdict::Late => "late",
        Verdict::Used => "used",
        Verdict::Expired => "expired",
        Verdict::OtherAddress => "other_address",
        Verdict::NoSender => "no_sender",
        Verdict::Forged => "forged",
        Verdict::ConfirmResign { .. } => "confirm_resign",
        Verdict::Unknown => "unknown",
    }
}

/// Whether the message reached the table, whole or in part.
fn is_told(fate: TableFate) -> bool {
    matches!(fate, TableFate::Told | TableFate::Part)
}

fn table(fate: TableFate) -> &'static str {
    match fate {
        TableFate::None => "none",
        TableFate::Told => "told",
        TableFate::Part => "part",
        TableFate::Empty => "empty",
        TableFate::Signature => "signature",
        TableFate::Address => "address",
        TableFate::TooLong => "too_long",
        TableFate::TooMany => "too_many",
        TableFate::Muted => "muted",
        TableFate::NotTold => "not_told",
    }
}
