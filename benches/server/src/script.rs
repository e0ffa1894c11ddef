//! Games to play: written with the server's own record code, with every move known in advance, so that the client costs little.

use std::path::Path;

use anyhow::Context;
use time::OffsetDateTime;
use uuid::Uuid;

use super::client;
use crate::seeding::{SeedGame, SeedPlayer};
use pippost::clock::control::DEFAULT_LIMIT_HOURS;
use pippost::commit::NewState;
use pippost::keys::secret::sha256;
use pippost::keys::{SecretKey, random_bytes};
use pippost::record::canonical;
use pippost::record::header::FORM;
use pippost::record::{Act, Chronicle, Header, Master, Player, Recorded, Seating, Timestamp};
use pippost::rules::{RuleSet, Seat};
use pippost::store::games::{GameRow, GameStatus, StoredSeating};

/// The most moves of one script.
const MAX_MOVES: usize = 200;

/// A player with the token of its requests.
#[derive(Clone, Debug)]
pub struct Contestant {
    pub id: Uuid,
    pub handle: String,
    pub token: String,
}

impl Contestant {
    /// A new player with this number.
    ///
    /// # Errors
    /// The operating system gave no random bytes.
    pub fn new(number: usize) -> anyhow::Result<Self> {
        let token = format!("ppt_{}", hex::encode(random_bytes::<32>()?));
        Ok(Self { id: Uuid::now_v7(), handle: handle(number), token })
    }

    #[must_use]
    pub fn row(&self) -> SeedPlayer {
        SeedPlayer {
            id: self.id,
            handle: self.handle.clone(),
            token_hash: sha256(self.token.as_bytes()).to_vec(),
        }
    }
}

/// The handle of the player with this number.
#[must_use]
pub fn handle(number: usize) -> String {
    format!("player-{number}")
}

/// A game to be played.
#[derive(Clone, Debug)]
pub struct Script {
    pub id: Uuid,
    /// A request to view the game, as the first player.
    pub view: Vec<u8>,
    /// Requests in order; the last one ends the game unless the script is cut off.
    pub moves: Vec<Vec<u8>>,
}

/// Makes games of one rule set.
pub struct Author {
    rules: &'static dyn RuleSet,
    secret: SecretKey,
    players: Vec<Contestant>,
    made: usize,
}

impl Author {
    /// An author for the server whose keys are in `keys`.
    ///
    /// # Errors
    /// The keys cannot be read.
    pub fn new(rules: &'static dyn RuleSet, keys: &Path, players: Vec<Contestant>) -> anyhow::Result<Self> {
        Ok(Self { rules, secret: SecretKey::in_folder(keys)?, players, made: 0 })
    }

    /// A game whose newest event is `seq`, and the moves from there. All events up to `seq` are copies of the first: such a
    /// record would not verify, but the server reads no history for a move.
    ///
    /// # Errors
    /// The operating system gave no random bytes.
    pub fn game(&mut self, seq: u64) -> anyhow::Result<(SeedGame, Script)> {
        let Begun { header, master, started, line, pair, now } = self.begin()?;
        let table = started.table().clone();
        let chronicle = Chronicle::resume(table, &header, &master, seq, started.head(), started.at());
        let seed = SeedGame {
            row: row(&header, &master, &self.secret, pair[0].id, now),
            players: pair.iter().map(|player| player.id).collect(),
            state: state(&chronicle, &pair, now),
            line,
        };
        let path = format!("/api/v1/games/{}", header.id);
        let moves = moves(chronicle, &path, &pair);
        Ok((seed, Script { id: header.id, view: client::get(&path, Some(&pair[0].token)), moves }))
    }

    /// The master of a game, sealed for each of its copies: it is bound to the game's id.
    #[must_use]
    pub fn resealed(&self, like: Uuid, sealed: &[u8], copies: &[Uuid]) -> Option<Vec<Vec<u8>>> {
        let master = self.secret.open(like, sealed)?;
        let master: [u8; 32] = master.try_into().ok()?;
        Some(copies.iter().map(|copy| self.secret.seal(*copy, &master)).collect())
    }

    /// A game after `count` moves, or as many as do not end it. All its events are copies of the last.
    ///
    /// # Errors
    /// As [`Author::game`].
    pub fn played(&mut self, count: usize) -> anyhow::Result<SeedGame> {
        let Begun { header, master, started: mut chronicle, mut line, pair, now } = self.begin()?;
        for _ in 0..count {
            let mut next = chronicle.clone();
            let Some((_, _, recorded)) = play(&mut next).filter(|_| next.table().to_act().is_some()) else {
                break;
            };
            (chronicle, line) = (next, recorded.line);
        }
        Ok(SeedGame {
            row: row(&header, &master, &self.secret, pair[0].id, now),
            players: pair.iter().map(|player| player.id).collect(),
            state: state(&chronicle, &pair, now),
            line,
        })
    }

    /// The whole record of a game. If it is not over after [`MAX_MOVES`] moves, a player resigns.
    ///
    /// # Errors
    /// As [`Author::game`].
    pub fn record(&mut self) -> anyhow::Result<Vec<u8>> {
        let Begun { header, master, started: mut chronicle, line, .. } = self.begin()?;
        let mut lines = vec![canonical::of(&header), line.into_bytes()];
        for _ in 0..MAX_MOVES {
            let Some((_, _, recorded)) = play(&mut chronicle) else { break };
            lines.push(recorded.line.into_bytes());
        }
        if let Some(seat) = chronicle.table().to_act() {
            let resigned = chronicle.act(Act::Resign { seat }, chronicle.at())?;
            lines.push(resigned.line.into_bytes());
        }
        lines.push(canonical::of(&chronicle.footer(&master).context("a game of two is over then")?));
        lines.push(Vec::new());
        Ok(lines.join(&b'\n'))
    }

