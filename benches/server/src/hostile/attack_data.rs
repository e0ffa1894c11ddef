//! What attacks need: a server with players and games, and the attackers' accounts.

use std::collections::VecDeque;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::Context;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use uuid::Uuid;

use super::attacks;
use super::browser::Browser;
use super::costly_mails::{self, Mailer};
use super::harm::Harm;
use super::honest;
use super::peers;
use super::random::Random;
use super::request::Request;
use super::visibility::Hidden;
use crate::BenchArgs;
use crate::client::{self, Connection};
use crate::load::{self, Unplayed};
use crate::rounds::{rule_set, seed};
use crate::script::{Author, Contestant, Script};
use crate::seeding::Seeder;
use crate::server::{Folder, Process, free_address};
use pippost::accounts::GameQuotas;
use pippost::api::verify::MAX_VERIFIED_BYTES;
use pippost::rules;
use pippost::store::Address;
use pippost::store::embedded::EmbeddedSettings;

/// Honest players, and as many attackers with accounts, which are free.
pub const PLAYERS: usize = 100;

/// Attackers' games: played to the end, with all their events, and just begun.
const PLAYED: usize = 20;
const RUNNING: usize = 20;

/// Finished games whose pictures and pages nobody has asked for when their cost is measured.
const UNSEEN: usize = 15;

/// Attackers' games to which others are invited.
const OPEN: usize = 20;

/// Games of others that two attackers may join who have nearly as many as a player may.
const PUBLIC: usize = 10;

/// How many games those two may still enter.
const GAMES_LEFT: u64 = 2;

/// The server's bot, which guests play.
const HOUSE_BOT: &str = "house-bot";

/// The number of events of the game whose record slow readers request.
const LONG_EVENTS: u64 = 5_000;
const LONG_EVENTS_WHEN_QUICK: u64 = 2_000;

/// The unpacked size of a compressed bomb, in bytes.
const BOMB_BYTES: usize = 60 << 20;

/// The attackers' data.
#[derive(Clone)]
pub struct AttackData {
    pub server: SocketAddr,
    /// Where it takes mails.
    pub lmtp: SocketAddr,
    /// Tokens of attackers' accounts.
    pub tokens: Vec<String>,
    /// Those of two who have nearly as many games as a player may, and their ids.
    pub hoarders: Vec<String>,
    pub hoarder_ids: Vec<Uuid>,
    /// A browser of somebody without an account, and of a player.
    pub visitor: Browser,
    pub member: Browser,
    /// An app of an attacker.
    pub client_id: String,
    /// Names of rule sets, and one that does not exist.
    pub rules: Vec<&'static str>,
    pub played: Vec<Uuid>,
    /// Finished games that no attack asks about.
    pub unseen: Vec<Uuid>,
    /// Games in play, each with one player's token.
    pub running: Vec<(Uuid, String)>,
    pub long: Uuid,
    pub bomb: Bytes,
    /// As large as a record may be.
    pub junk: Bytes,
    /// Invalid records, each as large as one may be, and a valid one.
    pub records: Vec<Bytes>,
    /// Games that wait for players, each with its creator's token.
    pub open: Vec<(Uuid, String)>,
    /// Those that anybody may join.
    pub public: Vec<Uuid>,
    /// Who may answer mails about the games in play.
    pub mailers: Vec<Mailer>,
    /// Beginnings of mails that cost, each as long as is read.
    pub mails: Vec<String>,
    pub hidden: Hidden,
}

/// A server process and its players.
pub struct TargetServer {
    pub server: Process,
    seeder: Seeder,
    author: Author,
    _folder: Folder,
}

impl TargetServer {
    /// Starts a server with its default limits, and creates everything that is attacked.
    ///
    /// # Errors
    /// A program could not be started or failed.
    pub async fn open(args: &BenchArgs) -> anyhow::Result<(Self, AttackData)> {
        let folder = Folder::make(&args.folder)?;
        let data = folder.path().join("data");
        let lmtp = free_address()?;
        let further = [
            peers::settings(&attacks::all()),
            costly_mails::settings(lmtp),
            vec![format!("--house-bot={HOUSE_BOT}")],
            args.serve.clone(),
        ]
        .concat();
        let server = Process::serve_with_limits(&data, args.pg_bindir.as_deref(), &further)?;
        let seeder = Seeder::connect(&database(args, data.clone())?).await?;
        let players: Vec<Contestant> = (0..2 * PLAYERS).map(Contestant::new).collect::<Result<_, _>>()?;
        let rows: Vec<_> = players.iter().map(Contestant::row).collect();
        seeder.players(&rows, time::OffsetDateTime::now_utc()).await?;
        honest::give_passwords(server.address, &seeder).await?;
        let (honest, attackers) = players.split_at(PLAYERS);
        let author =
            |players: &[Contestant]| Author::new(rule_set(args)?, &data.join("keys"), players.to_vec());
        let mut theirs = author(attackers)?;
        let keys = data.join("keys");
        let maker = Maker { args, server: server.address, seeder: &seeder, attackers, keys: &keys };
        let attacked = maker.make(&mut theirs, lmtp).await?;
        Ok((Self { server, seeder, author: author(honest)?, _folder: folder }, attacked))
    }

