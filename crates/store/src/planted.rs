//! Faults that `tests/torture` plants, to see that it finds them. Only builds with debug assertions have this module.

use std::sync::LazyLock;

/// A fault of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A move is written whatever the game's newest event is.
    LostGuard,
    /// A move is acknowledged before it is written.
    EarlyAcknowledgement,
    /// Some moves write each notice twice.
    DoubleNotice,
    /// A cached game is shown without asking the database whether it is the newest.
    StaleRead,
}

/// The variable that names the fault.
pub const VARIABLE: &str = "PIPPOST_PLANTED_FAULT";

static PLANTED: LazyLock<Option<Fault>> =
    LazyLock::new(|| std::env::var(VARIABLE).ok().and_then(|name| Fault::named(&name)));

impl Fault {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::LostGuard, Self::EarlyAcknowledgement, Self::DoubleNotice, Self::StaleRead];

    /// Its name in the variable.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LostGuard => "lost-guard",
            Self::EarlyAcknowledgement => "early-acknowledgement",
            Self::DoubleNotice => "double-notice",
            Self::StaleRead => "stale-read",
        }
    }

    /// The fault of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fault| fault.name() == name)
    }

    /// Whether this process has the fault.
    #[must_use]
    pub fn is_planted(self) -> bool {
        *PLANTED == Some(self)
    }
}
