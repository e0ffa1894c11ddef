//! Pairs and runs (SP2, SP3). Sets of cells are bits; only the lists allocate.

use super::layout::{ALL_CELLS, CELLS, Cells, EDGES, cell, is_connected, positions};
use crate::rules::cards::Card;

/// The ranks of the circle A 2 … K A.
const RANKS: usize = 13;

/// The fewest cards in a run (SP3).
const SHORTEST_RUN: usize = 3;

const POINTS_OF_A_PAIR: u32 = 2;

/// The pairs and runs of a complete hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scoring {
    /// For each of [`EDGES`], from the lowest bit on, whether its two cards are a pair.
    pairs: u16,
    runs: Groups,
}

impl Scoring {
    /// The pairs and runs of twelve cards in order of play.
    #[must_use]
    pub fn of(table: &[Card; CELLS]) -> Self {
        Self { pairs: pairs(table), runs: runs(table) }
    }

    /// The pairs, ascending.
    pub fn pairs(&self) -> impl Iterator<Item = [u8; 2]> {
        EDGES.into_iter().enumerate().filter(|(index, _)| self.pairs >> index & 1 == 1).map(|(_, edge)| edge)
    }

    /// The positions of each run ascending, the runs in ascending order, compared number by number.
    pub fn runs(&self) -> impl Iterator<Item = Vec<u8>> {
        self.runs.iter().map(|cells| positions(cells).collect())
    }

    /// Two points for each pair (SP2), one for each card of each run (SP3).
    #[must_use]
    pub fn points(&self) -> u32 {
        let runs: u32 = self.runs.iter().map(Cells::count_ones).sum();
        self.pairs.count_ones() * POINTS_OF_A_PAIR + runs
    }
}

fn pairs(table: &[Card; CELLS]) -> u16 {
    let rank = |position: u8| table[usize::from(position) - 1].rank();
    let bit = |(index, [one, other]): (usize, [u8; 2])| u16::from(rank(one) == rank(other)) << index;
    EDGES.into_iter().enumerate().map(bit).sum()
}

/// A run has one card of each rank of an interval on the circle. Longer intervals come first, so a set is part of a larger run
/// exactly if it is covered when it is examined. A run never goes all the way around: there are 13 ranks and 12 cards.
fn runs(table: &[Card; CELLS]) -> Groups {
    let mut by_rank = [0; RANKS];
    for (position, card) in (1..).zip(table) {
        by_rank[usize::from(card.rank()) - 1] |= cell(position);
    }
    let mut search = Search { by_rank, runs: Groups::NONE, covered: Groups::NONE };
    for length in (SHORTEST_RUN..=CELLS).rev() {
        for first_rank in 0..RANKS {
            if (first_rank..first_rank + length).all(|rank| by_rank[rank % RANKS] != 0) {
                search.choose(first_rank, length, 0);
            }
        }
    }
    search.runs
}

struct Search {
    /// The cells of each rank, aces first.
    by_rank: [Cells; RANKS],
    runs: Groups,
    /// All subsets of known runs.
    covered: Groups,
}

impl Search {
    /// Adds cells of `missing` ranks from `rank` on to the chosen cells, in every way.
    fn choose(&mut self, rank: usize, missing: usize, chosen: Cells) {
        if missing == 0 {
            if !self.covered.has(chosen) && is_connected(chosen) {
                self.runs.insert(chosen);
                self.cover(chosen);
            }
            return;
        }
        let mut candidates = self.by_rank[rank % RANKS];
        while candidates != 0 {
            let one = candidates & candidates.wrapping_neg();
            self.choose(rank + 1, missing - 1, chosen | one);
            candidates &= !one;
        }
    }

    fn cover(&mut self, run: Cells) {
        let mut part = run;
        while part != 0 {
            self.covered.insert(part);
            part = (part - 1) & run;
        }
    }
}

const WORDS: usize = (ALL_CELLS as usize + 1) / 64;

/// A set of sets of cells, with a bit for each of the 4096.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Groups([u64; WORDS]);

impl Groups {
    const NONE: Self = Self([0; WORDS]);

    fn has(&self, cells: Cells) -> bool {
        self.0[usize::from(cells / 64)] >> (cells % 64) & 1 == 1
    }

    fn insert(&mut self, cells: Cells) {
        self.0[usize::from(cells / 64)] |= 1 << (cells % 64);
    }

