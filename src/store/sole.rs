//! Whether a game in memory is the newest, without asking the database: as long as this process is the only one that writes games.
//!
//! Two things must hold. No other process may write games: [`super::guests`] sees to that, and says here when it begins and
//! ends. And this process must not have begun to write the game since its state was read: every statement that
//! does so is announced here before it is sent ([`super::state_write`]). Each game has a number that every announcement and every
//! new beginning changes. Whoever reads a state notes the number before; while it is the same, the state is the newest.
//! That holds whatever becomes of caches and locks: two copies of one game cannot both be believed.

use std::fs::File;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use uuid::Uuid;

/// Games share numbers; who shares one with a game that is played asks a little more often.
const NUMBERS: usize = 4096;

/// A change of a number. Its lower half counts the statements that are under way.
const CHANGE: u64 = 1 << 32;

/// The statements that are under way, of a number.
const UNDER_WAY: u64 = CHANGE - 1;

/// What this process knows of who writes games.
pub struct Sole {
    now: AtomicBool,
    numbers: Box<[AtomicU64]>,
    /// Held by a process that writes games of a database that another process has started.
    pub(super) guest: OnceLock<File>,
}

impl Default for Sole {
    fn default() -> Self {
        // No number is ever 0, which proves nothing.
        let numbers = (0..NUMBERS).map(|_| AtomicU64::new(CHANGE)).collect();
        Self { now: AtomicBool::new(false), numbers, guest: OnceLock::new() }
    }
}

/// The number of a game as it was before its state was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proof(u64);

impl Proof {
    const NONE: Self = Self(0);
}

/// The proof that a state in memory carries along; none at first.
#[derive(Debug, Default)]
pub struct Known(AtomicU64);

impl Known {
    #[must_use]
    pub fn get(&self) -> Proof {
        Proof(self.0.load(Ordering::SeqCst))
    }

    pub fn set(&self, proof: Proof) {
        self.0.store(proof.0, Ordering::SeqCst);
    }
}

/// A statement under way that writes a game. One that is dropped instead of [`Writing::ended`] may be carried out at any later time, so
/// that the database is asked for the games of its number ever after.
#[must_use = "a statement that is not said to have ended is under way for good"]
pub(super) struct Writing<'a> {
    number: &'a AtomicU64,
    before: u64,
}

impl Writing<'_> {
    /// The statement has ended, well or badly. The proof is that of the state that it has written, if it has.
    pub fn ended(self) -> Proof {
        self.number.fetch_sub(1, Ordering::SeqCst);
        if self.before & UNDER_WAY == 0 { Proof(self.before + CHANGE) } else { Proof::NONE }
    }
}

impl Sole {
    /// Whether no other process writes games.
    #[must_use]
    pub fn is_now(&self) -> bool {
        self.now.load(Ordering::SeqCst)
    }

    /// To be noted before a game's state is read or asked for.
    #[must_use]
    pub fn look(&self, game_id: Uuid) -> Proof {
        let number = self.number(game_id).load(Ordering::SeqCst);
        if number & UNDER_WAY == 0 { Proof(number) } else { Proof::NONE }
    }

    /// Whether the state that `proof` was noted for is the newest now.
    #[must_use]
    pub fn holds(&self, game_id: Uuid, proof: Proof) -> bool {
        self.is_now() && proof != Proof::NONE && self.number(game_id).load(Ordering::SeqCst) == proof.0
    }

    /// A statement that writes the game is about to be sent; called by [`super::state_write`] alone.
    pub(super) fn write(&self, game_id: Uuid) -> Writing<'_> {
        let number = self.number(game_id);
        Writing { number, before: number.fetch_add(CHANGE + 1, Ordering::SeqCst) }
    }

    /// No other process writes games from now on. What was noted before proves nothing any more.
    pub(super) fn begin(&self) {
        for number in &self.numbers {
            number.fetch_add(CHANGE, Ordering::SeqCst);
        }
        self.now.store(true, Ordering::SeqCst);
    }

    /// Others may write games from now on.
    pub(super) fn end(&self) {
        self.now.store(false, Ordering::SeqCst);
    }

    fn number(&self, game_id: Uuid) -> &AtomicU64 {
        // The last bytes of an id are random.
        let [.., high, low] = *game_id.as_bytes();
        &self.numbers[usize::from(u16::from_be_bytes([high, low])) % NUMBERS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: Uuid = Uuid::from_u128(7);
    const OTHER: Uuid = Uuid::from_u128(8);

    #[test]
    fn what_was_noted_holds_while_the_process_is_the_only_one_and_in_no_later_time() {
        let sole = Sole::default();
        let too_early = sole.look(GAME);
        assert!(!sole.holds(GAME, too_early), "others may write");
        sole.begin();
        assert!(!sole.holds(GAME, too_early), "others may have written since");
        let proof = sole.look(GAME);
        assert!(sole.holds(GAME, proof));
        sole.end();
        assert!(!sole.holds(GAME, proof));
        sole.begin();
        assert!(!sole.holds(GAME, proof), "a guest was here");
        assert!(!sole.holds(GAME, Known::default().get()), "nothing was noted");
    }

    #[test]
    fn a_statement_under_way_unproves_its_game_alone_and_proves_what_it_has_written() {
        let sole = Sole::default();
        sole.begin();
        let (before, other) = (sole.look(GAME), sole.look(OTHER));
        let writing = sole.write(GAME);
        let during = sole.look(GAME);
        assert!(!sole.holds(GAME, before) && !sole.holds(GAME, during));
        let written = writing.ended();
        assert!(
            !sole.holds(GAME, before) && !sole.holds(GAME, during),
            "read before it was committed, perhaps"
        );
        assert!(sole.holds(GAME, written) && sole.holds(OTHER, other));
    }

    #[test]
    fn of_two_statements_about_one_game_the_earlier_proves_nothing() {
        let sole = Sole::default();
        sole.begin();
        let (first, second) = (sole.write(GAME), sole.write(GAME));
        let (second, first) = (second.ended(), first.ended());
        assert!(!sole.holds(GAME, first) && !sole.holds(GAME, second), "whichever was last");
        let first = sole.write(GAME).ended();
        let second = sole.write(GAME).ended();
        assert!(!sole.holds(GAME, first) && sole.holds(GAME, second));
    }

    #[test]
    fn a_statement_whose_end_nobody_saw_is_never_relied_on() {
        let sole = Sole::default();
        sole.begin();
        drop(sole.write(GAME));
        let later = sole.look(GAME);
        assert!(!sole.holds(GAME, later));
        let written = sole.write(GAME).ended();
        assert!(!sole.holds(GAME, written));
        sole.end();
        sole.begin();
        let later = sole.look(GAME);
        assert!(!sole.holds(GAME, later), "it may still be on its way");
    }
}
