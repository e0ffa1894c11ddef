//! What requests about webhooks say, and those for which something is sent by hand.

pub mod bodies;
pub mod by_hand;
