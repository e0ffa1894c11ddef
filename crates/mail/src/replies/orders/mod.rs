//! Finds the orders in a mail, the lines that are not orders, and the message to the table.
//!
//! A line is an order only if the whole line can be read as one. Lines above the first order are left out; the orders end with
//! the first paragraph that holds none. Only a line that begins like an order but is invalid stops the orders below it.

mod meaning;
mod plain;

use super::commands::{self, Command, CommandReading};
use super::doubts::{Doubts, Line};
use super::marks::{is_message_mark, message_behind_mark};
use super::numbered::{number_of, pieces};
use super::our_mail::OurMail;
use super::quoting::{Own, is_invisible, own_lines};
use meaning::Meaning;
use plain::{is_struck, narrow, plain, without_digits};

use super::requests::Request;
use super::signature::{Names, is_signature};
use super::table_message::{self, Written};
use pippost_accounts::preferences::{PreferencesChange, TurnMails};
use pippost_games::MAX_ACTIONS;
use pippost_games::letters::notation::ReadLines;
use pippost_games::standing_orders::{self, OrderLine, StandingOrders};
use pippost_record::rules::{Sentence, Unreadable};
pub use plain::harmless;

/// The longest line that is read as an order, in characters.
const MAX_LINE_CHARS: usize = 500;

/// The most left-out lines that an answer lists.
const MAX_LEFT_OUT: usize = 4;

/// The most parts of a mail that are read as orders.
const MAX_PARTS: usize = 300;

/// The most lines that are looked at for what they may mean.
const MAX_GUESSED_LINES: usize = 20;

/// The most changes of preferences by one mail.
const MAX_PREFERENCES: usize = 8;

/// The most requests of one mail.
const MAX_REQUESTS: usize = 8;

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
    /// The first line begins with yes or no, whatever follows.
    pub begins_with_answer: Option<bool>,
    /// Asks for the player's games.
    pub games: bool,
    /// Asks who plays.
    pub who: bool,
    /// The actions are to be shown, not played.
    pub previews: bool,
    pub requests: Vec<Request>,
    /// What is no action is not sure to be meant either, so nothing is done.
    pub requests_doubted: bool,
    /// The orders for games that lines name by number.
    pub numbered: Vec<(i32, Orders)>,
    /// Numbers of no game of the player.
    pub unknown_numbers: Vec<i32>,
}

/// The readers of a mail's lines: by the rules of the game that it is about, and of those that it names by number.
#[derive(Clone, Copy)]
pub struct Readers<'a> {
    pub own: &'a dyn ReadLines,
    /// The number of the game that the mail is about.
    pub own_number: Option<i32>,
    pub numbered: &'a [(i32, &'a dyn ReadLines)],
}

impl<'a> Readers<'a> {
    /// The reader of a mail that names no game.
    pub fn of(own: &'a dyn ReadLines) -> Self {
        Self { own, own_number: None, numbered: &[] }
    }

