//! Finds the orders in a mail, the lines that are not orders, and the message to the table.
//!
//! A line is an order only if the whole line can be read as one. Lines above the first order are left out; the orders end with
//! the first paragraph that holds none. Only a line that begins like an order but is invalid stops the orders below it.

use super::commands::{self, Command, CommandReading};
use super::doubts::{Doubts, Line};
use super::marks::{is_message_mark, message_behind_mark};
use super::our_mail::OurMail;
use super::quoting::{Own, is_blank, is_invisible, own_lines};
use super::signature::{Names, is_signature};
use super::table_message::{self, Written, is_closing};
use pippost_accounts::preferences::{PreferencesChange, TurnMails};
use pippost_games::MAX_ACTIONS;
use pippost_games::letters::messages::steers;
use pippost_games::letters::notation::{LineReading, ReadLines};
use pippost_games::standing_orders::{self, OrderLine, StandingOrders};
use pippost_record::rules::{Sentence, Unreadable};

/// The longest line that is read as an order, in characters.
const MAX_LINE_CHARS: usize = 500;

/// The most characters that an answer repeats of a text that could not be read.
const MAX_REPEATED_CHARS: usize = 80;

/// What stands before the items of lists, apart from signs that are stripped anyway.
const BULLETS: [&str; 7] = ["- ", "\u{2013} ", "\u{2014} ", "+ ", "-> ", "=> ", "> "];

/// The longest face made of signs, in characters.
const MAX_SMILEY_CHARS: usize = 4;

/// The most left-out lines that an answer lists.
const MAX_LEFT_OUT: usize = 4;

/// The most parts of a mail that are read as orders.
const MAX_PARTS: usize = 300;

/// The most lines that are looked at for what they may mean.
const MAX_GUESSED_LINES: usize = 20;

/// The most changes of preferences by one mail.
const MAX_PREFERENCES: usize = 8;

/// What a mail asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is asked for or not, whatever the others are")]
pub struct Orders {
    /// Actions in notation, in order.
    pub actions: Vec<String>,
    /// The first invalid order.
    pub broken: Option<Broken>,
    /// Lines that are not orders, shortened by [`harmless`].
    pub left_out: Vec<String>,
    /// Asks for the state of the game.
    pub status: bool,
    pub history: bool,
    pub help: bool,
    pub resign: Option<Resignation>,
    /// Moves for later, as in `if pass then store`.
    pub standing: StandingOrders,
    pub shows_standing: bool,
    pub cancels_standing: bool,
    pub preferences: Vec<PreferencesChange>,
    /// The message to the other players.
    pub message: Written,
    /// What the mail says, for comparison with other mails; counters and times are folded if it holds no order.
    pub words: String,
    /// The mail holds more than is read, so nothing in it counts.
    pub too_much: bool,
    /// What stands around the actions makes them doubtful, so they are asked about.
    pub doubted: bool,
    /// The action that a mail without any may mean.
    pub guess: Option<String>,
    /// Wants no more mails about turns.
    pub unsubscribes: bool,
    /// The player answers yes or no to what the mail asked.
    pub answer: Option<bool>,
}

/// An order to resign, with the confirmation word if the mail gives one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resignation {
    pub word: Option<String>,
}

/// A line that begins like an order but is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The line, shortened by [`harmless`].
    pub part: String,
    /// The position where reading failed, in characters from the start.
    pub at: Option<usize>,
    pub why: Sentence,
    /// The orders below the line, which are not carried out.
    pub rest: Vec<String>,
}

/// The reader's position among the paragraphs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    /// Before the first order.
    Above,
    /// In a paragraph with an order.
    Inside,
    /// Between a paragraph with an order and the next paragraph.
    Between,
    Below,
}

/// What is known about the writer and helps to read the text.
#[derive(Clone, Copy, Debug)]
pub struct Writer<'a> {
    pub ours: &'a OurMail,
    /// The display name of the writer.
    pub name: Option<&'a str>,
    /// The address of the writer.
    pub address: Option<&'a str>,
    /// The handle of the player to whom the answered mail went.
    pub handle: &'a str,
}

impl Writer<'_> {
    fn names(&self) -> Names {
        Names::new(self.name, self.address, self.handle)
    }
}

