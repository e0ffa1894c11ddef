//! The twelve cells of the table: two rows of six, filled along a winding path.

use crate::rules::Seat;

/// Cards played in a hand.
pub const CELLS: usize = 12;

/// Positions of the defender's row from left to right.
pub const DEFENDER_ROW: [u8; 6] = [2, 3, 6, 7, 10, 11];
/// Positions of the director's row, each below one of [`DEFENDER_ROW`].
pub const DIRECTOR_ROW: [u8; 6] = [1, 4, 5, 8, 9, 12];

/// Pairs of positions that are orthogonal neighbours, ascending.
pub const EDGES: [[u8; 2]; 16] = [
    [1, 2],
    [1, 4],
    [2, 3],
    [3, 4],
    [3, 6],
    [4, 5],
    [5, 6],
    [5, 8],
    [6, 7],
    [7, 8],
    [7, 10],
    [8, 9],
    [9, 10],
    [9, 12],
    [10, 11],
    [11, 12],
];

/// The seat that plays a position, 1 to 12.
#[must_use]
pub fn seat_at(position: u8, director: Seat) -> Seat {
    if DIRECTOR_ROW.contains(&position) { director } else { director.other() }
}

/// A set of positions. Position 1 is the highest of twelve bits, so of two sets neither of which includes the other, the one
/// with the greater number comes first when their positions are compared one by one.
pub type Cells = u16;

/// The set of one position.
#[must_use]
pub const fn cell(position: u8) -> Cells {
    1 << (CELLS - position as usize)
}

/// All twelve positions.
pub const ALL_CELLS: Cells = (1 << CELLS) - 1;

/// The positions of a set, ascending.
pub fn positions(cells: Cells) -> impl Iterator<Item = u8> {
    (1..).take(CELLS).filter(move |position| cells & cell(*position) != 0)
}

/// The neighbours of each position; position 1 is at index 0.
const NEIGHBOURS: [Cells; CELLS] = {
    let mut neighbours = [0; CELLS];
    let mut index = 0;
    while index < EDGES.len() {
        let [one, other] = EDGES[index];
        neighbours[one as usize - 1] |= cell(other);
        neighbours[other as usize - 1] |= cell(one);
        index += 1;
    }
    neighbours
};

/// Whether every cell of the set can be reached from every other through neighbours in the set.
#[must_use]
pub fn is_connected(cells: Cells) -> bool {
    // Starts with one cell of the set and adds all that can be reached from it.
    let mut reached = cells & cells.wrapping_neg();
    let mut edge = reached;
    while edge != 0 {
        let near = positions(edge).fold(0, |near, position| near | NEIGHBOURS[usize::from(position) - 1]);
        edge = near & cells & !reached;
        reached |= edge;
    }
    reached == cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_the_neighbours_of_two_rows_of_six() {
        let place = |position: u8| {
            let column = |row: [u8; 6]| row.iter().position(|at| *at == position);
            column(DEFENDER_ROW)
                .map(|column| (0_usize, column))
                .or(column(DIRECTOR_ROW).map(|column| (1, column)))
        };
        let mut edges = Vec::new();
        for one in 1..=12 {
            for other in one + 1..=12 {
                let (a, b) = (place(one).expect("a cell"), place(other).expect("a cell"));
                if a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1 {
                    edges.push([one, other]);
                }
            }
        }
        assert_eq!(edges, EDGES);
    }

    #[test]
    fn the_director_plays_1_4_5_8_9_12_and_the_defender_the_others() {
        for director in [Seat(0), Seat(1)] {
            let plays = |seat: Seat| {
                (1..=12).filter(|position| seat_at(*position, director) == seat).collect::<Vec<u8>>()
            };
            assert_eq!(plays(director), [1, 4, 5, 8, 9, 12]);
            assert_eq!(plays(director.other()), [2, 3, 6, 7, 10, 11]);
        }
    }

    #[test]
    fn a_greater_set_of_positions_comes_first() {
        let set = |positions: &[u8]| positions.iter().fold(0, |set, position| set | cell(*position));
        let ascending: [&[u8]; 5] = [&[1, 2, 3], &[1, 2, 4, 5], &[1, 3, 4], &[2, 3, 12], &[10, 11, 12]];
        assert!(ascending.map(set).is_sorted_by(|one, other| one > other));
        assert_eq!(positions(set(&[12, 1, 5])).collect::<Vec<_>>(), [1, 5, 12]);
        assert_eq!(positions(ALL_CELLS).count(), CELLS);
    }

    #[test]
    fn cells_are_connected_along_rows_and_columns_only() {
        let connected =
            |positions: &[u8]| is_connected(positions.iter().map(|position| cell(*position)).sum());
        assert!(connected(&[1]) && connected(&[1, 4, 5]) && connected(&[1, 2, 3, 4]));
        assert!(!connected(&[1, 3]) && !connected(&[2, 6]) && !connected(&[1, 2, 11, 12]));
        assert!(is_connected(ALL_CELLS));
    }
}
