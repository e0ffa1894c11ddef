//! Names of players in records: a name is the same in upper and lower case, and is printed as in the newest game.

use std::collections::BTreeMap;

use crate::record::Timestamp;

/// The names that were read.
#[derive(Default)]
pub struct Names(BTreeMap<String, (Timestamp, String)>);

impl Names {
    /// Learns how a name is written in a game that ended then; returns what to count it by.
    pub fn learn(&mut self, name: &str, ended_at: Timestamp) -> String {
        let key = name.to_ascii_lowercase();
        let known = self.0.entry(key.clone()).or_insert_with(|| (ended_at, name.to_owned()));
        if known.0 < ended_at {
            *known = (ended_at, name.to_owned());
        }
        key
    }

    /// As the newest game writes what is counted by `key`.
    pub fn written<'a>(&'a self, key: &'a str) -> &'a str {
        self.0.get(key).map_or(key, |(_, name)| name)
    }
}
