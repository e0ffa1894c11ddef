//! Gaps in what the log has seen.

use pippost::store::transparency::{MAX_SINGLE_POSITIONS, gaps};

#[test]
fn positions_that_are_missing_between_others_are_gaps_and_long_ones_are_kept_as_a_whole() {
    assert_eq!(gaps(0, &[1, 2, 3]), []);
    assert_eq!(gaps(0, &[2, 5]), [(1, 1), (3, 3), (4, 4)]);
    assert_eq!(gaps(7, &[]), []);
    let far = 8 + MAX_SINGLE_POSITIONS + 1;
    assert_eq!(gaps(7, &[far, far + 2]), [(8, far - 1), (far + 1, far + 1)]);
}
