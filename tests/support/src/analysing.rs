//! Plays the record of a finished game again on the board of an analysis, where chance is chosen as the record had it.

use pippost::record::{Disclosed, Event, Footer, Header};
use pippost::rules::chance::uniform;
use serde_json::{Value, json};

use super::Client;

/// The actions of one line; the next line begins where it ends.
const LINE: usize = 24;

/// A finished game, as everybody can read it.
pub struct Finished {
    pub events: Vec<Event>,
    chance: Disclosed,
    /// By seat the views after each event; the spectators' last.
    views: Vec<Vec<Value>>,
}

/// All pages of a replay.
async fn views(client: &Client, game: &str) -> Vec<Value> {
    let (mut views, mut first) = (Vec::new(), json!(0));
    while !first.is_null() {
        let page = client.get(&format!("{game}/replay?first={first}&limit=200")).await.ok();
        views.extend(page["steps"].as_array().expect("steps").iter().map(|step| step["view"].clone()));
        first = page["next"].clone();
    }
    views
}

impl Finished {
    /// `players` by seat.
    pub async fn read(game: &str, players: &[Client], stranger: &Client) -> Self {
        let record = stranger.get(&format!("{game}/record")).await.expect_status(200).text();
        let lines: Vec<&str> = record.lines().collect();
        let [header, events @ .., footer] = lines.as_slice() else { panic!("a record has a footer") };
        let header: Header = serde_json::from_str(header).expect("a header");
        let footer: Footer = serde_json::from_str(footer).expect("a footer");
        let events = events.iter().map(|line| serde_json::from_str(line).expect("an event")).collect();
        let mut seen = Vec::new();
        for who in players.iter().chain([stranger]) {
            seen.push(views(who, game).await);
        }
        Self { events, chance: Disclosed::new(&header, &footer.master), views: seen }
    }

    /// The view after an event of the seat that is to act then.
    fn view(&self, event: &Event) -> &Value {
        let seat = event.to_act.map_or(self.views.len() - 1, |seat| usize::from(seat.0));
        &self.views[seat][usize::try_from(event.seq).expect("a few events")]
    }

    /// Plays all actions again as `client`, each with the chance of its event: effects, views and results are those of the record.
    /// `to_the_end`: they end the game. Returns how many draws there were.
    pub async fn play_again(&self, client: &Client, game: &str, to_the_end: bool) -> usize {
        let (mut line, mut seq, mut draws) = (Vec::new(), 0, 0);
        for event in &self.events[1..] {
            if line.len() == LINE {
                (line, seq) = (Vec::new(), event.seq - 1);
            }
            line.push(json!({"action": event.action, "chance": []}));
            let mut words = self.chance.words(event.seq);
            let board = loop {
                let board =
                    client.post(&format!("{game}/analysis"), &json!({"seq": seq, "line": line})).await.ok();
                let Some(asked) = board["asked"].as_array() else { break board };
                assert_eq!((&board["to_act"], &board["actions"]), (&Value::Null, &json!([])));
                let drawn = uniform(&mut words, u32::try_from(asked.len()).expect("a few outcomes"));
                let outcome = asked[drawn as usize].clone();
                assert_ne!(outcome["label"], json!(""));
                let last = line.last_mut().expect("an action");
                last["chance"].as_array_mut().expect("a list").push(outcome["name"].clone());
                draws += 1;
            };
            let played = &board["line"].as_array().expect("a line")[line.len() - 1];
            assert_eq!((&played["action"], &played["seat"]), (&event.action, &json!(event.seat)));
            assert_eq!(played["effects"], json!(event.effects), "event {}", event.seq);
            assert_eq!(board["to_act"], json!(event.to_act), "event {}", event.seq);
            assert_eq!(board["view"], *self.view(event), "event {}", event.seq);
            assert_eq!(board["actions"] == json!([]), event.to_act.is_none(), "event {}", event.seq);
            // The same in notation.
            let written = json!({"notation": played["notation"], "chance": played["chance"]});
            let index = line.len() - 1;
            line[index] = written;
        }
        let line = json!({"seq": seq, "line": line});
        let end = client.post(&format!("{game}/analysis"), &line).await.ok();
        let result = client.get(game).await.ok()["result"].clone();
        assert_eq!(end["result"], if to_the_end { result } else { Value::Null });
        draws
    }
}
