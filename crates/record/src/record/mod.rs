//! PROTOCOL.md in code: header, event, footer, canonical JSON, hash chain, chance and its proof, the verifier.
//!
//! Pure, like [`crate::rules`], the only other module it uses.

pub mod analysis;
pub mod canonical;
pub mod chance;
pub mod chronicle;
pub mod common;
pub mod draft;
pub mod event;
pub mod hash;
pub mod header;
pub mod timestamp;
pub mod preview;
pub mod replayer;
pub mod table;
pub mod verify;

pub use analysis::{AnalysedAction, Analysis, AnalysisRefused};
pub use chance::{Disclosed, Master, Seed};
pub use chronicle::Chronicle;
pub use common::{CommonAction, CommonEffect, EventAction, EventEffect, RecordLine};
pub use draft::{Accepted, Draft, DraftRefused};
pub use event::{Event, Footer, GameResult, Reason, Recorded, RevealedSeed};
pub use hash::Hash;
pub use header::{Beacon, Header, Player, Seating};
pub use preview::Preview;
pub use replayer::Replayer;
pub use table::{Act, ActRefused, Table};
pub use timestamp::Timestamp;
pub use verify::{Failure, Location, Verified, verify};