    /// New games for honest players, with at least `moves` moves in all.
    ///
    /// # Errors
    /// The database refused.
    pub async fn games(&mut self, moves: usize) -> anyhow::Result<Vec<Script>> {
        let mut scripts = Vec::new();
        let mut there = 0;
        while there < moves {
            let new = seed(&self.seeder, &mut self.author, 50, 0).await?;
            there += new.iter().map(|script| script.moves.len()).sum::<usize>();
            scripts.extend(new);
        }
        Ok(scripts)
    }

    /// What the attackers have done to others.
    ///
    /// # Errors
    /// The database refused.
    pub async fn harm(&self, data: &AttackData) -> anyhow::Result<Harm> {
        Harm::count(&self.seeder, &data.hoarder_ids).await
    }
}

fn database(args: &BenchArgs, data: PathBuf) -> anyhow::Result<Address> {
    let embedded =
        EmbeddedSettings { programs_dir: args.pg_bindir.clone(), ..EmbeddedSettings::in_folder(data) };
    Ok(Address::parse(&embedded.url_of_running()?, None)?)
}

/// Makes what the attackers have.
struct Maker<'a> {
    args: &'a BenchArgs,
    server: SocketAddr,
    seeder: &'a Seeder,
    attackers: &'a [Contestant],
    keys: &'a Path,
}

impl Maker<'_> {
    /// Plays games and begins others.
    async fn make(&self, author: &mut Author, lmtp: SocketAddr) -> anyhow::Result<AttackData> {
        let scripts = seed(self.seeder, author, PLAYED + UNSEEN, 0).await?;
        let mut played: Vec<_> = scripts.iter().map(|script| script.id).collect();
        let unseen = played.split_off(PLAYED);
        let source = Rc::new(Unplayed(VecDeque::from(scripts).into()));
        load::send(self.server, 4, f64::from(u16::MAX), source).await?;
        let begun: Vec<_> = (0..RUNNING).map(|_| author.played(4)).collect::<Result<_, _>>()?;
        self.seeder.games(&begun).await?;
        let token_of = |id: &Uuid| {
            self.attackers.iter().find(|player| player.id == *id).map(|player| player.token.clone())
        };
        let running =
            begun.iter().filter_map(|game| Some((game.row.id, token_of(game.players.first()?)?))).collect();
        let long = if self.args.quick { LONG_EVENTS_WHEN_QUICK } else { LONG_EVENTS };
        let long = seed(self.seeder, author, 1, long).await?.first().map_or(Uuid::nil(), |script| script.id);
        let header = author.record()?;
        let hoarders = self.hoarders().await?;
        let (login, password) = (&self.attackers[0].handle, honest::PASSWORD);
        Ok(AttackData {
            server: self.server,
            lmtp,
            tokens: self.attackers.iter().map(|player| player.token.clone()).collect(),
            hoarders: hoarders.iter().map(|player| player.token.clone()).collect(),
            hoarder_ids: hoarders.iter().map(|player| player.id).collect(),
            visitor: Browser::open(self.server).await?,
            member: Browser::log_in(self.server, login, password).await?,
            client_id: self.app(login, password).await?,
            rules: rules::all().map(rules::RuleSet::name).chain(["none"]).collect(),
            played,
            unseen,
            running,
            long,
            bomb: bomb()?,
            junk: Bytes::from(Random::new("junk", 0).bytes(MAX_VERIFIED_BYTES)),
            records: records(&header),
            open: self.open_games(&self.attackers[..OPEN], true).await?,
            public: self
                .open_games(&self.attackers[OPEN..OPEN + PUBLIC], false)
                .await?
                .into_iter()
                .map(|(id, _)| id)
                .collect(),
            mailers: costly_mails::mailers(self.seeder, &begun, self.attackers, self.keys).await?,
            mails: costly_mails::mails(),
            hidden: Hidden::make(self.seeder, author, self.attackers).await?,
        })
    }

    /// The last two attackers, who play against each other in nearly as many games as a player may.
    async fn hoarders(&self) -> anyhow::Result<Vec<Contestant>> {
        let pair = self.attackers[self.attackers.len() - 2..].to_vec();
        let mut author = Author::new(rule_set(self.args)?, self.keys, pair.clone())?;
        let count = GameQuotas::default().games_at_once - GAMES_LEFT;
        let games: Vec<_> = (0..count).map(|_| author.played(1)).collect::<Result<_, _>>()?;
        self.seeder.games(&games).await?;
        Ok(pair)
    }

    /// Creates a game of each of these players, which waits for others.
    async fn open_games(&self, players: &[Contestant], private: bool) -> anyhow::Result<Vec<(Uuid, String)>> {
        let body = json!({"rules": rule_set(self.args)?.name(), "private": private}).to_string();
        let mut connection = Connection::open(self.server).await?;
        let mut open = Vec::new();
        for player in players {
            connection.expect(&client::post("/api/v1/games", &player.token, &player.handle, &body)).await?;
            open.push((id_in(&connection)?.parse()?, player.token.clone()));
        }
        Ok(open)
    }

    /// The id of a new app of this player.
    async fn app(&self, login: &str, password: &str) -> anyhow::Result<String> {
        let mut connection = Connection::open(self.server).await?;
        let body = json!({"login": login, "password": password}).to_string();
        connection.expect(&Request::new("POST", "/api/v1/sessions").json(body).bytes()).await?;
        let session: serde_json::Value = serde_json::from_str(&connection.text())?;
        let token = session["access_token"].as_str().context("a session has a token")?.to_owned();
        let app = json!({
            "name": "Board at hand",
            "homepage": "https://app.example.org/",
            "redirect_uris": ["https://app.example.org/done"],
        });
        connection.expect(&client::post("/api/v1/me/apps", &token, "app", &app.to_string())).await?;
        id_in(&connection)
    }
}

