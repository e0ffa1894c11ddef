//! The parts of the model: the database, two server processes, those who look at the game, those who move in it, and a repair.

use super::{MOVERS, READERS};

/// A player's request for one move, by number.
pub type MoverId = u8;

/// A game as `LiveGame` has it in memory and `game_states` has it in a row.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Game {
    /// Who has moved, in order; there are `seq` of them.
    pub moves: Vec<MoverId>,
    pub edition: u8,
    /// What a write without an event has changed: how often the state was rebuilt.
    pub repairs: u8,
}

/// What the version question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VersionStamp {
    pub seq: u8,
    pub edition: u8,
}

impl Game {
    pub fn seq(&self) -> u8 {
        u8::try_from(self.moves.len()).expect("few moves")
    }

    pub fn stamp(&self) -> VersionStamp {
        VersionStamp { seq: self.seq(), edition: self.edition }
    }

    /// The game after a move, as `Games::decide` makes it.
    pub fn after(&self, mover: MoverId) -> Self {
        let mut next = self.clone();
        next.moves.push(mover);
        next
    }
}

/// An event: its `seq`, and whose move it is.
pub type Event = (u8, MoverId);

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Database {
    /// The row of `game_states`.
    pub row: Game,
    /// The rows of `events`. Their primary key refuses a second event of one `seq`; the model does not rely on it.
    pub events: Vec<Event>,
    /// How many repairs were committed.
    pub repairs: u8,
}

/// How new the newest state is that anybody was told of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Told {
    pub seq: u8,
    pub repairs: u8,
}

impl Told {
    pub fn tell(&mut self, game: &Game) {
        self.seq = self.seq.max(game.seq());
        self.repairs = self.repairs.max(game.repairs);
    }

    /// Whether `game` is older than what was told.
    pub fn is_newer_than(self, game: &Game) -> bool {
        game.seq() < self.seq || game.repairs < self.repairs
    }
}

/// The one version question that may be under way in the first process (`ask_all`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    None,
    Sent,
    /// The database has answered; the answer has not arrived.
    Answered(VersionStamp),
}

/// A request to see the game (`Games::current`). It carries what anybody had been told when it came.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reader {
    Away,
    /// Queued for the next question.
    Waiting(Told),
    /// Part of the question under way.
    Asking(Told),
    /// The answer is there; the cache is looked at next.
    Checking(Told, VersionStamp),
    /// Loaded from the database because the cache was too old; the answer has not arrived.
    Loading(Told, Game),
    Done,
}

/// A request to move (`Games::act`). One that says `expected_seq` says what anybody had been told of when it came.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Mover {
    Away,
    Deciding {
        expected: Option<Told>,
        /// The cache is not asked: what it had was too old.
        must_load: bool,
    },
    /// A statement is under way for a move that was decided on `base`.
    Writing {
        expected: Option<Told>,
        base: Game,
        outcome: Option<bool>,
    },
    /// The statement's answer was lost (`commit/settle.rs`).
    InDoubt {
        expected: Option<Told>,
        base: Game,
    },
    /// Told that the move was made, as the event of this `seq`.
    Acknowledged(u8),
    /// Told that it was not.
    Refused,
}

/// A repair of the game's state by an audit (`commit/repair.rs`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Repair {
    Away,
    /// The game was audited as it was then.
    Audited(Game),
    Written,
    /// The game had moved on.
    GivenUp,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub database: Database,
    /// By process: its copy of the game (`games/memory/cache.rs`). Slots only spare work, so the model has none: whatever is put in replaces what
    /// is there, as it does when an entry was dropped meanwhile.
    pub caches: [Option<Game>; MOVERS],
    pub question: Question,
    /// Requests to the first process.
    pub readers: [Reader; READERS],
    /// Requests to a process each.
    pub movers: [Mover; MOVERS],
    /// By mover: the game that the statement was decided on which is under way.
    pub statements: [Option<Game>; MOVERS],
    /// Whose statement's answer was lost before it was carried out, and the game that it was decided on. It may be carried out at any time.
    pub late_statement: Option<(usize, Game)>,
    pub repair: Repair,
    pub told: Told,
    /// How many more answers of the database may be lost.
    pub losses_left: u8,
    /// Somebody was shown a state that was older than one that was told before.
    pub stale_read: bool,
    /// Somebody was shown a state that was not committed.
    pub uncommitted_read: bool,
}

impl State {
    /// A game that has just started, which both processes have in memory.
    pub fn new() -> Self {
        Self {
            database: Database::default(),
            caches: std::array::from_fn(|_| Some(Game::default())),
            question: Question::None,
            readers: std::array::from_fn(|_| Reader::Away),
            movers: std::array::from_fn(|_| Mover::Away),
            statements: std::array::from_fn(|_| None),
            late_statement: None,
            repair: Repair::Away,
            told: Told::default(),
            losses_left: 1,
            stale_read: false,
            uncommitted_read: false,
        }
    }

    /// Shows the game to somebody who came when `came` had been told.
    pub fn show(&mut self, game: &Game, came: Told) {
        let mut seqs = (1..).zip(&game.moves);
        self.uncommitted_read |= !seqs.all(|(seq, mover)| self.database.events.contains(&(seq, *mover)));
        self.stale_read |= came.is_newer_than(game);
        self.told.tell(game);
    }
}