impl Orders {
    /// Reads the orders in the text of a mail; `reader` reads a line by the rules of the game.
    pub fn read(text: &str, writer: Writer<'_>, reader: &dyn ReadLines) -> Self {
        let text: String = text.chars().filter(|character| !is_invisible(*character)).collect();
        let Own { lines: own, doubtful, unread, too_much, typed, .. } =
            own_lines(&text, writer.ours, writer.handle);
        if too_much {
            return Self::beyond_bounds();
        }
        let is_mark = |line: &&str| is_message_mark(line) || message_behind_mark(line).is_some();
        let mark = own.iter().position(is_mark).unwrap_or(own.len());
        let mut orders = Self { message: message_of(&own[mark..], doubtful, writer), ..Self::default() };
        let (names, mut place) = (writer.names(), Section::Above);
        let mut doubts = Doubts::new(&names);
        // Lines that were read with the one above them.
        let mut joined = 0;
        let mut parts = 0;
        let mut is_below = false;
        for (at, line) in own[..mark].iter().enumerate() {
            // Some games have cards of two letters, and a mail that begins with one means the card.
            let is_signed = || is_below && names.have_initials(line);
            parts += usize::from(!line.is_empty()) + line.matches(';').count();
            if parts > MAX_PARTS {
                return Self::beyond_bounds();
            }
            place = match (line.is_empty(), place) {
                _ if joined > 0 => {
                    joined -= 1;
                    place
                }
                (true, place) => {
                    doubts.add(line, Line::Other);
                    if place == Section::Inside { Section::Between } else { place }
                }
                (false, _) if is_struck(line) => place,
                (false, _) if is_signed() => {
                    orders.leave_out(line);
                    place
                }
                (false, place) => {
                    let (text, next) = standing_orders::joined(&own[at..mark], reader);
                    joined = next;
                    orders.add_line(&narrow(&text), place, reader, &mut doubts)
                }
            };
            is_below |= !line.is_empty();
        }
        for line in &own[mark..] {
            orders.remember(line);
        }
        // Without a mark nothing else says that these lines were not read.
        if mark == own.len() && !unread.is_empty() && !is_signature(&unread, &writer.names(), true) {
            orders.leave_out(unread[0]);
        }
        let lines = own[..mark].iter().chain(typed.iter()).filter(|line| !line.is_empty());
        orders.weigh(&doubts, lines, reader);
        if orders.actions.is_empty() && orders.broken.is_none() {
            orders.words = without_digits(&orders.words);
        }
        orders
    }