    /// Greatest first, which is the ascending order of runs.
    fn iter(&self) -> impl Iterator<Item = Cells> {
        let words = (0..=ALL_CELLS).step_by(64).zip(self.0).rev().filter(|(_, word)| *word != 0);
        words.flat_map(|(start, word): (Cells, u64)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = Cells::try_from(rest.checked_ilog2()?).expect("below 64");
                rest &= !(1 << bit);
                Some(start + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha20Rng;
    use rand_core::{Rng, SeedableRng};

    use super::super::layout::{DEFENDER_ROW, DIRECTOR_ROW};
    use super::*;

    /// A table of the given ranks: the defender's row and the director's row from left to right. Suits do not matter.
    fn table(defender: &str, director: &str) -> [Card; CELLS] {
        let mut cards = [Card::from_letters('A', 'c').expect("an ace"); CELLS];
        for (row, ranks) in [(DEFENDER_ROW, defender), (DIRECTOR_ROW, director)] {
            assert_eq!(ranks.len(), row.len());
            for (position, rank) in row.into_iter().zip(ranks.chars()) {
                cards[usize::from(position) - 1] = Card::from_letters(rank, 'c').expect("a rank");
            }
        }
        cards
    }

    type Lists = (Vec<[u8; 2]>, Vec<Vec<u8>>, u32);

    fn scored(defender: &str, director: &str) -> Lists {
        lists(&table(defender, director))
    }

    fn lists(table: &[Card; CELLS]) -> Lists {
        let scoring = Scoring::of(table);
        (scoring.pairs().collect(), scoring.runs().collect(), scoring.points())
    }

    #[test]
    fn sp2_three_in_a_row_hold_two_pairs_and_four_in_a_square_hold_four() {
        assert_eq!(scored("888259", "Q37QJ4"), (vec![[2, 3], [3, 6]], vec![], 4));
        let square = vec![[1, 2], [1, 4], [2, 3], [3, 4]];
        assert_eq!(scored("88Q6T2", "88J4K6"), (square, vec![], 8));
    }

    #[test]
    fn sp3_the_first_example_of_the_source_scores_nine_for_two_runs() {
        // 4 5 6 on the left, and T J Q K A 2 on the right, around the corner of the circle.
        let runs = vec![vec![1, 2, 3], vec![7, 8, 9, 10, 11, 12]];
        assert_eq!(scored("468JK2", "5T5TQA"), (vec![], runs, 9));
    }

    #[test]
    fn sp3_the_second_example_of_the_source_scores_fourteen_for_three_pairs_and_two_runs_with_three_cards_in_common()
     {
        // The fives on the upper left and the lower right reach 2 3 4; the five on the lower left and the six do not.
        let runs = vec![vec![2, 3, 5, 6], vec![3, 5, 6, 8]];
        assert_eq!(scored("543888", "5K25J6"), (vec![[1, 2], [7, 10], [10, 11]], runs, 14));
    }

    #[test]
    fn sp3_a_set_that_no_single_cell_enlarges_can_lie_in_a_larger_run() {
        // 4 5 6 8 7 in a row.
        assert_eq!(scored("45687K", "J2J2J2"), (vec![], vec![vec![2, 3, 6, 7, 10]], 5));
    }

    #[test]
    fn sp3_a_run_can_hold_all_twelve_cards_and_starts_anywhere_on_the_circle() {
        assert_eq!(scored("56789T", "432AKQ").2, 12);
        assert_eq!(scored("9TJQKA", "876543").1, [(1..=12).collect::<Vec<u8>>()]);
    }

    #[test]
    fn sp3_two_neighbours_on_the_circle_are_no_run() {
        assert_eq!(scored("K95K8J", "A52358"), (vec![[1, 2]; 0], vec![], 0));
    }

    /// SP3 word by word: all 4096 sets of cells, without those that are part of a larger run.
    fn runs_by_definition(table: &[Card; CELLS]) -> Vec<Vec<u8>> {
        let rank = |position: &u8| table[usize::from(*position) - 1].rank();
        let has_ranks_of_a_run = |positions: &Vec<u8>| {
            let mut ranks: Vec<u8> = positions.iter().map(rank).collect();
            ranks.sort_unstable();
            ranks.dedup();
            let consecutive = (1..=13).any(|first| {
                let on_circle = |step: usize| u8::try_from((first - 1 + step) % 13 + 1).expect("a rank");
                (0..positions.len()).all(|step| ranks.contains(&on_circle(step)))
            });
            ranks.len() == positions.len() && consecutive
        };
        let hangs_together = |positions: &Vec<u8>| {
            let mut reached = vec![positions[0]];
            for _ in positions {
                for position in positions {
                    let near = |other: &u8| EDGES.contains(&[*position.min(other), *position.max(other)]);
                    if !reached.contains(position) && reached.iter().any(near) {
                        reached.push(*position);
                    }
                }
            }
            reached.len() == positions.len()
        };
        let all = (1..=ALL_CELLS).map(|cells| positions(cells).collect::<Vec<_>>());
        let long = all.filter(|set| set.len() >= 3);
        let sets: Vec<_> = long.filter(has_ranks_of_a_run).filter(hangs_together).collect();
        let part = |one: &Vec<u8>, other: &Vec<u8>| {
            one.len() < other.len() && one.iter().all(|position| other.contains(position))
        };
        let mut runs = sets.clone();
        runs.retain(|run| !sets.iter().any(|other| part(run, other)));
        runs.sort();
        runs
    }

    #[test]
    fn runs_are_those_of_the_definition_over_all_sets_of_cells() {
        let mut words = ChaCha20Rng::seed_from_u64(12);
        let mut most = 0;
        for game in 0..105 {
            // Few ranks make many runs; all thirteen make realistic hands.
            let ranks = [3, 4, 5, 6, 8, 10, 13][game % 7];
            let first = words.next_u32() % 13;
            let table = [(); CELLS].map(|()| {
                let rank = (first + words.next_u32() % ranks) % 13;
                Card::deck().nth(rank as usize).expect("a club of each rank")
            });
            let (_, runs, points) = lists(&table);
            assert_eq!(runs, runs_by_definition(&table), "{table:?}");
            let pairs = EDGES.iter().filter(|[one, other]| {
                table[usize::from(*one) - 1].rank() == table[usize::from(*other) - 1].rank()
            });
            let cards: usize = runs.iter().map(Vec::len).sum();
            assert_eq!(points as usize, pairs.count() * 2 + cards);
            most = most.max(runs.len());
        }
        assert!(most > 10, "the tables are rich in runs: {most}");
    }
}
