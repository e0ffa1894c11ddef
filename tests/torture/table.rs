//! A pair of players who play one game after another, by both servers and by mail.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::sample::Sampler;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::caller::{Caller, Request, Said};
use super::chance::Dice;
use super::notes::{Learned, Notes, Operation, Sent};
use super::posting::{Letter, Mailboxes};
use super::reading;
use super::world::SERVERS;

/// How long a mail that was taken may need until its move is seen.
const MOVED_WITHIN: Duration = Duration::from_secs(20);

/// How long a full game may wait for its round of the beacon, and for a worker that starts it.
const STARTED_WITHIN: Duration = Duration::from_mins(2);

/// What refuses a move that another one has overtaken.
const OVERTAKEN: [&str; 4] = ["stale_seq", "not_your_turn", "game_over", "precondition_failed"];

/// One of a table's clients: it asks one thing at a time.
const MOVER: u32 = 0;
const RIVAL: u32 = 1;
const WATCHER: u32 = 2;
const CLIENTS: u32 = 3;

/// The players at a table with substitutes who have no seat.
pub const SPARE: usize = 2;

pub struct Table {
    pub number: u32,
    pub rules: &'static str,
    /// Those who sit down; with substitutes two more, who take seats that others give up.
    pub players: Vec<Caller>,
    pub has_substitutes: bool,
    pub stranger: Caller,
    pub dice: Dice,
    pub sampler: Sampler,
    pub mailboxes: Arc<Mailboxes>,
    /// Set when every game is to come to its end.
    pub ending: Arc<AtomicBool>,
    pub notes: Arc<Notes>,
    pub answers: usize,
}

/// A game at the table: its id, the players by seat, and whether a move came by mail.
struct Game {
    id: String,
    by_seat: Vec<Caller>,
    /// Who can take a seat in it.
    spare: Vec<Caller>,
    has_mailed: bool,
}

/// How far the end of the run is for a game.
enum Next {
    GoesOn,
    Over,
}

impl Table {
    pub async fn play(mut self) {
        while let Some(mut game) = self.begin().await {
            let (over, is_over) = watch::channel(false);
            let mut readers = JoinSet::new();
            let number =
                |part: u32| u64::from(self.number * 10 + part) << 32 | u64::from(game.id.as_bytes()[35]);
            for (part, caller) in [(1, &self.stranger), (2, &game.by_seat[0])] {
                readers.spawn(reading::follow(caller.clone(), game.id.clone(), Dice::of(number(part), 1)));
            }
            let callers = game.by_seat.iter().chain([&self.stranger]).cloned().collect();
            let (id, dice) = (game.id.clone(), Dice::of(number(3), 1));
            readers.spawn(reading::watch(callers, id, self.number * CLIENTS + WATCHER, dice, is_over));
            while let Next::GoesOn = self.step(&mut game).await {
                tokio::time::sleep(self.dice.milliseconds(0, 120)).await;
            }
            over.send_replace(true);
            while readers.join_next().await.is_some() {}
        }
    }

    fn client(&self, who: u32) -> u32 {
        self.number * CLIENTS + who
    }

    /// A new game; `None` at the end of the run.
    async fn begin(&mut self) -> Option<Game> {
        let seats = self.players.len() - if self.has_substitutes { SPARE } else { 0 };
        let options = match self.rules {
            "dominion" if self.has_substitutes => json!({"size": 4, "round_limit": 4}),
            "dominion" => json!({"size": 3, "round_limit": 4}),
            _ => json!({}),
        };
        let body = json!({
            "rules": self.rules, "options": options, "seats": seats, "substitutes": self.has_substitutes,
        });
        let (first, create) = (self.dice.below(seats), Request::post("/api/v1/games", &body));
        let id = self.create(first, &create).await?;
        let path = format!("/api/v1/games/{id}");
        for player in self.players[..seats].iter().enumerate().filter(|(number, _)| *number != first) {
            // Who has joined already is told so, because an earlier answer may have been lost.
            player.1.insist(&mut self.dice, &Request::post(format!("{path}/join"), &json!({}))).await;
        }
        let mut by_seat = Vec::new();
        for player in &self.players[..seats] {
            let view = started(player, &id, &mut self.dice).await;
            let Some(seat) = view["my_seat"].as_u64() else {
                self.notes.wrong(format!("the game {id} has not started for all: {view}"));
                return None;
            };
            by_seat.push((seat, player.clone()));
        }
        by_seat.sort_by_key(|(seat, _)| *seat);
        let by_seat: Vec<Caller> = by_seat.into_iter().map(|(_, player)| player).collect();
        let handles = by_seat.iter().map(|player| player.handle.clone()).collect();
        self.notes.of_game(&id, |notes| {
            self.rules.clone_into(&mut notes.rules);
            notes.handles = if self.has_substitutes { Vec::new() } else { handles };
        });
        Some(Game { id, by_seat, spare: self.players[seats..].to_vec(), has_mailed: false })
    }

