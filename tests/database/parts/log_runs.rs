//! Rows of the log's entries.

use pippost::store::transparency::{MAX_RUN, NewEntry, runs};
use uuid::Uuid;

#[test]
fn entries_of_one_game_that_follow_each_other_share_rows_of_bounded_length() {
    let entry = |game: u128, seq: u8| NewEntry {
        game_id: Uuid::from_u128(game),
        seq: i64::from(seq),
        hash: [seq; 32],
    };
    let long = (3..=253).map(|seq| entry(1, seq));
    let entries: Vec<NewEntry> = long.chain([entry(2, 0), entry(2, 1), entry(2, 3), entry(3, 4)]).collect();
    let rows = runs(1000, &entries);
    let found: Vec<_> =
        rows.iter().map(|run| (run.index, run.game_id.as_u128(), run.seq, run.length)).collect();
    let second = i64::from(MAX_RUN);
    assert_eq!(
        found,
        [
            (1000, 1, 3, 128),
            (1000 + second, 1, 3 + second, 123),
            (1251, 2, 0, 2),
            (1253, 2, 3, 1),
            (1254, 3, 4, 1)
        ]
    );
    let hashes: Vec<u8> = rows.into_iter().flat_map(|run| run.hashes).collect();
    assert_eq!(hashes, entries.iter().flat_map(|entry| entry.hash).collect::<Vec<_>>());
}