    /// Decides whether what was read is surely meant, and what `lines` may mean if nothing was.
    fn weigh<'l>(
        &mut self,
        doubts: &Doubts<'_>,
        lines: impl Iterator<Item = &'l &'l str>,
        reader: &dyn ReadLines,
    ) {
        if !self.actions.is_empty() {
            // `stop` above an order means the order.
            self.doubted = doubts.are_found() || self.answer == Some(false) || self.unsubscribes;
            (self.answer, self.unsubscribes) = (None, false);
            return;
        }
        if self.unsubscribes {
            let (turns, reminders) = (Some(TurnMails::None), Some(false));
            self.preferences.push(PreferencesChange { turns, reminders, ..PreferencesChange::default() });
        }
        // A yes with a but is none.
        self.answer = self.answer.filter(|is_yes| !(*is_yes && doubts.are_found()));
        if self.asks() || self.answer.is_some() {
            return;
        }
        let mut meant: Vec<String> = Vec::new();
        for line in lines.take(MAX_GUESSED_LINES) {
            match reader.meant(&narrow(line)) {
                Some(action) if !meant.contains(&action) => meant.push(action),
                None if self.broken.is_none() && commands::may_resign(line) => {
                    self.resign = Some(Resignation { word: None });
                }
                _ => {}
            }
        }
        if meant.len() == 1 {
            (self.guess, self.resign) = (meant.pop(), None);
        }
    }

    /// Takes the action that the subject of a mail holds, if the mail holds nothing else.
    pub fn read_subject(&mut self, subject: &str, reader: &dyn ReadLines) {
        let last = subject.rsplit(':').next().unwrap_or_default();
        if self.is_empty()
            && let Meaning::Action(action) = Meaning::read_whole(last, Section::Above, reader)
        {
            self.guess = Some(action);
        }
    }

    fn beyond_bounds() -> Self {
        Self { too_much: true, ..Self::default() }
    }

    /// Reads one line and returns the new position. Only a line that begins with an order has others behind `;`: what another
    /// player said is told with such signs too.
    fn add_line(
        &mut self,
        line: &str,
        place: Section,
        reader: &dyn ReadLines,
        doubts: &mut Doubts<'_>,
    ) -> Section {
        if let Some(place) = self.add_standing(plain(line), place, reader) {
            self.remember(line);
            doubts.add(line, Line::Order);
            return place;
        }
        let is_filled = |part: &&str| part.chars().any(|sign| sign.is_alphanumeric() || sign == '?');
        let mut parts = line.split(';').map(str::trim).filter(is_filled);
        let Some(first) = parts.next() else { return place };
        self.remember(line);
        let read = Meaning::read_whole(first, place, reader);
        doubts.add(if matches!(read, Meaning::Other) { line } else { first }, read.taken_for(place));
        if matches!(read, Meaning::Other) {
            return self.add(plain(line), Meaning::Other, place);
        }
        let mut place = self.add(plain(first), read, place);
        for part in parts {
            let read = Meaning::read_whole(part, place, reader);
            doubts.add(part, read.taken_for(place));
            place = self.add(plain(part), read, place);
        }
        place
    }

    /// Adds a line of orders for later; `None` if it is none.
    fn add_standing(&mut self, line: &str, place: Section, reader: &dyn ReadLines) -> Option<Section> {
        if place == Section::Below || line.chars().count() > MAX_LINE_CHARS {
            return None;
        }
        match self.standing.add_line(line, reader) {
            OrderLine::Other => return None,
            OrderLine::Added => {}
            OrderLine::Broken(Unreadable { at, why }) => self.stop(line, at, why),
        }
        Some(Section::Inside)
    }

    fn remember(&mut self, line: &str) {
        for word in line.split_whitespace() {
            self.words.push_str(word);
            self.words.push(' ');
        }
    }

    /// Adds one part of a line and returns the new position.
    fn add(&mut self, part: &str, read: Meaning, place: Section) -> Section {
        match (read, place) {
            (Meaning::Other, Section::Between) | (_, Section::Below) => {
                self.leave_out(part);
                Section::Below
            }
            (Meaning::Other, place) => {
                self.leave_out(part);
                place
            }
            (Meaning::Broken(Unreadable { at, why }) | Meaning::Distant(Unreadable { at, why }), _) => {
                self.stop(part, at, why);
                Section::Inside
            }
            (Meaning::Action(_), _) if self.broken.is_some() || self.actions.len() == MAX_ACTIONS => {
                self.stop(part, None, Sentence::new("answer-too-many-actions").count("most", MAX_ACTIONS));
                Section::Inside
            }
            (Meaning::Action(text), _) => {
                self.actions.push(text);
                Section::Inside
            }
            (Meaning::Command(command), _) => {
                self.take(command);
                Section::Inside
            }
        }
    }

    /// Stops at `part`: it and all later orders are not carried out.
    fn stop(&mut self, part: &str, at: Option<usize>, why: Sentence) {
        let part = harmless(part);
        match &mut self.broken {
            Some(broken) if broken.rest.len() < MAX_ACTIONS => broken.rest.push(part),
            Some(_) => {}
            None => self.broken = Some(Broken { part, at, why, rest: Vec::new() }),
        }
    }

    fn take(&mut self, command: Command) {
        match command {
            Command::Status => self.status = true,
            Command::History => self.history = true,
            Command::Help => self.help = true,
            Command::Yes => self.answer = Some(true),
            Command::No => self.answer = Some(false),
            Command::Unsubscribe => self.unsubscribes = true,
            Command::Resign(word) => self.resign = Some(Resignation { word }),
            Command::ShowOrders => self.shows_standing = true,
            Command::CancelOrders => self.cancels_standing = true,
            Command::Preference(change) if self.preferences.len() < MAX_PREFERENCES => {
                self.preferences.push(*change);
            }
            Command::Preference(_) => {}
        }
    }

    fn leave_out(&mut self, part: &str) {
        if self.left_out.len() < MAX_LEFT_OUT {
            self.left_out.push(harmless(part));
        }
    }

    /// Whether the mail asks for nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let nothing = Self { left_out: self.left_out.clone(), words: self.words.clone(), ..Self::default() };
        // What a program puts below every mail asks for nothing.
        let is_said = matches!(self.message, Written::Message { .. });
        !is_said && Self { message: Written::Nothing, ..self.clone() } == nothing
    }

    /// Whether the mail asks for something that is done however often it is asked for.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.status
            || self.history
            || self.help
            || self.resign.is_some()
            || self.asks_about_standing()
            || !self.preferences.is_empty()
    }

    /// Whether the mail is about orders for later.
    #[must_use]
    pub fn asks_about_standing(&self) -> bool {
        self.shows_standing || self.cancels_standing || !self.standing.is_empty()
    }
}