    /// Creates a game once, however often it must be asked for; `None` at the end of the run.
    async fn create(&mut self, first: usize, request: &Request) -> Option<String> {
        while !self.ending.load(Ordering::Relaxed) {
            match self.players[first].ask(self.dice.below(SERVERS), request).await {
                Said::Answer(201, game) => return game["id"].as_str().map(str::to_owned),
                Said::Answer(status, body) => {
                    self.notes.wrong(format!("a game was not created: {status} {body}"));
                    return None;
                }
                Said::Nothing => tokio::time::sleep(self.dice.milliseconds(100, 400)).await,
            }
        }
        None
    }

    /// Looks, and moves once.
    async fn step(&mut self, game: &mut Game) -> Next {
        let path = format!("/api/v1/games/{}", game.id);
        let looking = if self.dice.one_in(3) { &self.stranger } else { self.dice.pick(&game.by_seat) };
        let begun = self.notes.tick();
        let (status, view) = looking.insist(&mut self.dice, &Request::get(path.clone())).await;
        if status != 200 {
            self.notes.wrong(format!("a view was refused: {status} {view}"));
            return Next::Over;
        }
        self.notes.saw(&game.id, self.client(MOVER), begun, &view);
        let Some(seat) = view["to_act"].as_u64() else { return Next::Over };
        let mover = game.by_seat[usize::try_from(seat).expect("a seat")].clone();
        let (_, listed) = mover.insist(&mut self.dice, &Request::get(format!("{path}/actions"))).await;
        let offers = listed["actions"].as_array().cloned().unwrap_or_default();
        if listed["my_turn"] != true || offers.is_empty() || listed["seq"] != view["seq"] {
            if !game.has_mailed {
                self.notes
                    .wrong(format!("the list of actions of {} is not of the view's: {listed}", game.id));
            }
            return Next::GoesOn;
        }
        let after = view["seq"].as_u64().expect("a number");
        let letter = self.mailboxes.turn(&mover.handle, &game.id, after);
        if let Some(letter) = letter.filter(|_| self.dice.one_in(3)) {
            self.answer_mail(game, &mover, &letter, (seat, after)).await;
            return Next::GoesOn;
        }
        let is_last = self.ending.load(Ordering::Relaxed);
        if !game.spare.is_empty() && self.dice.one_in(12) {
            self.hand_over(game).await;
            return Next::GoesOn;
        }
        if self.dice.one_in(6) {
            self.move_twice(game, &mover, seat, after, &offers).await;
        } else {
            let action = self.sampler.action(&offers);
            self.move_once(game, &mover, (seat, after), action).await;
        }
        self.look_elsewhere(game).await;
        if is_last { self.resign(game).await } else { Next::GoesOn }
    }

    fn sends(&self, game: &Game, seat: u64, after: u64, action: Option<Value>) {
        self.notes.of_game(&game.id, |notes| notes.sent.push(Sent { seat, after, action }));
    }

    fn request(game: &Game, after: u64, action: &Value) -> Request {
        let body = json!({"actions": [action], "expected_seq": after});
        Request::post(format!("/api/v1/games/{}/moves", game.id), &body)
    }

    async fn move_once(&mut self, game: &Game, mover: &Caller, (seat, after): (u64, u64), action: Value) {
        let request = Self::request(game, after, &action);
        self.sends(game, seat, after, Some(action));
        let begun = self.notes.tick();
        let answer = mover.insist(&mut self.dice, &request).await;
        let made = self.hears(game, self.client(MOVER), begun, after, &answer);
        if !made && !game.has_mailed {
            self.notes.wrong(format!("the only move after {after} of {} was refused: {}", game.id, answer.1));
        }
    }

