//! Judges a run by the notes of the clients and by what the service serves when all faults are over.

mod games;
mod letters;
mod pushes;
mod register;

use std::collections::BTreeMap;

use serde_json::Value;
use support::receiver::Got;

use super::browsers::Browsers;
use super::caller::{Caller, Request};
use super::chance::Dice;
use super::posting::{Letter, Mailboxes};
use super::world::{SERVERS, World};
use games::Served;

/// What was found.
#[derive(Default)]
pub struct Verdict {
    pub wrong: Vec<String>,
    /// How much of each thing was checked.
    pub counts: BTreeMap<&'static str, usize>,
}

impl Verdict {
    fn count(&mut self, what: &'static str, count: usize) {
        *self.counts.entry(what).or_default() += count;
    }
}

/// Checks every game and every player.
pub async fn check(
    stranger: &Caller,
    players: &[Caller],
    world: &mut World,
    (mailboxes, browsers): (&Mailboxes, &Browsers),
    dice: &mut Dice,
) -> Verdict {
    let notes = stranger.notes.all();
    let mut verdict = Verdict { wrong: stranger.notes.all_wrong(), ..Verdict::default() };
    let (_, keys) = stranger.insist(dice, &Request::get("/.well-known/jwks.json")).await;
    let (mut promised, mut all_events) = (letters::Promised::new(), BTreeMap::new());
    for (id, game) in &notes {
        let mut records = Vec::new();
        for server in 0..SERVERS {
            let path = format!("/api/v1/games/{id}/record?with=clock");
            records.push(stranger.bytes(server, &path).await);
        }
        if records.windows(2).any(|pair| pair[0] != pair[1]) {
            verdict.wrong.push(format!("the servers serve different records of {id}"));
        }
        verdict.wrong.extend(Served { id, notes: game, record: &records[0], keys: &keys }.check());
        let events = games::events(pippost::clock::log::split(&records[0]).0);
        letters::promise(&mut promised, id, &game.handles, &events);
        all_events.insert(id.as_str(), events.clone());
        verdict.count("games", 1);
        verdict.count("events", events.len());
        verdict.count("receipts", game.receipts.len());
        verdict.count("operations of histories", game.operations.len());
        verdict.count("views", game.shown.len());
        verdict.count("readers of feeds", game.feeds.len());
        verdict.count("moves by mail", game.by_mail.len());
        verdict.count("games with rounds of the beacon", game.beacon_rounds.iter().flatten().count());
    }
    let mut listed = Vec::new();
    for player in players {
        listed.push((&player.handle, mails(player, dice).await));
    }
    // What is listed as sent has arrived by now.
    mailboxes.take(&world.mails.received_after(mailboxes.count()));
    let letters = mailboxes.all();
    let id = |letter: &Letter| letter.message_id.split('@').next().unwrap_or_default().to_owned();
    let arrived = letters.iter().map(id).collect();
    for (handle, listed) in listed {
        verdict.wrong.extend(letters::check(&promised, handle, &listed, &arrived));
    }
    for (handle, told) in stranger.notes.feeds_of_players.lock().expect("no panic").iter() {
        verdict.count("events in feeds of players", told.len());
        let own = notes.iter().filter(|(_, game)| game.handles.contains(handle));
        for (id, _) in own {
            let told = told.iter().map(|line| &line["event"]).zip(told);
            let told = told.filter(|(_, line)| line["id"].as_str().is_some_and(|of| of.starts_with(id)));
            if !told.map(|(event, _)| event).eq(&all_events[id.as_str()]) {
                verdict.wrong.push(format!("the feed of {handle} tells another history of {id}"));
            }
        }
    }
    let again = letters::check_received(&letters, &mut verdict.wrong);
    verdict.count("mails that came again under their id", again);
    // What is sent meanwhile has left the queue, and has come.
    let waiting = world.db_waiting_pushes().await;
    let told = browsers.read(&world.pushes.got());
    verdict.wrong.extend(pushes::check(&promised, browsers, &told, &waiting));
    verdict.count("messages by web push", told.len());
    let told = check_told(&world.hooks.got(), &mut world.told, &mut verdict.wrong);
    verdict.count("messages to webhooks", told);
    verdict
}

/// All mails that a player is shown.
async fn mails(player: &Caller, dice: &mut Dice) -> Vec<Value> {
    let (mut all, mut cursor) = (Vec::new(), String::new());
    loop {
        let path = format!("/api/v1/me/mails?limit=100{cursor}");
        let (_, page) = player.insist(dice, &Request::get(path)).await;
        all.extend(page["mails"].as_array().cloned().unwrap_or_default());
        let Some(next) = page["next_cursor"].as_str() else { return all };
        cursor = format!("&cursor={next}");
    }
}

/// A webhook is told the events of a game in order, without a gap; some again. `newest` has the newest ones of games that were told
/// before. Returns how many messages there were.
fn check_told(got: &[Got], newest: &mut BTreeMap<String, u64>, wrong: &mut Vec<String>) -> usize {
    let mut count = 0;
    for message in got {
        let body: Value = serde_json::from_str(&message.text).unwrap_or(Value::Null);
        let (game, seq) = (&body["data"]["game"]["id"], body["data"]["event"]["seq"].as_u64());
        let (Some(game), Some(seq)) = (game.as_str(), seq) else { continue };
        count += 1;
        let newest = newest.entry(game.to_owned()).or_insert(0);
        if seq > *newest + 1 {
            wrong.push(format!("a webhook was told event {seq} of {game} after event {newest}"));
        }
        *newest = (*newest).max(seq);
    }
    count
}