/// The id of what was made by the last request.
fn id_in(connection: &Connection) -> anyhow::Result<String> {
    let made: serde_json::Value = serde_json::from_str(&connection.text())?;
    Ok(made["id"].as_str().context("what is made has an id")?.to_owned())
}

/// Zeros, compressed a thousandfold.
fn bomb() -> std::io::Result<Bytes> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    let zeros = vec![0; 1 << 20];
    for _ in 0..BOMB_BYTES / zeros.len() {
        packer.write_all(&zeros)?;
    }
    Ok(packer.finish()?.into())
}

/// Texts that resemble records. All but one are as large as a record may be.
fn records(honest: &[u8]) -> Vec<Bytes> {
    let mut lines = honest.split_inclusive(|byte| *byte == b'\n');
    let (header, start) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let zeros = |left: usize| format!("[{}0]", "0,".repeat(left / 2)).into_bytes();
    let most = MAX_VERIFIED_BYTES - 4096;
    // A list whose text takes a quarter of the bytes that its values take, in each place where the format allows a list.
    let first_line = [b"{\"a\":".to_vec(), zeros(most), b"}\n".to_vec()].concat();
    let options = replaced(
        header,
        b"\"options\":{",
        &[b"\"options\":{\"a\":", zeros(most).as_slice(), b",".as_slice()].concat(),
    );
    let action = [
        header,
        &replaced(start, b"{\"action\":{", &[b"{\"action\":{\"a\":", zeros(most).as_slice(), b","].concat()),
    ]
    .concat();
    let many = [header.to_vec(), b"{\"a\":[0,0,0,0,0,0,0,0]}\n".repeat(most / 24 - header.len())].concat();
    let deep = [b"[".repeat(most / 2), b"]".repeat(most / 2), b"\n".to_vec()].concat();
    let objects = b"{\"a\":".repeat(most / 5);
    let noise = Random::new("noise", 0).bytes(MAX_VERIFIED_BYTES);
    let again = [header.to_vec(), start.repeat(most / start.len().max(1))].concat();
    [first_line, options, action, many, deep, objects, noise, again, honest.to_vec()]
        .map(Bytes::from)
        .to_vec()
}

fn replaced(line: &[u8], what: &[u8], with: &[u8]) -> Vec<u8> {
    let at = line.windows(what.len()).position(|window| window == what);
    at.map_or_else(|| line.to_vec(), |at| [&line[..at], with, &line[at + what.len()..]].concat())
}
