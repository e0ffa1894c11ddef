//! Twin masters: two servers with the same games but different masters, so past events are equal and future chance differs.
//! They answer every request alike until an event draws.

use std::time::Instant;

use pippost::rules;
use reqwest::Method;
use serde_json::{Value, json};

use support::post::{Post, Sent, deliver};
use support::sample::Sampler;
use support::{Client, TestApp};

/// The number of random sequences; an environment variable can raise it.
const SEQUENCES: usize = 60;

/// The number of sequences on one pair of servers.
const SEQUENCES_A_ROUND: usize = 60;

/// The number of requests in one sequence, each sent to both servers.
const REQUESTS: usize = 6;

/// The number of players in a round; as many as a game can have.
const PLAYERS: usize = 8;

/// The number of games of each rule set in a round.
const GAMES_OF_EACH: usize = 2;

/// The most moves that a game starts with.
const MAX_MOVES: usize = 30;

/// A game on both servers.
struct Game {
    /// Its path.
    path: String,
    /// The players, by seat.
    players: Vec<usize>,
    /// Some used seeds are not published, so the past can be recomputed only with the game's own master.
    hides: bool,
    /// Actions that were played in it, and so may not be legal any more.
    done: Vec<Value>,
    receipts: Vec<String>,
    /// The player who can answer a mail about it, and the address to answer to.
    reply_to: Option<(usize, String)>,
}

struct Round {
    servers: [TestApp; 2],
    posts: [Post; 2],
    /// Each player's clients of both servers.
    players: Vec<[Client; 2]>,
    strangers: [Client; 2],
    games: Vec<Game>,
    sampler: Sampler,
}

fn handle(player: usize) -> String {
    format!("player{player}")
}

/// An answer without what may differ: addresses, sealed tokens, and hashes and signatures, which depend on future seeds.
fn masked(text: &str, url: &str) -> String {
    let text = text.replace(url, "URL");
    let mut masked = String::with_capacity(text.len());
    let is_word = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.');
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let word = rest.find(|character| !is_word(character)).unwrap_or(rest.len());
        let (token, after) = rest.split_at(word);
        let is_sealed = masked.ends_with("unsubscribe?token=");
        let is_hash = token.len() == 64 && token.bytes().all(|byte| byte.is_ascii_hexdigit());
        masked.push_str(if is_hash {
            "HASH"
        } else if is_sealed {
            "SEALED"
        } else if token.starts_with("eyJ") {
            "SIGNED"
        } else {
            token
        });
        let other = after.chars().next().map_or(0, char::len_utf8);
        masked.push_str(&after[..other]);
        rest = &after[other..];
    }
    masked
}

impl Round {
    async fn begin(seed: u64) -> Self {
        let (app, mut sampler) = (TestApp::start().await, Sampler::new(seed));
        let mut players = Vec::new();
        for player in 0..PLAYERS {
            players.push(app.player(&handle(player)).await.unchecked());
        }
        let mut games = Vec::new();
        for rules in rules::all() {
            for _ in 0..GAMES_OF_EACH {
                games.push(begin_game(rules, &players, &mut sampler).await);
            }
        }
        let post = Post::of(&app);
        for game in &mut games {
            game.reply_to = turn_mail(&post, game).await;
        }
        let servers = [app.copied().await, app.copied().await];
        servers[1].db_exchange_masters().await;
        let at_both = |client: &Client| [0, 1].map(|index| client.at(&servers[index].url).unchecked());
        let players = players.iter().map(at_both).collect();
        let strangers = at_both(&app.stranger());
        let posts = [Post::of(&servers[0]), Post::of(&servers[1])];
        Self { servers, posts, players, strangers, games, sampler }
    }

