//! The rounds: repeats every measure, with compared measures side by side, and discards disturbed rounds.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::Context;
use uuid::Uuid;

use super::client::{self, Connection};
use super::cpu::{self, Split, Watched};
use super::feeds::{self, Followed};
use super::load::{self, Repeated, Source, Taken, Unplayed};
use super::measure::{self, Found, Measure, Round, undisturbed};
use super::pgbench::{GAMES_OF_A_CLIENT, Length, Pgbench, Typical};
use super::script::{Author, Contestant, Script};
use super::server::{Folder, Process, postmaster, postmaster_in};
use super::{
    BenchArgs, Part, boardgame, flags, growth, lists, mail, outbox, pages, pictures, readers, record_log,
    report, rules as rule_sets,
};
use crate::seeding::Seeder;
use pippost::rules::{self, RuleSet};
use pippost::store::Address;
use pippost::store::embedded::EmbeddedSettings;

/// The number of players, who share all games.
const PLAYERS: usize = 200;

/// The number of games that one statement writes.
const SEEDED_AT_ONCE: usize = 500;

/// The number of moves in the games that mails are about.
const MOVES_MADE: usize = 8;

/// The rates of moves for which games are kept ready, per second, on one connection and on many.
const READY_FOR: [f64; 2] = [6_000.0, 25_000.0];

/// The set-up for measuring.
pub struct Setup {
    pub args: BenchArgs,
    pub server: Process,
    pub empty: Process,
    pub seeder: Seeder,
    pub author: Author,
    pub players: Vec<Contestant>,
    pub unplayed: Rc<Unplayed>,
    pub typical: Typical,
    pub repeated: usize,
    /// The peak memory of servers that have been restarted since.
    pub most_bytes: u64,
    folder: Folder,
    pgbench: Pgbench,
    /// Games that are viewed and never moved.
    shown: Vec<Script>,
    /// Games in play that are followed and never moved; empty until feeds are measured.
    followed: Vec<Followed>,
    /// The next number that is not used as the id of a pgbench game.
    next_number: i64,
}

/// Measures everything and prints it.
///
/// # Errors
/// A program could not be started or failed.
pub async fn run(args: &BenchArgs) -> anyhow::Result<()> {
    let mut setup = Setup::open(args).await?;
    report::introduction(&setup).await?;
    let measures = Measure::wanted(args);
    if !measures.is_empty() {
        let found = setup.measure(&measures, args.rounds.into()).await?;
        report::table(&found);
        if args.nodes.len() > 1 {
            report::coordinator(&found);
        }
        report::ratios(&found);
        for measure in measures.iter().filter(|measure| measure.counts_statements()) {
            report::statements(*measure, setup.statements(*measure).await?);
        }
    }
    if args.wants(Part::Boardgame) {
        boardgame::run(&mut setup).await?;
    }
    if args.wants(Part::Mail) {
        mail::run(&mut setup).await?;
    }
    if args.wants(Part::Outbox) {
        outbox::run(&mut setup).await?;
    }
    if args.wants(Part::Flags) {
        flags::run(&mut setup).await?;
    }
    if args.wants(Part::RecordLog) {
        // On a database of its own: what pgbench writes as moves is no game that a log takes.
        let mut own = Setup::open(args).await?;
        record_log::run(&mut own).await?;
        own.close()?;
    }
    if args.wants(Part::Readers) {
        readers::run(&mut setup).await?;
    }
    if args.wants(Part::Rules) {
        rule_sets::run(&setup)?;
    }
    if args.wants(Part::Growth) {
        growth::run(&mut setup).await?;
    }
    if args.wants(Part::Lists) {
        lists::run(&setup).await?;
    }
    if args.wants(Part::Pages) {
        pages::run(&mut setup).await?;
    }
    report::closing(&setup);
    setup.close()
}