    fn of_number(&self, number: i32) -> Option<&'a dyn ReadLines> {
        self.numbered.iter().find(|(known, _)| *known == number).map(|(_, reader)| *reader)
    }
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
    /// Reads the orders in the text of a mail about one game; `reader` reads a line by its rules.
    pub fn read(text: &str, writer: Writer<'_>, reader: &dyn ReadLines) -> Self {
        Self::read_all(text, writer, Readers::of(reader))
    }

    /// The same with orders for games that lines name by number.
    pub fn read_all(text: &str, writer: Writer<'_>, readers: Readers<'_>) -> Self {
        let reader = readers.own;
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
        // The game whose number the last lines of this paragraph began with.
        let mut number = None;
        for (at, line) in own[..mark].iter().enumerate() {
            // Some games have cards of two letters, and a mail that begins with one means the card.
            let is_signed = || is_below && names.have_initials(line);
            parts += usize::from(!line.is_empty()) + line.matches(';').count();
            if parts > MAX_PARTS {
                return Self::beyond_bounds();
            }
            if orders.begins_with_answer.is_none() && !is_below {
                orders.begins_with_answer = commands::begins_with_answer(line);
            }
            number =
                if line.is_empty() { None } else { number_of(line).map(|(number, _)| number).or(number) };
            place = match (line.is_empty(), place) {
                _ if number.is_some() && number != readers.own_number => {
                    // `#1 in my heart` names no game for the line below it.
                    let is_order = orders.add_numbered(line, number, readers, &mut doubts);
                    number = number.filter(|_| is_order);
                    if is_order { Section::Inside } else { place }
                }
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
                    let text = narrow(&text);
                    let text = number_of(&text).map_or(text.as_str(), |(_, rest)| rest);
                    orders.add_line(text, place, reader, &mut doubts)
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
        for (number, orders) in &mut orders.numbered {
            if let Some(reader) = readers.of_number(*number) {
                orders.weigh(&doubts, std::iter::empty(), reader);
            }
        }
        if orders.actions.is_empty() && orders.broken.is_none() {
            orders.words = without_digits(&orders.words);
        }
        orders
    }

    /// Adds a line for the game `number`, or for several, each with its number before what is for it; false if there is no order in it.
    fn add_numbered(
        &mut self,
        line: &str,
        mut number: Option<i32>,
        readers: Readers<'_>,
        doubts: &mut Doubts<'_>,
    ) -> bool {
        let line = narrow(line);
        let mut is_order = false;
        for piece in pieces(&line) {
            let (named, rest) =
                number_of(piece).map_or((number, piece), |(number, rest)| (Some(number), rest));
            number = named;
            let Some(known) = number else { continue };
            let (rest, reader) = (rest.trim(), readers.of_number(known));
            let (orders, reader) = match reader {
                _ if readers.own_number == Some(known) => (&mut *self, readers.own),
                Some(reader) => (self.of_number(known), reader),
                None => {
                    self.note_unknown(known);
                    is_order = true;
                    continue;
                }
            };
            is_order |=
                rest.is_empty() || orders.add_line(rest, Section::Above, reader, doubts) == Section::Inside;
        }
        self.remember(&line);
        is_order
    }

    /// The orders for the game with that number.
    fn of_number(&mut self, number: i32) -> &mut Self {
        let listed = self.numbered.iter().position(|(listed, _)| *listed == number);
        let at = listed.unwrap_or(self.numbered.len());
        if listed.is_none() {
            self.numbered.push((number, Self::default()));
        }
        &mut self.numbered[at].1
    }

    fn note_unknown(&mut self, number: i32) {
        if !self.unknown_numbers.contains(&number) && self.unknown_numbers.len() < MAX_LEFT_OUT {
            self.unknown_numbers.push(number);
        }
    }

    /// Decides whether what was read is surely meant, and what `lines` may mean if nothing was.
    fn weigh<'l>(
        &mut self,
        doubts: &Doubts<'_>,
        lines: impl Iterator<Item = &'l &'l str>,
        reader: &dyn ReadLines,
    ) {
        self.requests_doubted = doubts.are_found() || self.is_other_meant(doubts, reader);
        if !self.actions.is_empty() {
            // `stop` above an order means the order.
            self.doubted =
                self.requests_doubted || self.answer == Some(false) || self.unsubscribes || self.previews;
            (self.answer, self.unsubscribes) = (None, false);
            // Only what is played says which of the other lines was not.
            if let Some(broken) = self.broken.clone().filter(|_| self.doubted) {
                self.leave_out(&broken.part);
            }
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

    /// Whether a line beside the actions may mean another one, as in `Make that c6 n1` and, though it is not legal, `c6 n9 instead`.
    fn is_other_meant(&self, doubts: &Doubts<'_>, reader: &dyn ReadLines) -> bool {
        if self.actions.is_empty() {
            return false;
        }
        let canonical = |action: &String| reader.canonical(action).unwrap_or_else(|| action.clone());
        let done: Vec<String> = self
            .actions
            .iter()
            .flat_map(|action| [action.to_lowercase(), canonical(action).to_lowercase()])
            .collect();
        let is_done = |meant: &String| done.contains(&canonical(meant).to_lowercase());
        let begins_done = |named: &String| {
            reader.canonical(named).is_none() && done.iter().any(|done| done.starts_with(named.as_str()))
        };
        let is_other = |line: &String| {
            reader.meant(line).is_some_and(|meant| !is_done(&meant))
                || reader.named(line).iter().any(|named| !is_done(named) && !begins_done(named))
        };
        let mut broken = self.broken.iter().flat_map(|broken| [&broken.part].into_iter().chain(&broken.rest));
        doubts.others().iter().any(is_other) || broken.any(|line| reader.has_other_words(line))
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

    /// Takes out the orders for games that lines name by number. A message stays with the game of the mail, or is told in the one that is
    /// named alone.
    pub fn take_numbered(&mut self) -> Vec<(i32, Self)> {
        let mut numbered = std::mem::take(&mut self.numbered);
        if !self.is_empty() {
            // What orders nothing there is a remark here.
            let (orders, remarks): (Vec<_>, Vec<_>) =
                numbered.into_iter().partition(|(_, orders)| !orders.is_empty());
            let remarks = remarks.into_iter().flat_map(|(_, remark)| remark.left_out);
            self.left_out.extend(remarks.take(MAX_LEFT_OUT.saturating_sub(self.left_out.len())));
            numbered = orders;
        }
        if let [(_, only)] = numbered.as_mut_slice()
            && self.is_only_message()
        {
            only.message = std::mem::replace(&mut self.message, Written::Nothing);
        }
        for (_, orders) in &mut numbered {
            orders.words.clone_from(&self.words);
        }
        numbered
    }

    /// Whether the mail asks for nothing, but tells the table something.
    fn is_only_message(&self) -> bool {
        !self.is_empty() && Self { message: Written::Nothing, ..self.clone() }.is_empty()
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
        let first = match commands::read(plain(first)) {
            CommandReading::Command(Command::Preview(action)) => {
                self.previews = true;
                action
            }
            _ => first.to_owned(),
        };
        let first = first.as_str();
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
            Command::Games => self.games = true,
            Command::Who => self.who = true,
            Command::Request(request) if self.requests.len() < MAX_REQUESTS => self.requests.push(request),
            Command::Yes => self.answer = Some(true),
            Command::No => self.answer = Some(false),
            Command::Unsubscribe => self.unsubscribes = true,
            Command::Resign(word) => self.resign = Some(Resignation { word }),
            Command::ShowOrders => self.shows_standing = true,
            Command::CancelOrders => self.cancels_standing = true,
            Command::Preference(change) if self.preferences.len() < MAX_PREFERENCES => {
                self.preferences.push(*change);
            }
            // The action of a preview was read in its place.
            Command::Preview(_) | Command::Request(_) | Command::Preference(_) => {}
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
        let nothing = Self {
            left_out: self.left_out.clone(),
            words: self.words.clone(),
            begins_with_answer: self.begins_with_answer,
            requests_doubted: self.requests_doubted,
            ..Self::default()
        };
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
            || self.games
            || self.who
            || self.resign.is_some()
            || !self.requests.is_empty()
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

#[cfg(test)]
mod tests;