    /// A game of the next two players, with its first event.
    fn begin(&mut self) -> anyhow::Result<Begun> {
        let count = self.players.len();
        let pair = [self.made, self.made + 1].map(|number| self.players[number % count].clone());
        self.made += 1;
        let now = OffsetDateTime::now_utc();
        let now = now.replace_nanosecond(now.microsecond() * 1000)?;
        let master = Master::from_bytes(random_bytes()?);
        let header = header(self.rules, &master, &pair);
        let (started, recorded) = Chronicle::start(self.rules, &header, &master, Timestamp::new(now));
        Ok(Begun { header, master, started, line: recorded.line, pair, now })
    }
}

struct Begun {
    header: Header,
    master: Master,
    started: Chronicle,
    line: String,
    pair: [Contestant; 2],
    now: OffsetDateTime,
}

fn header(rules: &dyn RuleSet, master: &Master, pair: &[Contestant; 2]) -> Header {
    let id = Uuid::now_v7();
    let player = |player: &Contestant| Player { name: player.handle.clone(), entropy: String::new() };
    Header {
        record: FORM.to_owned(),
        id,
        rules: rules.name().to_owned(),
        rules_version: rules.version(),
        options: rules.complete_options(&serde_json::json!({})).expect("defaults are possible"),
        seating: Seating::Joined,
        commitment: master.commitment(id),
        players: pair.iter().map(player).collect(),
        beacon: None,
    }
}

fn row(
    header: &Header,
    master: &Master,
    secret: &SecretKey,
    creator_id: Uuid,
    now: OffsetDateTime,
) -> GameRow {
    GameRow {
        id: header.id,
        rules: header.rules.clone(),
        rules_version: i32::try_from(header.rules_version).expect("versions are small"),
        options: header.options.to_string(),
        seating: StoredSeating::Joined,
        seats: 2,
        private: false,
        limit_hours: Some(DEFAULT_LIMIT_HOURS),
        time_control: None,
        clock: None,
        commitment: header.commitment.as_bytes().to_vec(),
        master_sealed: secret.seal(header.id, master.expose()),
        creator_id,
        status: GameStatus::Running,
        created_at: now,
        started_at: Some(now),
        finished_at: None,
        beacon_round: None,
        chosen_seed: false,
        outage: 0,
        expires_at: None,
        awaits_until: None,
        substitutes: false,
        seats_offered: false,
        result: None,
        title: None,
        renews_at: None,
        header: Some(serde_json::to_string(header).expect("plain data")),
    }
}

fn state(chronicle: &Chronicle, pair: &[Contestant; 2], now: OffsetDateTime) -> NewState {
    let seat = chronicle.table().to_act();
    let limit = time::Duration::hours(DEFAULT_LIMIT_HOURS.into());
    NewState {
        seq: chronicle.seq().into(),
        head: chronicle.head().as_bytes().to_vec(),
        at: now,
        snapshot: chronicle.table().snapshot(),
        to_act_seat: seat.map(|seat| seat.0.into()),
        to_act_player: seat.map(|seat| pair[seat.index()].id),
        turn_since: seat.map(|_| now),
        deadline_at: seat.map(|_| now + limit),
        remind_at: seat.map(|_| now + limit * 3 / 4),
        clock: None,
    }
}

/// Plays the game to its end and returns the requests.
fn moves(mut chronicle: Chronicle, path: &str, pair: &[Contestant; 2]) -> Vec<Vec<u8>> {
    let path = format!("{path}/moves");
    let mut requests = Vec::new();
    while requests.len() < MAX_MOVES {
        let seq = chronicle.seq();
        let Some((seat, action, _)) = play(&mut chronicle) else { break };
        let body = serde_json::json!({"actions": [action], "expected_seq": seq}).to_string();
        let key = format!("{seq}-{}", path_key(&path));
        requests.push(client::post(&path, &pair[seat.index()].token, &key, &body));
    }
    requests
}

/// Makes one move, whose choice among the legal actions varies with the event; `None` if no seat is to act.
fn play(chronicle: &mut Chronicle) -> Option<(Seat, serde_json::Value, Recorded)> {
    let seat = chronicle.table().to_act()?;
    let legal = chronicle.table().position().legal();
    let index = usize::from(chronicle.head().as_bytes()[0]) % legal.len().max(1);
    let mut from_there = legal.into_iter().cycle().skip(index).take(MAX_MOVES);
    let action = from_there.find(|action| plays(chronicle, seat, action))?;
    let recorded = chronicle.act(Act::Play { seat, action: &action }, chronicle.at()).ok()?;
    Some((seat, action, recorded))
}

/// Whether an entry of the list is an action itself, and not a choice among many.
fn plays(chronicle: &Chronicle, seat: Seat, action: &serde_json::Value) -> bool {
    action.get("choose").is_none() && chronicle.table().refusal(Act::Play { seat, action }).is_none()
}

/// The game's part of an idempotency key.
fn path_key(path: &str) -> &str {
    path.split('/').nth(4).unwrap_or_default()
}
