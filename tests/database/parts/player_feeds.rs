//! Ranges of a player's feed.

use pippost::store::player_feeds::FeedRange;
use pippost::store::{FeedPosition, Seq};
use uuid::Uuid;

#[test]
fn a_range_knows_the_positions_of_its_events_and_its_part_after_one() {
    let range = FeedRange {
        game_id: Uuid::nil(),
        first_seq: Seq::from(3),
        last_seq: Seq::from(7),
        position: FeedPosition::from(25),
    };
    assert_eq!(range.position_of(Seq::from(3)), FeedPosition::from(21));
    assert_eq!(range.after(FeedPosition::from(20)), Some(range));
    assert_eq!(range.after(FeedPosition::from(0)), Some(range));
    assert_eq!(range.after(FeedPosition::from(23)).map(|part| part.first_seq), Some(Seq::from(6)));
    assert_eq!(range.after(FeedPosition::from(25)), None);
}