    /// Two devices of a player move at once, of which one has to be refused.
    async fn move_twice(&mut self, game: &Game, mover: &Caller, seat: u64, after: u64, offers: &[Value]) {
        let actions = [self.sampler.action(offers), self.sampler.action(offers)];
        let requests = actions.each_ref().map(|action| Self::request(game, after, action));
        for action in actions {
            self.sends(game, seat, after, Some(action));
        }
        let seed = u64::try_from(self.dice.below(1 << 30)).expect("a small number");
        let (mut one, mut other) = (Dice::of(seed, 1), Dice::of(seed, 2));
        let begun = [self.notes.tick(), self.notes.tick()];
        let notes = Arc::clone(&self.notes);
        let hear = |who: u32, begun: u64, answer: &(u16, Value)| {
            hears(&notes, game, self.number * CLIENTS + who, begun, after, answer)
        };
        tokio::join!(
            async {
                let answer = mover.insist(&mut one, &requests[0]).await;
                hear(MOVER, begun[0], &answer)
            },
            async {
                let answer = mover.insist(&mut other, &requests[1]).await;
                hear(RIVAL, begun[1], &answer)
            },
        );
    }

    fn hears(&self, game: &Game, client: u32, begun: u64, after: u64, answer: &(u16, Value)) -> bool {
        hears(&self.notes, game, client, begun, after, answer)
    }

    /// Whoever is shown the game after an acknowledged move sees the move, whichever server shows it.
    async fn look_elsewhere(&mut self, game: &Game) {
        let looking = self.dice.pick(&game.by_seat).clone();
        for server in 0..SERVERS {
            let begun = self.notes.tick();
            let request = Request::get(format!("/api/v1/games/{}", game.id));
            if let Said::Answer(200, view) = looking.ask(server, &request).await {
                self.notes.saw(&game.id, self.client(MOVER), begun, &view);
            }
        }
    }

    async fn answer_mail(
        &mut self,
        game: &mut Game,
        mover: &Caller,
        letter: &Letter,
        (seat, after): (u64, u64),
    ) {
        self.answers += 1;
        let Some(raw) = letter.answer(self.answers) else { return };
        game.has_mailed = true;
        self.sends(game, seat, after, None);
        let begun = self.notes.tick();
        let (status, taken) = self.stranger.insist(&mut self.dice, &Request::mail(raw)).await;
        // It was taken before if the answer to an earlier delivery was lost.
        if status != 200 || !["taken", "repeated"].contains(&taken["outcome"].as_str().unwrap_or_default()) {
            return self.notes.wrong(format!("an answer by mail was not taken: {status} {taken}"));
        }
        let deadline = Instant::now() + MOVED_WITHIN;
        while Instant::now() < deadline {
            let request = Request::get(format!("/api/v1/games/{}", game.id));
            let (_, view) = mover.insist(&mut self.dice, &request).await;
            if view["seq"].as_u64().is_some_and(|seq| seq > after) {
                let (client, ended) = (self.client(MOVER), self.notes.tick());
                let learned = Learned::Made(after + 1);
                return self.notes.of_game(&game.id, |notes| {
                    notes.operations.push(Operation { client, begun, ended, learned });
                    notes.by_mail.push((seat, after));
                });
            }
            tokio::time::sleep(self.dice.milliseconds(50, 200)).await;
        }
        self.notes
            .wrong(format!("an answer by mail after {after} of {} was taken and moves nothing", game.id));
    }

