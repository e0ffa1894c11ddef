//! An event as feeds tell it, encoded once for all readers.

use bytes::Bytes;
use serde::Deserialize;
use uuid::Uuid;

use pippost_store::{EventId, Seq};

/// The start of a line of server-sent events that holds data.
const DATA: &str = "data: ";

/// An event, encoded. Events are public: the same bytes are for every reader of the game.
#[derive(Clone, Debug)]
pub struct Entry {
    pub id: EventId,
    /// Whether the game is over with it.
    pub ends_game: bool,
    /// As a server-sent event.
    sse: Bytes,
    /// Where the JSON begins in it.
    json_at: usize,
}

/// The member of an event that says whether the game goes on.
#[derive(Deserialize)]
struct Rest {
    to_act: Option<u8>,
}

impl Entry {
    /// The event with that line of the record.
    #[must_use]
    pub fn new(game_id: Uuid, seq: Seq, line: &str) -> Self {
        let id = EventId { game_id, seq };
        let mut sse = format!("id: {id}\n{DATA}");
        let json_at = sse.len();
        sse += &[r#"{"type":"event","id":""#, &id.to_string(), r#"","event":"#, line, "}\n\n"].concat();
        let ends_game = serde_json::from_str::<Rest>(line).is_ok_and(|rest| rest.to_act.is_none());
        Self { id, ends_game, sse: sse.into(), json_at }
    }

    /// The entry as a server-sent event with its id.
    #[must_use]
    pub fn sse(&self) -> Bytes {
        self.sse.clone()
    }

    /// The entry as a line of NDJSON.
    #[must_use]
    pub fn ndjson(&self) -> Bytes {
        self.sse.slice(self.json_at..self.sse.len() - 1)
    }

    /// The entry as a JSON object.
    #[must_use]
    pub fn json(&self) -> Bytes {
        self.sse.slice(self.json_at..self.sse.len() - 2)
    }

    /// The size of the encoded event, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.sse.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_one_json_object_in_every_form() {
        let line = r#"{"effects":[],"seq":3,"to_act":1}"#;
        let entry = Entry::new(Uuid::nil(), Seq::from(3), line);
        let id = "00000000-0000-0000-0000-000000000000:3";
        let json = format!(r#"{{"type":"event","id":"{id}","event":{line}}}"#);
        assert_eq!(entry.json(), json);
        assert_eq!(entry.ndjson(), format!("{json}\n"));
        assert_eq!(entry.sse(), format!("id: {id}\ndata: {json}\n\n"));
        assert!(!entry.ends_game);
        assert!(Entry::new(Uuid::nil(), Seq::from(3), r#"{"to_act":null}"#).ends_game);
    }
}
