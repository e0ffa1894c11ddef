//! The parts of the model: the database, two server processes, readers, movers, and a repair.

use super::{MOVERS, READERS};

/// A player's request for one move, by number.
pub type MoverId = u8;

/// A game as in memory (`LiveGame`) and in its row of `game_states`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Game {
    /// The movers in order; `seq` is their number.
    pub moves: Vec<MoverId>,
    pub edition: u8,
    /// The result of writes without an event: how often the state was rebuilt.
    pub repairs: u8,
}

/// The answer to a version check.
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

/// An event: its `seq`, and its mover.
pub type Event = (u8, MoverId);

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Database {
    /// The row of `game_states`.
    pub row: Game,
    /// The rows of `events`. Their primary key refuses a second event with the same `seq`, but the model does not rely on it.
    pub events: Vec<Event>,
    /// The number of committed repairs.
    pub repairs: u8,
}

/// The newest state that any client was told of.
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

    /// Whether a client was told of a newer state than `game`.
    pub fn is_newer_than(self, game: &Game) -> bool {
        game.seq() < self.seq || game.repairs < self.repairs
    }
}

/// The only version check that may be in progress in the first process (`ask_all`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    None,
    Sent,
    /// The database has answered; the answer has not arrived.
    Answered(VersionStamp),
}

/// A request to view the game (`Games::current`). It carries the newest state that any client had been told of when it came.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reader {
    Away,
    /// Queued for the next version check.
    Waiting(Told),
    /// Part of the version check in progress.
    Asking(Told),
    /// The answer has arrived; the cache is read next.
    Checking(Told, VersionStamp),
    /// Loaded from the database because the cached game was too old; the answer has not arrived.
    Loading(Told, Game),
    Done,
}

/// A request to move (`Games::act`). If it has an `expected_seq`, that is the newest that any client had been told of when it
/// came.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Mover {
    Away,
    Deciding {
        expected: Option<Told>,
        /// The cache is skipped, because its game was too old.
        must_load: bool,
    },
    /// A statement is in progress for a move that was decided on `base`.
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
    /// Answered with the event of this `seq`.
    Acknowledged(u8),
    /// Refused.
    Refused,
}

/// An audit's repair of the game's state (`commit/repair.rs`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Repair {
    Away,
    /// The game was audited in this state.
    Audited(Game),
    Written,
    /// The game has changed since.
    GivenUp,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub database: Database,
    /// By process: its copy of the game (`games/memory/cache.rs`). The model has no slots, because they only save work: a new
    /// copy replaces the old one, as after an entry was dropped.
    pub caches: [Option<Game>; MOVERS],
    pub question: Question,
    /// Requests to the first process.
    pub readers: [Reader; READERS],
    /// Requests, one to each process.
    pub movers: [Mover; MOVERS],
    /// By mover: the game on which the statement in progress was decided.
    pub statements: [Option<Game>; MOVERS],
    /// The mover of a statement whose answer was lost before it ran, and the game on which it was decided. It may run at any
    /// time.
    pub late_statement: Option<(usize, Game)>,
    pub repair: Repair,
    pub told: Told,
    /// How many more answers of the database may be lost.
    pub losses_left: u8,
    /// A client was shown a state older than one told before.
    pub stale_read: bool,
    /// A client was shown a state that was not committed.
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

    /// Shows the game to a client that came when `came` had been told.
    pub fn show(&mut self, game: &Game, came: Told) {
        let mut seqs = (1..).zip(&game.moves);
        self.uncommitted_read |= !seqs.all(|(seq, mover)| self.database.events.contains(&(seq, *mover)));
        self.stale_read |= came.is_newer_than(game);
        self.told.tell(game);
    }
}