    /// Sends the same request to both servers and compares the answers. Returns the first one's status and answer.
    async fn both(
        &self,
        clients: &[Client; 2],
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> (u16, String) {
        let send = |index: usize| clients[index].send(method.clone(), path, body.map(Value::to_string), &[]);
        let (first, second) = futures_util::join!(send(0), send(1));
        let [one, other] = [(&first, 0), (&second, 1)].map(|(answer, index)| {
            (answer.status.as_u16(), masked(&answer.text(), &self.servers[index].url))
        });
        assert_eq!(one, other, "{method} {path} {body:?}");
        (one.0, first.text())
    }

    async fn sequence(&mut self) {
        let game = self.sampler.below(self.games.len());
        for _ in 0..REQUESTS {
            match self.sampler.below(10) {
                0..=2 => self.look(game).await,
                3 => self.ask_in_vain(game).await,
                4 => self.write(game).await,
                _ => self.move_or_not(game).await,
            }
        }
    }

    /// The clients of one player: mostly of the player to act.
    async fn somebody(&mut self, game: usize) -> [Client; 2] {
        let players = &self.games[game].players;
        match self.sampler.below(8) {
            0 => self.strangers.clone(),
            1 => self.players[players[self.sampler.below(players.len())]].clone(),
            2 => self.players[self.sampler.below(PLAYERS)].clone(),
            _ => self.to_act(game).await,
        }
    }

    async fn to_act(&self, game: usize) -> [Client; 2] {
        let Game { path, players, .. } = &self.games[game];
        let (_, view) = self.both(&self.strangers, Method::GET, path, None).await;
        let view: Value = serde_json::from_str(&view).expect("a view");
        let seat = view["to_act"].as_u64().map_or(0, |seat| usize::try_from(seat).expect("a seat"));
        self.players[players[seat]].clone()
    }

    async fn look(&mut self, game: usize) {
        let who = self.somebody(game).await;
        let mut paths = vec![
            "",
            "/events",
            "/feed?snapshot=first",
            "/record",
            "/actions",
            "/board.txt",
            "/board.svg",
            "/messages",
        ];
        let past = [
            "/replay",
            "/replay?first=1&limit=3",
            "?seq=0",
            "?turn=1",
            "/board.txt?seq=1",
            "/board.svg?turn=0",
            "/choices",
            "/choices?seq=0",
            "/news",
        ];
        if !self.games[game].hides {
            paths.extend(past);
        }
        if self.sampler.below(12) == 0 {
            paths = vec!["/board.png"];
        }
        let path = format!("{}{}", self.games[game].path, paths[self.sampler.below(paths.len())]);
        self.both(&who, Method::GET, &path, None).await;
        if !self.games[game].hides && self.sampler.below(3) == 0 {
            self.analyse(game, &who).await;
        }
        if self.sampler.below(4) == 0 {
            let lists = ["running", "my_turn", "mine", "finished", "open"];
            let path = format!("/api/v1/games?list={}", lists[self.sampler.below(lists.len())]);
            self.both(&who, Method::GET, &path, None).await;
        }
    }

    /// Plays on with chance chosen by hand, which need not be possible.
    async fn analyse(&mut self, game: usize, who: &[Client; 2]) {
        let mut list = self.list(game).await;
        let chance: Vec<&str> =
            (0..self.sampler.below(4)).map(|_| ["5", "Th", "1"][self.sampler.below(3)]).collect();
        let actions = list["actions"].as_array_mut().map(std::mem::take).unwrap_or_default();
        let line: Vec<Value> =
            actions.into_iter().map(|action| json!({"action": action, "chance": chance})).collect();
        let path = format!("{}/analysis", self.games[game].path);
        self.both(who, Method::POST, &path, Some(&json!({"line": line}))).await;
    }

    /// Sends requests that are refused for reasons other than the rules, and receipts.
    async fn ask_in_vain(&mut self, game: usize) {
        let who = self.somebody(game).await;
        let path = self.games[game].path.clone();
        let stale = json!({"expected_seq": 9999});
        match self.sampler.below(5) {
            0 => self.both(&who, Method::POST, &format!("{path}/resign"), Some(&stale)).await,
            1 => self.both(&who, Method::POST, &format!("{path}/abort"), Some(&stale)).await,
            2 => {
                let body = json!({"actions": [{"type": "resign"}], "each": self.sampler.below(2) == 0});
                self.both(&who, Method::POST, &format!("{path}/preview"), Some(&body)).await
            }
            3 => {
                let mut body = self.list(game).await;
                body["expected_seq"] = json!(9999);
                self.both(&who, Method::POST, &format!("{path}/moves"), Some(&body)).await
            }
            _ => {
                let receipts = &self.games[game].receipts;
                let receipt = match receipts.len() {
                    0 => "eyJhbGciOiJFZERTQSJ9.e30.AAAA".to_owned(),
                    count => receipts[self.sampler.below(count)].clone(),
                };
                self.both(&who, Method::POST, "/api/v1/receipts", Some(&json!({"receipt": receipt}))).await
            }
        };
    }

    /// A list of one to four actions, legal and not, in JSON or notation, as one move or with `each`.
    async fn list(&mut self, game: usize) -> Value {
        let who = self.to_act(game).await;
        let (_, legal) =
            self.both(&who, Method::GET, &format!("{}/actions", self.games[game].path), None).await;
        let legal: Value = serde_json::from_str(&legal).expect("JSON");
        let listed = legal["actions"].as_array().cloned().unwrap_or_default();
        let written = legal["notation"].as_array().cloned().unwrap_or_default();
        let in_notation = self.sampler.below(3) == 0 && !written.is_empty();
        let (mut actions, mut notation) = (Vec::new(), Vec::new());
        for _ in 0..=self.sampler.below(4) {
            let done = &self.games[game].done;
            let choice = self.sampler.below(8);
            actions.push(match choice {
                0 => json!({"type": "fold"}),
                1 => json!({"type": "occupy", "armies": self.sampler.below(3)}),
                2 | 3 if !done.is_empty() => done[self.sampler.below(done.len())].clone(),
                _ if !listed.is_empty() => self.sampler.action(&listed),
                _ => json!({"type": "roll"}),
            });
            notation.push(match choice {
                0 => "blargh".to_owned(),
                1 => format!("occupy {}", self.sampler.below(3)),
                2 => "roll".to_owned(),
                _ if written.is_empty() => "pass".to_owned(),
                _ => written[self.sampler.below(written.len())].as_str().expect("notation").to_owned(),
            });
        }
        let each = self.sampler.below(2) == 0;
        if in_notation {
            return json!({"notation": notation.join("; "), "each": each});
        }
        json!({"actions": actions, "each": each})
    }

    /// Previews a list, and sends it as a move unless that would draw.
    async fn move_or_not(&mut self, game: usize) {
        let who = self.somebody(game).await;
        let list = self.list(game).await;
        if self.would_draw(game, &who, &list).await {
            return;
        }
        let path = format!("{}/moves", self.games[game].path);
        let (status, answer) = self.both(&who, Method::POST, &path, Some(&list)).await;
        if status == 200 {
            let answer: Value = serde_json::from_str(&answer).expect("JSON");
            let events = answer["events"].as_array().expect("events");
            self.games[game].done.extend(events.iter().map(|event| event["action"].clone()));
        }
    }

    async fn would_draw(&self, game: usize, who: &[Client; 2], list: &Value) -> bool {
        let path = format!("{}/preview", self.games[game].path);
        let (status, preview) = self.both(who, Method::POST, &path, Some(list)).await;
        let preview: Value = serde_json::from_str(&preview).expect("JSON");
        status == 200 && preview["stopped"] == true
    }

    /// The orders that the game can parse, whether or not they are legal.
    async fn readable(&self, game: usize, player: usize, notation: &str) -> String {
        let path = format!("{}/preview", self.games[game].path);
        let mut readable = Vec::new();
        for order in notation.split("; ") {
            let list = json!({"notation": order, "each": true});
            let (_, answer) = self.both(&self.players[player], Method::POST, &path, Some(&list)).await;
            let answer: Value = serde_json::from_str(&answer).expect("JSON");
            if answer["code"] != "unreadable_action" {
                readable.push(order);
            }
        }
        readable.join("; ")
    }

    /// Sends orders by mail, and compares the answering mails.
    async fn write(&mut self, game: usize) {
        let Some((player, reply_to)) = self.games[game].reply_to.clone() else { return };
        let mut list = self.list(game).await;
        let Some(notation) = list["notation"].as_str().map(str::to_owned) else { return };
        list["each"] = json!(true);
        // A mail's lines that the game cannot parse are skipped, and the following ones are carried out.
        let readable = json!({"notation": self.readable(game, player, &notation).await, "each": true});
        for list in [&list, &readable] {
            if self.would_draw(game, &self.players[player], list).await {
                return;
            }
        }
        let asked = ["", "status; ", "history; ", "help; "][self.sampler.below(4)];
        let sent = Sent {
            from: format!("{}@example.org", handle(player)),
            to: reply_to,
            id: format!("{}@mail.example.org", uuid::Uuid::now_v7()),
            headers: String::new(),
            text: format!("{asked}{notation}\n"),
        };
        let outcomes = [deliver(&self.servers[0], &sent).await, deliver(&self.servers[1], &sent).await];
        assert_eq!(outcomes[0], outcomes[1], "{}", sent.text);
        let mut told = Vec::new();
        for (post, server) in self.posts.iter().zip(&self.servers) {
            let mails = post.all(&handle(player)).await;
            told.push(
                mails
                    .iter()
                    .map(|mail| masked(&format!("{}\n{}", mail.subject, mail.text), &server.url))
                    .collect::<Vec<_>>(),
            );
        }
        // Each server's outbox decides which mail leaves first.
        for mails in &mut told {
            mails.sort();
        }
        assert_eq!(told[0], told[1], "{}", sent.text);
    }

    /// Plays an action that draws in every game that has one; returns how many games then differ.
    async fn differences(&mut self) -> usize {
        let mut differ = 0;
        for game in 0..self.games.len() {
            let who = self.to_act(game).await;
            let path = &self.games[game].path;
            let legal = who[0].get(&format!("{path}/actions")).await.ok();
            for action in legal["actions"].as_array().expect("a list") {
                let body = json!({"actions": [action]});
                if action.get("choose").is_some() || !self.would_draw(game, &who, &body).await {
                    continue;
                }
                let mut effects = Vec::new();
                for client in &who {
                    effects.push(
                        client.post(&format!("{path}/moves"), &body).await.ok()["events"][0]["effects"]
                            .take(),
                    );
                }
                differ += usize::from(effects[0] != effects[1]);
                break;
            }
        }
        differ
    }
}

/// A game of random options after random moves.
async fn begin_game(rules: &dyn rules::RuleSet, players: &[Client], sampler: &mut Sampler) -> Game {
    let options =
        rules.complete_options(&sampler.options(&rules.options_schema())).expect("possible options");
    let possible = rules.seats(&options).expect("complete options");
    let seats = usize::from(*possible.start());
    let first = sampler.below(players.len());
    let by_seat: Vec<usize> = (0..seats).map(|seat| (first + seat) % players.len()).collect();
    let wanted = json!({"rules": rules.name(), "options": options, "seats": seats, "seating": "joined"});
    let created = players[by_seat[0]].post("/api/v1/games", &wanted).await.expect_status(201).json();
    let path = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    let mut view = created;
    for player in &by_seat[1..] {
        view = players[*player].post(&format!("{path}/join"), &json!({})).await.ok();
    }
    let (mut done, mut receipts) = (Vec::new(), Vec::new());
    for _ in 0..sampler.below(MAX_MOVES) {
        let Some(seat) = view["to_act"].as_u64() else { break };
        let player = &players[by_seat[usize::try_from(seat).expect("a seat")]];
        let legal = player.get(&format!("{path}/actions")).await.ok();
        let action = sampler.action(legal["actions"].as_array().expect("a list"));
        let mut answer = player.post(&format!("{path}/moves"), &json!({"actions": [action]})).await.ok();
        receipts.push(answer["receipts"][0].as_str().expect("a receipt").to_owned());
        done.push(action);
        view = answer["game"].take();
    }
    let events = players[0].get(&format!("{path}/events?limit=500")).await.ok();
    let hides = events["events"].as_array().expect("events").iter().any(|event| {
        let dealt =
            event["effects"].as_array().expect("effects").iter().any(|effect| effect["type"] == "dealt");
        let own = event["seeds"].as_array().expect("seeds").iter().any(|seed| seed["seq"] == event["seq"]);
        dealt && !own
    });
    Game { path, players: by_seat, hides, done, receipts, reply_to: None }
}

/// The newest mail about a game that its reader can answer.
async fn turn_mail(post: &Post, game: &Game) -> Option<(usize, String)> {
    let id = game.path.rsplit('/').next().expect("an id");
    for player in &game.players {
        let mails = post.all(&handle(*player)).await;
        let turn = mails.into_iter().rev().find(|mail| mail.kind == "turn" && mail.text.contains(id));
        if let Some(reply_to) = turn.and_then(|mail| mail.reply_to) {
            return Some((*player, reply_to));
        }
    }
    None
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_can_tell_twin_masters_apart_before_an_event_draws() {
    let wanted = std::env::var("PIPPOST_TWIN_MASTERS").ok();
    let wanted = wanted.map_or(SEQUENCES, |wanted| wanted.parse().expect("a number of sequences"));
    let (began, mut tried, mut differ) = (Instant::now(), 0, 0);
    while tried < wanted {
        let mut round = Round::begin(tried as u64).await;
        for _ in 0..SEQUENCES_A_ROUND.min(wanted - tried) {
            round.sequence().await;
            tried += 1;
        }
        differ += round.differences().await;
        println!("{tried} sequences, {} s", began.elapsed().as_secs());
    }
    assert!(differ > 0, "the masters are different, so what is drawn in the end is");
}
