//! Quartiles of figures.

use pippost::games::statistics::Quartiles;

fn quartiles(values: &[u64]) -> Option<[u64; 3]> {
    let Quartiles { lower, median, upper } = Quartiles::of(&mut values.to_vec())?;
    Some([lower, median, upper])
}

#[test]
fn quartiles_are_values_that_a_quarter_a_half_and_three_quarters_do_not_exceed() {
    assert_eq!(quartiles(&[]), None);
    assert_eq!(quartiles(&[7]), Some([7, 7, 7]));
    assert_eq!(quartiles(&[9, 3]), Some([3, 3, 9]));
    assert_eq!(quartiles(&[4, 1, 3, 2]), Some([1, 2, 3]));
    assert_eq!(quartiles(&[8, 7, 6, 5, 4, 3, 2, 1]), Some([2, 4, 6]));
    assert_eq!(quartiles(&[1, 2, 3, 4, 5]), Some([2, 3, 4]));
}