/// The message in `lines`, which begin with its mark.
fn message_of(lines: &[&str], doubtful: bool, writer: Writer<'_>) -> Written {
    let Some((mark, below)) = lines.split_first() else { return Written::Nothing };
    let names = writer.names();
    let text: Vec<&str> = message_behind_mark(mark).into_iter().chain(below.iter().copied()).collect();
    match table_message::read(&text, &names) {
        Written::Message { text, cut } => Written::Message { text, cut: cut || doubtful },
        // What a form of quotes hides below the mark is not told, and the player hears that.
        Written::Empty if doubtful => Written::Signature,
        other => other,
    }
}

/// The meaning of one part of a line.
enum Meaning {
    Action(String),
    Command(Command),
    Broken(Unreadable),
    /// It begins with the word of an action and goes on like no action.
    Distant(Unreadable),
    Other,
}

impl Meaning {
    /// What the doubts about a mail count it as.
    fn taken_for(&self, place: Section) -> Line {
        match (self, place) {
            (Self::Action(_), Section::Below) => Line::Stray,
            (Self::Other, _) | (_, Section::Below) => Line::Other,
            (Self::Broken(_) | Self::Distant(_), _) => Line::Nearly,
            _ => Line::Order,
        }
    }

    /// Reads a part with what stands around it.
    fn read_whole(part: &str, place: Section, action: &dyn ReadLines) -> Self {
        if part.chars().count() > MAX_LINE_CHARS || is_exclamation(part) {
            return Self::Other;
        }
        let read = match Self::read(plain(part), action) {
            read @ (Self::Action(_) | Self::Command(_)) => read,
            // Behind an order people put signs that no list has, suits of cards among them.
            read => without_last_sign(plain(part))
                .map(|bare| Self::read(bare, action))
                .filter(|bare| matches!(bare, Self::Action(_) | Self::Command(_)))
                .unwrap_or(read),
        };
        match read {
            // `Take care,` closes a mail, and below the paragraph of the orders stand courtesies rather than orders.
            Self::Distant(_) if is_closing(part) || place == Section::Between => Self::Other,
            Self::Distant(unreadable) => Self::Broken(unreadable),
            read => read,
        }
    }

    fn read(part: &str, action: &dyn ReadLines) -> Self {
        match (commands::read(part), action.read(part)) {
            (CommandReading::Command(command), _) => Self::Command(command),
            (_, LineReading::Action(text)) => Self::Action(text),
            (_, LineReading::Broken(unreadable)) => Self::Broken(unreadable),
            (_, LineReading::Distant(unreadable)) => Self::Distant(unreadable),
            (CommandReading::Broken, LineReading::Other) => {
                Self::Broken(Unreadable::at(0, "answer-no-command"))
            }
            (CommandReading::Other, LineReading::Other) => Self::Other,
        }
    }
}

/// Whether a line is struck out, as people do in plain text: `~~store~~`.
fn is_struck(line: &str) -> bool {
    line.len() > 2 && line.starts_with('~') && line.ends_with('~')
}

/// Whether the part is an exclamation or a word of closing in two letters, as `Ah!` and `As,`, which games of cards have cards for.
fn is_exclamation(part: &str) -> bool {
    let letters = part.trim_end_matches(['!', ',']);
    letters.len() < part.len() && letters.chars().count() == 2 && letters.chars().all(char::is_alphabetic)
}