    /// A player offers the seat, and of those who want it at once, at different servers, one gets it.
    async fn hand_over(&mut self, game: &mut Game) {
        let seat = self.dice.below(game.by_seat.len());
        let path = format!("/api/v1/games/{}", game.id);
        let offer = Request::post(format!("{path}/offer"), &json!({}));
        let (status, body) = game.by_seat[seat].insist(&mut self.dice, &offer).await;
        if status != 200 && body["code"] != "clock_refused" {
            return self.notes.wrong(format!("a seat of {} was not offered: {status} {body}", game.id));
        }
        // It is offered already if the answer to an earlier request was lost; a seat is offered once in a game.
        let (_, view) = self.stranger.insist(&mut self.dice, &Request::get(path.clone())).await;
        let is_offered = view["offered_seats"]
            .as_array()
            .is_some_and(|seats| seats.iter().any(|offered| offered["seat"] == seat));
        if !is_offered {
            if status == 200 {
                self.notes.wrong(format!("seat {seat} of {} was offered, and is not: {view}", game.id));
            }
            return;
        }
        let take = Request::post(format!("{path}/substitute"), &json!({"seat": seat}));
        let seed = u64::try_from(self.dice.below(1 << 30)).expect("a small number");
        let tries = game.spare.iter().zip(0..).map(|(player, part)| {
            let (take, mut dice) = (take.clone(), Dice::of(seed, part));
            async move { player.insist(&mut dice, &take).await }
        });
        let answers = futures_util::future::join_all(tries).await;
        // Who has taken it is told so when asking again.
        let takes = |(status, body): &(u16, Value)| *status == 200 || body["code"] == "already_joined";
        let takers: Vec<usize> = (0..answers.len()).filter(|taker| takes(&answers[*taker])).collect();
        let [taker] = takers[..] else {
            return self.notes.wrong(format!("seat {seat} of {} was taken so: {answers:?}", game.id));
        };
        game.by_seat[seat] = game.spare.remove(taker);
        self.notes.handed_over.fetch_add(1, Ordering::Relaxed);
        for server in 0..SERVERS {
            let asked = self.stranger.ask(server, &Request::get(path.clone())).await;
            let Said::Answer(200, view) = asked else { continue };
            let is_shown = |player: &Value| {
                player["seat"] == seat && player["handle"] == game.by_seat[seat].handle.as_str()
            };
            if !view["players"].as_array().is_some_and(|players| players.iter().any(is_shown)) {
                self.notes.wrong(format!("seat {seat} was taken by {}: {view}", game.by_seat[seat].handle));
            }
        }
    }

    async fn resign(&mut self, game: &Game) -> Next {
        for (seat, player) in (0..).zip(&game.by_seat) {
            self.sends(game, seat, u64::MAX, Some(json!({"type": "resign"})));
            let path = format!("/api/v1/games/{}/resign", game.id);
            let begun = self.notes.tick();
            let answer = player.insist(&mut self.dice, &Request::post(path, &json!({}))).await;
            if answer.0 == 200 {
                self.notes.made(&game.id, self.client(MOVER), begun, &answer.1);
            }
            if answer.1["game"]["status"] == "finished" || answer.1["code"] == "game_over" {
                return Next::Over;
            }
            if answer.0 == 200 {
                continue;
            }
            self.notes.wrong(format!("resigning in {} was refused: {} {}", game.id, answer.0, answer.1));
        }
        Next::Over
    }
}

/// A player's view of a full game when it has started, or has waited too long.
async fn started(player: &Caller, game: &str, dice: &mut Dice) -> Value {
    let (request, deadline) =
        (Request::get(format!("/api/v1/games/{game}")), Instant::now() + STARTED_WITHIN);
    loop {
        let (_, view) = player.insist(dice, &request).await;
        let round = view["beacon_round"].as_u64();
        player.notes.of_game(game, |notes| notes.beacon_rounds.extend([round]));
        if view["status"] != "starting" || Instant::now() > deadline {
            return view;
        }
        tokio::time::sleep(dice.milliseconds(100, 400)).await;
    }
}

/// Writes down the answer to a move; true if it was made.
fn hears(
    notes: &Notes,
    game: &Game,
    client: u32,
    begun: u64,
    after: u64,
    (status, body): &(u16, Value),
) -> bool {
    let code = body["code"].as_str().unwrap_or_default();
    match status {
        200 => {
            notes.made(&game.id, client, begun, body);
            return true;
        }
        409 | 412 if OVERTAKEN.contains(&code) => {
            let (ended, learned) = (notes.tick(), Learned::Stale(after));
            notes.of_game(&game.id, |notes| {
                notes.operations.push(Operation { client, begun, ended, learned });
            });
        }
        _ => notes.wrong(format!("a move after {after} of {} was refused: {status} {body}", game.id)),
    }
    false
}
