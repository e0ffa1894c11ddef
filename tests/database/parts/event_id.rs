//! Ids of events.

use pippost::store::event_id::NoEventId;
use pippost::store::{EventId, Seq};

const ID: &str = "01a1fe2a-89df-7515-9c5d-9fde96828ff2:17";

#[test]
fn an_id_is_read_as_it_is_written_and_in_no_other_form() {
    let id: EventId = ID.parse().expect("an id");
    assert_eq!((id.seq, id.to_string().as_str()), (Seq::from(17), ID));
    let game = &ID[..36];
    let too_large = format!("{game}:{}", u64::MAX);
    let others = ["", ":", game, &ID.to_uppercase(), &too_large].map(str::to_owned);
    let numbers = ["", "+1", "-1", "01", "1 ", "1:2", "x"].map(|number| format!("{game}:{number}"));
    for bad in others.into_iter().chain(numbers) {
        assert_eq!(bad.parse::<EventId>(), Err(NoEventId), "{bad:?}");
    }
}
