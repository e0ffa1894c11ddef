//! Seats that are offered to substitutes, as far as clocks are concerned (docs/CLOCK.md, "Substitutes"). Pure.

use serde::{Deserialize, Serialize};

use super::game_clock::{ClockRules, Running};
use pippost_record::rules::Seat;

/// A seat that is or was offered to a substitute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatOffer {
    pub seat: Seat,
    pub offer: Offer,
}

/// How far the offer of a seat has come. A seat is handed over at most once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Offer {
    /// Its player offers it, and plays on.
    Open,
    /// Its flag fell, and nobody plays it.
    Vacant,
    /// The player of this name has taken it.
    Taken { name: String, after_fall: bool },
}

impl ClockRules {
    /// How far the offer of a seat has come; `None` if it was never offered.
    #[must_use]
    pub fn offer(&self, seat: Seat) -> Option<&Offer> {
        self.conditions.offers.iter().find(|offer| offer.seat == seat).map(|offer| &offer.offer)
    }

    /// Whether nobody plays a seat, because its flag fell and it waits for a substitute.
    #[must_use]
    pub fn is_vacant(&self, seat: Seat) -> bool {
        self.offer(seat) == Some(&Offer::Vacant)
    }

    /// The seats that wait for a substitute, the newest offer last.
    pub fn offered_seats(&self) -> impl Iterator<Item = Seat> {
        let waits = |offer: &&SeatOffer| matches!(offer.offer, Offer::Open | Offer::Vacant);
        self.conditions.offers.iter().filter(waits).map(|offer| offer.seat)
    }

    /// Sets how far the offer of a seat has come.
    pub fn set_offer(&mut self, seat: Seat, offer: Offer) {
        self.conditions.offers.retain(|old| old.seat != seat);
        self.conditions.offers.push(SeatOffer { seat, offer });
    }
}

impl Running {
    /// The clock after a substitute has taken `seat` at `at`: the calendar of the player before counts no more, and after a fall of the
    /// flag the seat has what seats have at the start, but for the time that the table waits.
    pub fn hand_over(&mut self, clock_rules: &ClockRules, seat: Seat, after_fall: bool, at: i64) {
        if self.runs_for().seat == seat {
            self.charge(clock_rules, at);
            self.since = at;
        }
        for share in [self.answer.as_mut(), Some(&mut self.turn)].into_iter().flatten() {
            if share.seat == seat {
                share.calendar = None;
                share.limit = if after_fall { clock_rules.control.limit() } else { share.limit };
            }
        }
        if let Some((bank, start)) = self.banks.get_mut(seat.index()).zip(clock_rules.control.bank_start()) {
            *bank = if after_fall { start.max(*bank) } else { *bank };
        }
    }
}
