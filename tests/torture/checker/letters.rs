//! Checks the notices: each that a record promises was written once, and each was mailed under one id.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::posting::Letter;

/// How often each player was promised a mail of a kind about a game.
pub type Promised = BTreeMap<(String, String, &'static str), usize>;

/// Adds what the events of a game promise: a mail to whoever is newly asked, and one to each player at the end.
pub fn promise(promised: &mut Promised, game: &str, handles: &[String], events: &[Value]) {
    let mut asked = None;
    for event in events {
        let now = event["to_act"].as_u64();
        if let Some(seat) = now.filter(|_| now != asked)
            && let Some(handle) = usize::try_from(seat).ok().and_then(|seat| handles.get(seat))
        {
            *promised.entry((handle.clone(), game.to_owned(), "turn")).or_default() += 1;
        }
        asked = now;
    }
    for handle in handles {
        promised.insert((handle.clone(), game.to_owned(), "game_over"), 1);
    }
}

/// Compares with the list of mails that a player is shown, and that with the mails that have arrived, by their Message-IDs.
pub fn check(promised: &Promised, handle: &str, listed: &[Value], arrived: &BTreeSet<String>) -> Vec<String> {
    let mut found: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for mail in listed {
        let (Some(game), Some(kind)) = (mail["game_id"].as_str(), mail["kind"].as_str()) else { continue };
        *found.entry((game, kind)).or_default() += 1;
        match (mail["fate"].as_str(), mail["id"].as_str()) {
            (Some("failed" | "bounced"), _) => wrong.push(format!("a mail to {handle} was given up: {mail}")),
            (Some("skipped"), _) if kind == "game_over" => {
                wrong.push(format!("a mail to {handle} was left out: {mail}"));
            }
            (Some("sent"), Some(id)) if !arrived.contains(id) => {
                wrong.push(format!("a mail to {handle} was sent and has not arrived: {mail}"));
            }
            _ => {}
        }
    }
    for ((to, game, kind), count) in promised.iter().filter(|((to, ..), _)| to == handle) {
        let written = found.get(&(game.as_str(), *kind)).copied().unwrap_or_default();
        if written != *count {
            wrong.push(format!(
                "{to} was promised {count} mails `{kind}` of {game}, and {written} were written"
            ));
        }
    }
    wrong
}

/// Every event was told to a player by one mail, which may have come more often under its one id. Returns how many came again.
pub fn check_received(letters: &[Letter], wrong: &mut Vec<String>) -> usize {
    let mut ids: BTreeMap<(&str, &str, &str), BTreeSet<&str>> = BTreeMap::new();
    let mut all: BTreeSet<&str> = BTreeSet::new();
    let mut again = 0;
    for letter in letters {
        again += usize::from(!all.insert(&letter.message_id));
        // Answers to a player's own mails tell of the same event.
        if let (Some(event), "turn" | "game_over") = (&letter.event, letter.kind.as_str()) {
            let told = (letter.handle.as_str(), event.as_str(), letter.kind.as_str());
            ids.entry(told).or_default().insert(&letter.message_id);
        }
    }
    for ((handle, event, kind), ids) in ids {
        if ids.len() > 1 {
            wrong.push(format!("{handle} got {} mails `{kind}` of {event}", ids.len()));
        }
    }
    again
}