/// The line with each number folded.
fn without_digits(line: &str) -> String {
    let parts = line.split(|sign: char| sign.is_ascii_digit()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("0").to_lowercase()
}

/// Strips what people and programs put around a part: bullets, list numbers, quotation marks, emphasis, pictures of faces, full
/// stops.
fn plain(part: &str) -> &str {
    // What notation uses stays: a letter, a digit, and the beginning of a number.
    let around = |character: char| {
        is_blank(character)
            || is_picture(character)
            || matches!(
                character,
                '"' | '\'' | '`' | '*' | '_' | '~' | '\u{ab}' | '\u{bb}' | '\u{2039}' | '\u{203a}'
            )
            || matches!(character, '\u{2018}'..='\u{201f}' | '\u{2022}' | '\u{b7}' | '\u{3008}'..='\u{3011}')
    };
    let mut plain = part;
    loop {
        let before = plain;
        plain = plain.trim_matches(around);
        plain = BULLETS.iter().find_map(|bullet| plain.strip_prefix(bullet)).unwrap_or(plain);
        plain = without_number(without_smiley(plain));
        // A lone "?" asks for help, so it stays.
        if plain.chars().any(char::is_alphanumeric) {
            plain = plain.trim_end_matches(['.', '!', ',', ':', '\u{2026}']);
            plain = without_parentheses(plain);
        }
        if plain == before {
            return plain;
        }
    }
}

/// Whether a character is a small picture, as of a face or a thumb; signs of cards are none.
fn is_picture(character: char) -> bool {
    let is_suit = matches!(character, '\u{2660}'..='\u{2667}' | '\u{1f0a0}'..='\u{1f0ff}');
    !is_suit
        && matches!(
            character,
            '\u{1f000}'..='\u{1faff}'
                | '\u{203c}'
                | '\u{2049}'
                | '\u{2190}'..='\u{21ff}'
                | '\u{2300}'..='\u{23ff}'
                | '\u{25a0}'..='\u{27bf}'
                | '\u{2b00}'..='\u{2bff}'
                | '\u{fe0e}'
                | '\u{fe0f}'
                | '\u{20e3}'
        )
}

/// The part without a face made of signs at its end, as `:-)` or `;D`, and without a heart, `<3`.
fn without_smiley(part: &str) -> &str {
    let Some((before, last)) = part.rsplit_once(char::is_whitespace) else { return part };
    let is_face =
        last.starts_with([':', ';', '=', '^', '<']) && (2..=MAX_SMILEY_CHARS).contains(&last.chars().count());
    if is_face { before } else { part }
}

/// The part without parentheses around all of it.
fn without_parentheses(part: &str) -> &str {
    let inner = part.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inner.filter(|inner| !inner.contains(['(', ')'])).unwrap_or(part)
}

/// Replaces the full-width letters, digits and signs of East Asian keyboards by the usual ones.
fn narrow(line: &str) -> String {
    let usual = |character: char| match character {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(character) - 0xfee0).unwrap_or(character),
        '\u{3000}' | '\u{a0}' => ' ',
        '\u{3002}' => '.',
        other => other,
    };
    line.chars().map(usual).collect()
}

/// The part without a last word of signs alone.
fn without_last_sign(part: &str) -> Option<&str> {
    let (before, last) = part.rsplit_once(char::is_whitespace)?;
    (!last.chars().any(char::is_alphanumeric)).then(|| plain(before))
}

/// Strips a list number, as in `1. store`, `2) store` or `(3) store`.
fn without_number(part: &str) -> &str {
    let part = part
        .strip_prefix('(')
        .filter(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit()))
        .unwrap_or(part);
    let rest = part.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let digits = part.len() - rest.len();
    match rest.strip_prefix(".)").or_else(|| rest.strip_prefix(['.', ')'])) {
        Some(rest) if (1..=2).contains(&digits) && rest.starts_with(' ') => rest.trim_start(),
        _ => part,
    }
}

/// A piece of a mail that is safe to repeat: one short line without control characters.
#[must_use]
pub fn harmless(text: &str) -> String {
    let kept: String =
        text.chars().filter(|character| !steers(*character)).take(MAX_REPEATED_CHARS).collect();
    if kept.len() < text.len() && kept.chars().count() == MAX_REPEATED_CHARS {
        format!("{kept}…")
    } else {
        kept
    }
}

#[cfg(test)]
mod tests;