impl Setup {
    /// Starts a server on a new database with some games.
    ///
    /// # Errors
    /// A program could not be started or failed.
    pub async fn open(args: &BenchArgs) -> anyhow::Result<Self> {
        let folder = Folder::make(&args.folder)?;
        let data = folder.path().join("data");
        let server = Process::serve(&data, args.pg_bindir.as_deref(), &args.of_server())?;
        let empty = Process::empty()?;
        let (_, programs) = postmasters(args, &data)?;
        let connection = database_url(args, &data)?;
        let seeder = Seeder::connect(&Address::parse(&connection, None)?).await?;
        let scratch = folder.path().join("pgbench");
        std::fs::create_dir(&scratch)?;
        let pgbench = Pgbench::new(&programs, &scratch, connection)?;
        let players: Vec<Contestant> = (0..PLAYERS).map(Contestant::new).collect::<Result<_, _>>()?;
        let rows: Vec<_> = players.iter().map(Contestant::row).collect();
        seeder.players(&rows, time::OffsetDateTime::now_utc()).await?;
        let mut author = Author::new(rule_set(args)?, &data.join("keys"), players.clone())?;
        let shown = seed(&seeder, &mut author, if args.quick { 20 } else { 500 }, 0).await?;
        let typical = typical(&server, &seeder, &shown).await?;
        let unplayed = Rc::new(Unplayed(RefCell::new(VecDeque::new())));
        let (args, next_number, repeated) = (args.clone(), 1, 0);
        Ok(Self {
            args,
            server,
            empty,
            seeder,
            author,
            players,
            unplayed,
            typical,
            repeated,
            most_bytes: 0,
            folder,
            pgbench,
            shown,
            followed: Vec::new(),
            next_number,
        })
    }

