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
use uuid::Uuid;

use super::attacks;
use super::costly_mails::{self, Mailer};
use super::honest;
use super::random::Random;
use super::visibility::Hidden;
use crate::BenchArgs;
use crate::client::{self, Connection};
use crate::load::{self, Unplayed};
use crate::rounds::{rule_set, seed};
use crate::script::{Author, Contestant, Script};
use crate::seeding::Seeder;
use crate::server::{Folder, Process};
use pippost::api::verify::MAX_VERIFIED_BYTES;
use pippost::rules;
use pippost::store::Address;
use pippost::store::embedded::EmbeddedSettings;

/// Honest players, and attackers with accounts, which are free.
const PLAYERS: usize = 100;

/// Attackers' games: played to the end, with all their events, and just begun.
const PLAYED: usize = 20;
const RUNNING: usize = 20;

/// Attackers' games to which others are invited.
const OPEN: usize = 20;

/// The number of events of the game whose record slow readers request.
const LONG_EVENTS: u64 = 5_000;
const LONG_EVENTS_WHEN_QUICK: u64 = 2_000;

/// The unpacked size of a compressed bomb, in bytes.
const BOMB_BYTES: usize = 60 << 20;

/// The attackers' data.
#[derive(Clone)]
pub struct AttackData {
    pub server: SocketAddr,
    /// Tokens of attackers' accounts.
    pub tokens: Vec<String>,
    /// Names of rule sets, and one that does not exist.
    pub rules: Vec<&'static str>,
    pub played: Vec<Uuid>,
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
        let further = [attacks::settings(), costly_mails::settings(), args.serve.clone()].concat();
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
        let attacked = make(args, &server, &seeder, &mut theirs, attackers, &data.join("keys")).await?;
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
}

fn database(args: &BenchArgs, data: PathBuf) -> anyhow::Result<Address> {
    let embedded =
        EmbeddedSettings { programs_dir: args.pg_bindir.clone(), ..EmbeddedSettings::in_folder(data) };
    Ok(Address::parse(&embedded.url_of_running()?, None)?)
}

/// Plays games and begins others, for the attackers.
async fn make(
    args: &BenchArgs,
    server: &Process,
    seeder: &Seeder,
    author: &mut Author,
    attackers: &[Contestant],
    keys: &Path,
) -> anyhow::Result<AttackData> {
    let scripts = seed(seeder, author, PLAYED, 0).await?;
    let played = scripts.iter().map(|script| script.id).collect();
    let source = Rc::new(Unplayed(VecDeque::from(scripts).into()));
    load::send(server.address, 4, f64::from(u16::MAX), source).await?;
    let begun: Vec<_> = (0..RUNNING).map(|_| author.played(4)).collect::<Result<_, _>>()?;
    seeder.games(&begun).await?;
    let token_of =
        |id: &Uuid| attackers.iter().find(|player| player.id == *id).map(|player| player.token.clone());
    let mailers = costly_mails::mailers(seeder, &begun, attackers, keys).await?;
    let running =
        begun.iter().filter_map(|game| Some((game.row.id, token_of(game.players.first()?)?))).collect();
    let long = if args.quick { LONG_EVENTS_WHEN_QUICK } else { LONG_EVENTS };
    let long = seed(seeder, author, 1, long).await?.first().map_or(Uuid::nil(), |script| script.id);
    let hidden = Hidden::make(seeder, author, attackers).await?;
    let header = author.record()?;
    let records = records(&header);
    Ok(AttackData {
        server: server.address,
        tokens: attackers.iter().map(|player| player.token.clone()).collect(),
        rules: rules::all().map(rules::RuleSet::name).chain(["none"]).collect(),
        played,
        running,
        long,
        bomb: bomb()?,
        junk: Bytes::from(Random::new("junk", 0).bytes(MAX_VERIFIED_BYTES)),
        records,
        open: open_games(args, server.address, &attackers[..OPEN]).await?,
        mailers,
        mails: costly_mails::mails(),
        hidden,
    })
}

/// Creates a game of each of these players, which waits for others.
async fn open_games(
    args: &BenchArgs,
    server: SocketAddr,
    players: &[Contestant],
) -> anyhow::Result<Vec<(Uuid, String)>> {
    let body = serde_json::json!({"rules": rule_set(args)?.name(), "private": true}).to_string();
    let mut connection = Connection::open(server).await?;
    let mut open = Vec::new();
    for player in players {
        connection.expect(&client::post("/api/v1/games", &player.token, &player.handle, &body)).await?;
        let made: serde_json::Value = serde_json::from_str(&connection.text())?;
        let id = made["id"].as_str().context("a game has an id")?.parse()?;
        open.push((id, player.token.clone()));
    }
    Ok(open)
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
