//! How far orders have come: what they have seen, and what they play next. Pure.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::orders::{Branch, StandingOrders, is_same};
use crate::playing::request::Command;
use pippost_record::rules::{Position, Seat};

/// The most actions of others that are kept between two moves of the player.
const MAX_SEEN: usize = 100;

/// Why the branches have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = OrdersStopped)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// All was played as ordered.
    Done,
    /// The others did what no branch says.
    NotForeseen,
    /// You moved by hand.
    OwnMove,
    /// Another seat was asked before all of a `then` was played.
    Interrupted,
    /// The rules refused an ordered action.
    Refused,
}

/// An event as orders see it.
#[derive(Clone, Copy, Debug)]
pub struct SeenEvent<'a> {
    /// Who acted; `None` for the server.
    pub seat: Option<Seat>,
    /// The action in notation; `None` unless it is one of the rules, such as a resignation.
    pub written: Option<&'a str>,
}

/// What an action to play comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Tree,
    Answer,
    OnlyLegal,
}

/// The orders, and how far they have come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrderProgress {
    /// What is left: the branches are those of the player's next move by the tree.
    pub orders: StandingOrders,
    /// What others have done since the player's last move by the tree, in notation.
    pub seen: Vec<String>,
    /// What is still to be played of the branch that was taken.
    pub playing: VecDeque<String>,
    /// The branches after that.
    pub next: Vec<Branch>,
    /// Why the tree has ended; `None` while there is one, and if there was none.
    pub stopped: Option<StopReason>,
}

impl OrderProgress {
    /// Orders that have seen nothing yet.
    #[must_use]
    pub fn new(orders: StandingOrders) -> Self {
        Self { orders, seen: Vec::new(), playing: VecDeque::new(), next: Vec::new(), stopped: None }
    }

    /// Whether anything may still be played.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.has_tree() || self.orders.only_legal || !self.orders.answers.is_empty()
    }

    /// Whether something may be played after what the others do next, without a move of the player by hand.
    #[must_use]
    pub fn may_play(&self) -> bool {
        let mut branches = self.orders.branches.iter();
        let may_fit = |branch: &Branch| !branch.then.is_empty() && branch.may_fit(&self.seen);
        !self.playing.is_empty()
            || self.orders.only_legal
            || !self.orders.answers.is_empty()
            || branches.any(may_fit)
    }

    fn has_tree(&self) -> bool {
        !self.playing.is_empty() || !self.orders.branches.is_empty()
    }

    /// Ends the tree.
    pub fn stop(&mut self, reason: StopReason) {
        if self.has_tree() {
            self.stopped = Some(reason);
        }
        self.orders.branches.clear();
        self.seen.clear();
        self.playing.clear();
        self.next.clear();
    }

    /// Takes the next event into account, for the player in seat `own`.
    pub fn see(&mut self, own: Seat, event: SeenEvent<'_>) {
        if !self.has_tree() {
            return;
        }
        match (event.seat == Some(own), event.written) {
            // Somebody left, or the game was aborted.
            (_, None) => self.stop(StopReason::NotForeseen),
            (true, Some(written)) => self.see_own(written),
            (false, Some(_)) if !self.playing.is_empty() => self.stop(StopReason::Interrupted),
            (false, Some(written)) => {
                self.seen.push(written.to_owned());
                if self.seen.len() > MAX_SEEN {
                    self.stop(StopReason::NotForeseen);
                }
            }
        }
    }

    /// An own move that is what the tree says counts as played by it, whoever made it.
    fn see_own(&mut self, written: &str) {
        self.take_branch();
        if !self.has_tree() {
            // The branch leaves the move to the player.
            self.seen.clear();
            self.stopped = Some(StopReason::Done);
            return;
        }
        if !self.playing.front().is_some_and(|ordered| is_same(ordered, written)) {
            return self.stop(StopReason::OwnMove);
        }
        self.playing.pop_front();
        if self.playing.is_empty() {
            self.orders.branches = std::mem::take(&mut self.next);
            self.seen.clear();
            if self.orders.branches.is_empty() {
                self.stopped = Some(StopReason::Done);
            }
        }
    }

    /// Takes the first branch that fits what was seen, unless one is being played.
    fn take_branch(&mut self) {
        if !self.playing.is_empty() {
            return;
        }
        let fits = self.orders.branches.iter().position(|branch| branch.fits(&self.seen));
        if let Some(index) = fits {
            let branch = self.orders.branches.swap_remove(index);
            self.orders.branches.clear();
            self.playing = branch.then.into();
            self.next = branch.next;
        }
    }

    /// What the player in seat `own`, who is asked at `position`, plays; `None` if that is for the player to decide.
    pub fn choose(&mut self, own: Seat, position: &dyn Position) -> Option<(Command, Source)> {
        if position.in_turn() == Some(own) {
            if let Some(action) = self.by_tree() {
                return Some((Command::Notation(action), Source::Tree));
            }
        } else {
            let mut answers = self.orders.answers.iter();
            if let Some(action) = answers.find_map(|text| position.advance_answer(text)) {
                return Some((Command::Actions(vec![action]), Source::Answer));
            }
        }
        if !self.orders.only_legal {
            return None;
        }
        match <[Value; 1]>::try_from(position.legal()) {
            Ok([action]) if action.get("choose").is_none() => {
                Some((Command::Actions(vec![action]), Source::OnlyLegal))
            }
            _ => None,
        }
    }

    fn by_tree(&mut self) -> Option<String> {
        if !self.has_tree() {
            return None;
        }
        let had_branches = self.playing.is_empty();
        self.take_branch();
        if let Some(action) = self.playing.front() {
            return Some(action.clone());
        }
        // A branch without a move ends the orders as the player wished.
        let is_foreseen = had_branches && self.orders.branches.is_empty();
        let reason = if is_foreseen { StopReason::Done } else { StopReason::NotForeseen };
        self.stopped = Some(reason);
        self.orders.branches.clear();
        self.seen.clear();
        None
    }

    /// The rules refused what `source` gave.
    pub fn refused(&mut self, source: Source) {
        match source {
            Source::Tree => self.stop(StopReason::Refused),
            Source::Answer => self.orders.answers.clear(),
            Source::OnlyLegal => self.orders.only_legal = false,
        }
    }
}