    #[must_use]
    pub fn rules_name(&self) -> &'static str {
        rule_set(&self.args).map_or("", RuleSet::name)
    }

    /// All `measures`, `rounds` times, each round in an order of its own. Those of one part are adjacent.
    pub async fn measure(&mut self, measures: &[Measure], rounds: usize) -> anyhow::Result<Found> {
        let mut found = Found::new();
        for _ in 0..rounds {
            for measure in measure::order(measures)? {
                let round = undisturbed(async || self.once(measure).await, |round| round.disturbed).await;
                let (round, repeats) = round.with_context(|| format!("while measuring {measure}"))?;
                self.repeated += repeats;
                found.entry(measure).or_default().push(round);
            }
        }
        Ok(found)
    }

    async fn once(&mut self, measure: Measure) -> anyhow::Result<Round> {
        let prepared = self.prepare(measure).await?;
        let watched = self.watched(measure)?;
        let opening = self.opening(measure, &watched).await?;
        let (written, usage, started) =
            (self.seeder.wal_bytes().await?, watched.usage(), std::time::Instant::now());
        let taken = self.take(measure, prepared).await?;
        let (split, wall) =
            (watched.usage().since(&usage).without(&opening), started.elapsed().as_secs_f64());
        let wal_bytes = self.seeder.wal_bytes().await? - written;
        let disturbed = foreign_percent(&split, wall) > self.args.foreign_percent;
        Ok(Round { taken, split, wal_bytes, disturbed })
    }

    /// Measures the cost of opening pgbench's connections, with a first transaction on each, so that it is not counted as the
    /// cost of moves.
    async fn opening(&mut self, measure: Measure, watched: &Watched) -> anyhow::Result<Split> {
        let (length, connections) = (Length::Transactions(1), measure.connections());
        let usage = watched.usage();
        match measure {
            Measure::PgMoves { .. } => {
                let first = self.next_number - i64::try_from(connections)? * GAMES_OF_A_CLIENT;
                self.pgbench.moves(connections, length, first, &self.typical).await?;
            }
            Measure::PgSelects { .. } => {
                self.pgbench.selects(connections, length, &self.typical).await?;
            }
            _ => return Ok(Split::default()),
        }
        Ok(watched.usage().since(&usage))
    }

    /// The processes whose time is counted.
    ///
    /// # Errors
    /// No PostgreSQL runs.
    pub fn watched(&self, measure: Measure) -> anyhow::Result<Watched> {
        let server = if matches!(measure, Measure::Empty { .. }) { &self.empty } else { &self.server };
        let (postmasters, _) = postmasters(&self.args, &self.data())?;
        Ok(Watched { server: server.pid(), postmasters, sink: None })
    }

    async fn prepare(&mut self, measure: Measure) -> anyhow::Result<Option<Rc<dyn Source>>> {
        let shown = || self.shown.iter();
        let requests: Vec<Vec<u8>> = match measure {
            Measure::Moves { connections } => {
                self.keep_ready(connections).await?;
                let unplayed: Rc<Unplayed> = Rc::clone(&self.unplayed);
                return Ok(Some(unplayed));
            }
            Measure::PgMoves { connections } => {
                let count = i64::try_from(connections)? * GAMES_OF_A_CLIENT;
                self.seeder.numbered_states(self.typical.game_id, self.next_number, count).await?;
                self.next_number += count;
                return Ok(None);
            }
            Measure::PgSelects { .. } => return Ok(None),
            Measure::Views { .. } | Measure::LocalViews { .. } => {
                shown().map(|script| script.view.clone()).collect()
            }
            Measure::Empty { .. } => vec![client::get("/", None)],
            Measure::Records { .. } => {
                vec![client::get(&format!("/api/v1/games/{}/record", self.long_game().await?), None)]
            }
            Measure::Pictures { .. } => return Ok(Some(pictures::new(self).await?)),
            Measure::Kept { .. } => {
                let few = shown().take(pictures::KEPT);
                few.map(|script| client::get(&pictures::path(script.id), None)).collect()
            }
            Measure::Redrawn { .. } => {
                let path = pictures::path(self.shown.first().context("no game")?.id);
                let tag = pictures::tag(&self.server, &path).await?;
                vec![client::get_if_changed(&path, &tag)]
            }
            Measure::Silent { .. } | Measure::Latest { .. } | Measure::News { .. } => {
                if self.followed.is_empty() {
                    self.followed = feeds::follow(self).await?;
                }
                self.followed.iter().map(|game| game.request(measure)).collect()
            }
        };
        Ok(Some(Rc::new(Repeated::new(requests))))
    }

    async fn take(&mut self, measure: Measure, source: Option<Rc<dyn Source>>) -> anyhow::Result<Taken> {
        let (seconds, connections) = (self.args.seconds, measure.connections());
        match (measure, source) {
            (Measure::PgMoves { .. }, _) => {
                let first = self.next_number - i64::try_from(connections)? * GAMES_OF_A_CLIENT;
                self.pgbench.moves(connections, Length::Seconds(seconds), first, &self.typical).await
            }
            (Measure::Empty { .. }, Some(source)) => {
                load::send(self.empty.address, connections, seconds, source).await
            }
            (Measure::LocalViews { .. }, Some(source)) => {
                load::send(self.server.socket()?, connections, seconds, source).await
            }
            (_, Some(source)) => load::send(self.server.address, connections, seconds, source).await,
            (_, None) => self.pgbench.selects(connections, Length::Seconds(seconds), &self.typical).await,
        }
    }

    /// Makes sure that enough games wait to be played, and that they are in the server's memory.
    async fn keep_ready(&mut self, connections: usize) -> anyhow::Result<()> {
        let a_game = self.moves_of_a_game();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let moves =
            (READY_FOR[usize::from(connections > 1)] * self.args.seconds * self.args.readiness()) as usize;
        let wanted = moves / a_game + connections;
        let missing = wanted.saturating_sub(self.unplayed.0.borrow().len());
        let new = seed(&self.seeder, &mut self.author, missing, 0).await?;
        self.unplayed.0.borrow_mut().extend(new);
        let views: VecDeque<Script> = self
            .unplayed
            .0
            .borrow()
            .iter()
            .map(|script| Script { moves: vec![script.view.clone()], ..script.clone() })
            .collect();
        load::send(self.server.address, 16, f64::from(u16::MAX), Rc::new(Unplayed(RefCell::new(views))))
            .await?;
        Ok(())
    }

    /// The database's statements per request, as the server counts them.
    #[allow(clippy::cast_precision_loss)]
    async fn statements(&mut self, measure: Measure) -> anyhow::Result<f64> {
        let prepared = self.prepare(measure).await?;
        let before = self.server.statements_sent().await?;
        let taken = self.take(measure, prepared).await?;
        let sent = self.server.statements_sent().await? - before;
        Ok(sent / (taken.requests as f64).max(1.0))
    }

    /// A game with a long record.
    async fn long_game(&mut self) -> anyhow::Result<uuid::Uuid> {
        let length = if self.args.quick { 100 } else { 5_000 };
        let script = seed(&self.seeder, &mut self.author, 1, length).await?;
        Ok(script.first().context("a game was made")?.id)
    }

    /// Plays the games of `scripts`, from first to last move, over `connections`.
    async fn play(&mut self, scripts: Vec<Script>, connections: usize) -> anyhow::Result<Round> {
        let watched = self.watched(Measure::Moves { connections })?;
        let views = scripts
            .iter()
            .map(|script| Script { moves: vec![script.view.clone()], ..script.clone() })
            .collect();
        load::send(
            self.server.address,
            connections,
            f64::from(u16::MAX),
            Rc::new(Unplayed(RefCell::new(views))),
        )
        .await?;
        let usage = watched.usage();
        let source = Rc::new(Unplayed(RefCell::new(scripts.into())));
        let taken = load::send(self.server.address, connections, f64::from(u16::MAX), source).await?;
        let split = watched.usage().since(&usage);
        let disturbed = foreign_percent(&split, taken.seconds) > self.args.foreign_percent;
        Ok(Round { taken, split, wal_bytes: 0, disturbed })
    }

    /// The approximate number of moves in a game.
    #[must_use]
    pub fn moves_of_a_game(&self) -> usize {
        self.shown.first().map_or(1, |script| script.moves.len().max(1))
    }

    /// The server's data folder.
    #[must_use]
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The address of the database.
    ///
    /// # Errors
    /// No database runs.
    pub fn database(&self) -> anyhow::Result<Address> {
        Ok(Address::parse(&database_url(&self.args, &self.data())?, None)?)
    }

    /// The ids of games after some moves.
    ///
    /// # Errors
    /// The database refused.
    pub async fn games_in_play(&mut self, count: usize) -> anyhow::Result<Vec<Uuid>> {
        Ok(self.games_with_players(count).await?.into_iter().map(|(id, _)| id).collect())
    }

    /// Games after some moves: their ids and players.
    ///
    /// # Errors
    /// The database refused.
    pub async fn games_with_players(&mut self, count: usize) -> anyhow::Result<Vec<(Uuid, Vec<Uuid>)>> {
        let mut made = Vec::with_capacity(count);
        while made.len() < count {
            let now = SEEDED_AT_ONCE.min(count - made.len());
            let games: Vec<_> = (0..now).map(|_| self.author.played(MOVES_MADE)).collect::<Result<_, _>>()?;
            made.extend(games.iter().map(|game| (game.row.id, game.players.clone())));
            self.seeder.games(&games).await?;
        }
        Ok(made)
    }

    /// Plays `count` new games over `connections` from event `seq` to their end.
    ///
    /// # Errors
    /// A program failed.
    pub async fn play_at(&mut self, seq: u64, count: usize, connections: usize) -> anyhow::Result<Round> {
        let once = async || {
            let scripts = seed(&self.seeder, &mut self.author, count, seq).await?;
            self.play(scripts, connections).await
        };
        let (round, repeats) = undisturbed(once, |round| round.disturbed).await?;
        self.repeated += repeats;
        Ok(round)
    }

    /// Stops the server and starts it again on the same data.
    pub async fn restart(&mut self) -> anyhow::Result<()> {
        let data = self.folder.path().join("data");
        self.most_bytes = self.most_bytes.max(cpu::memory(self.server.pid()).1);
        let fresh = Process::empty()?;
        std::mem::replace(&mut self.server, fresh).stop()?;
        let server = Process::serve(&data, self.args.pg_bindir.as_deref(), &self.args.of_server())?;
        std::mem::replace(&mut self.server, server).stop()?;
        self.seeder = Seeder::connect(&self.database()?).await?;
        Ok(())
    }

    /// Stops the server and removes its data.
    ///
    /// # Errors
    /// The server failed.
    pub fn close(self) -> anyhow::Result<()> {
        drop(self.seeder);
        self.server.stop()?;
        Ok(())
    }
}

/// The database to be measured.
fn database_url(args: &BenchArgs, data: &Path) -> anyhow::Result<String> {
    let embedded =
        EmbeddedSettings { programs_dir: args.pg_bindir.clone(), ..EmbeddedSettings::in_folder(data) };
    match &args.database_url {
        Some(url) => Ok(url.clone()),
        None => Ok(embedded.url_of_running()?),
    }
}

/// The first process of each PostgreSQL that is measured, and the folder of their programs.
fn postmasters(args: &BenchArgs, data: &Path) -> anyhow::Result<(Vec<u32>, PathBuf)> {
    let found = match args.nodes.as_slice() {
        [] => vec![postmaster(data)?],
        nodes => nodes.iter().map(|node| postmaster_in(node)).collect::<anyhow::Result<_>>()?,
    };
    let (_, programs) = found.first().context("a node")?.clone();
    Ok((found.into_iter().map(|(pid, _)| pid).collect(), programs))
}

/// The percentage of the processors' time in `seconds` that other programs took.
#[must_use]
#[allow(clippy::cast_precision_loss)]
pub fn foreign_percent(split: &Split, seconds: f64) -> f64 {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    100.0 * split.foreign / (seconds * processors as f64)
}

/// The rule set to play.
///
/// # Errors
/// It does not exist.
pub fn rule_set(args: &BenchArgs) -> anyhow::Result<&'static dyn RuleSet> {
    let for_two = |rules: &&dyn RuleSet| {
        let options = rules.complete_options(&serde_json::json!({}));
        options.is_ok_and(|options| rules.seats(&options).is_ok_and(|seats| seats == (2..=2)))
    };
    match &args.rules {
        Some(name) => rules::find(name, None).filter(for_two).context("no such rule set for exactly two"),
        None => rules::all().find(for_two).context("no rule set for exactly two"),
    }
}

/// Writes `count` games whose newest event is `seq`.
///
/// # Errors
/// The database refused.
pub async fn seed(
    seeder: &Seeder,
    author: &mut Author,
    count: usize,
    seq: u64,
) -> anyhow::Result<Vec<Script>> {
    let mut scripts = Vec::with_capacity(count);
    while scripts.len() < count {
        let mut rows = Vec::new();
        for _ in 0..SEEDED_AT_ONCE.min(count - scripts.len()) {
            let (row, script) = author.game(seq)?;
            rows.push(row);
            scripts.push(script);
        }
        seeder.games(&rows).await?;
    }
    Ok(scripts)
}

/// Plays the last of `shown` halfway, to find what a move writes.
async fn typical(server: &Process, seeder: &Seeder, shown: &[Script]) -> anyhow::Result<Typical> {
    let script = shown.last().context("a game is shown")?;
    let mut connection = Connection::open(server.address).await?;
    for request in &script.moves[..script.moves.len() / 2] {
        connection.expect(request).await?;
    }
    let (snapshot, player, line, answer) = seeder.newest_move(script.id).await?;
    Ok(Typical { player, snapshot, line, answer, game_id: script.id })
}
