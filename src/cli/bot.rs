//! `pippost bot`: plays on a server through its public API, or measures a player in process.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::Value;
use uuid::Uuid;

use super::logging;
use super::shutdown::{self, Shutdown};
use crate::bot::client::{Client, Identity};
use crate::bot::lobby::{DEFAULT_MAX_GAMES, DEFAULT_MAX_GAMES_WITH_ONE, Matchmaking};
use crate::bot::matches::{self, Match, Score};
use crate::bot::player::{Bot, BotSettings};
use crate::bot::{DEFAULT_PLAYOUTS, Effort, Strategy, Strength};
use crate::keys::random_bytes;
use crate::rules::{self, RuleSet};
use crate::settings::LogSettings;
use crate::store::embedded::Cancel;

#[derive(Args)]
pub struct BotArgs {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Play on a server until SIGTERM or SIGINT, in all games of an account.
    Play(Box<PlayArgs>),
    /// Let a strategy play in this process against random players, or those of a strength, and print how often it won.
    Match(MatchArgs),
}

#[derive(Args)]
struct PlayArgs {
    /// URL of the server.
    #[arg(long, env = "PIPPOST_URL", default_value = "http://127.0.0.1:8080")]
    url: String,
    /// Personal access token of the account, with the scopes `read` and `play`, and `manage` to offer games.
    #[arg(long, env = "PIPPOST_TOKEN", hide_env_values = true, conflicts_with = "handle")]
    token: Option<String>,
    /// Handle of the account instead of a token. If it is free, an account is made, which is marked as a bot's.
    #[arg(long, requires = "password")]
    handle: Option<String>,
    /// Password of that account.
    #[arg(long, env = "PIPPOST_PASSWORD", hide_env_values = true)]
    password: Option<String>,
    #[command(flatten)]
    strategy: StrategySettings,
    /// Rule sets of which to keep one game open for others.
    #[arg(long, value_delimiter = ',', value_name = "RULES")]
    offer: Vec<String>,
    /// Hours for each move in offered games.
    #[arg(long, default_value_t = 168, value_parser = clap::value_parser!(u16).range(1..=1440))]
    limit_hours: u16,
    /// Join public games of people that wait for players.
    #[arg(long)]
    join_open: bool,
    /// Join this game; of a private one with its invitation, as in `ID:INVITATION`.
    #[arg(long, value_name = "GAME")]
    join: Vec<String>,
    /// The most games at once.
    #[arg(long, default_value_t = DEFAULT_MAX_GAMES)]
    max_games: usize,
    /// The most games at once with one other player.
    #[arg(long, default_value_t = DEFAULT_MAX_GAMES_WITH_ONE)]
    max_games_with_one: usize,
    /// Seconds between two looks.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=3600))]
    poll_seconds: u64,
    #[command(flatten)]
    log: LogSettings,
}

/// The settings of a strategy.
#[derive(Args)]
struct StrategySettings {
    /// How to choose.
    #[arg(long, value_enum, default_value = "monte-carlo")]
    strategy: StrategyName,
    /// The most random games before a choice.
    #[arg(long, default_value_t = DEFAULT_PLAYOUTS, value_parser = clap::value_parser!(u32).range(1..))]
    playouts: u32,
    /// How well to play, instead of a strategy: easy, medium or strong.
    #[arg(long, conflicts_with_all = ["strategy", "playouts"])]
    strength: Option<Strength>,
    /// The longest thought before a choice, in milliseconds; 0 for no limit. [default: 500, of a strength 200]
    #[arg(long)]
    time_millis: Option<u64>,
    /// Seed of the choices. [default: a random one; of a match 1]
    #[arg(long)]
    seed: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StrategyName {
    Random,
    MonteCarlo,
}

impl StrategySettings {
    fn strategy(&self) -> Strategy {
        match (self.strength, self.strategy) {
            (Some(strength), _) => self.limited(strength.effort()),
            (None, StrategyName::Random) => Strategy::Random,
            (None, StrategyName::MonteCarlo) => {
                self.limited(Effort { playouts: self.playouts, ..Effort::default() })
            }
        }
    }

    /// The search with this effort, within the limit that was given.
    fn limited(&self, effort: Effort) -> Strategy {
        let given = self.time_millis.map(|millis| (millis > 0).then(|| Duration::from_millis(millis)));
        Strategy::MonteCarlo(Effort { time_limit: given.unwrap_or(effort.time_limit), ..effort })
    }
}

#[derive(Args)]
struct MatchArgs {
    /// Rule sets to play. [default: all]
    #[arg(long, value_delimiter = ',')]
    rules: Vec<String>,
    /// Options of the rule set as JSON; they must allow two players.
    #[arg(long, default_value = "{}")]
    options: String,
    /// Games of each rule set.
    #[arg(long, default_value_t = 100)]
    games: u32,
    #[command(flatten)]
    strategy: StrategySettings,
    /// The strength of the opponent: easy, medium or strong. [default: random actions]
    #[arg(long)]
    against: Option<Strength>,
    /// Exit with code 1 unless the strategy has won so many games of each rule set.
    #[arg(long, default_value_t = 0)]
    least_won: u32,
}

/// Runs the command.
pub fn run(args: BotArgs) -> ExitCode {
    let outcome = match args.task {
        Task::Play(args) => play(*args).map(|()| ExitCode::SUCCESS),
        Task::Match(args) => measure(&args),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("pippost: {error:#}");
        ExitCode::from(2)
    })
}

fn play(args: PlayArgs) -> anyhow::Result<()> {
    logging::start(&args.log)?;
    let identity = match (&args.token, &args.handle, &args.password) {
        (Some(token), ..) => Identity::Token(token.clone()),
        (None, Some(handle), Some(password)) => {
            Identity::Bot { handle: handle.clone(), password: password.clone() }
        }
        _ => bail!("who plays? Say --token, or --handle and --password"),
    };
    let matchmaking = Matchmaking {
        offers: args.offer,
        limit_hours: Some(args.limit_hours),
        joins: args.join_open,
        invited_to: args.join.iter().map(|game| invited_to(game)).collect::<anyhow::Result<_>>()?,
        max_games: args.max_games,
        max_games_with_one: args.max_games_with_one,
    };
    let settings = BotSettings {
        strategy: args.strategy.strategy(),
        poll: Duration::from_secs(args.poll_seconds),
        pauses: false,
        matchmaking,
    };
    let bot = Bot::new(Client::new(&args.url, identity)?, settings, seed(args.strategy.seed)?);
    let runtime = tokio::runtime::Runtime::new()?;
    let mut shutdown = Shutdown::on_signals(&runtime, Cancel::default())?;
    runtime.block_on(bot.run(async move {
        shutdown.asked().await;
    }));
    shutdown::end(runtime);
    Ok(())
}

/// The seed, or a random one.
pub fn seed(given: Option<u64>) -> anyhow::Result<u64> {
    Ok(match given {
        Some(seed) => seed,
        None => u64::from_le_bytes(random_bytes()?),
    })
}

fn invited_to(text: &str) -> anyhow::Result<(Uuid, Option<String>)> {
    let (id, invitation) = match text.split_once(':') {
        Some((id, invitation)) => (id, Some(invitation.to_owned())),
        None => (text, None),
    };
    Ok((id.parse().with_context(|| format!("{id} is no game's id"))?, invitation))
}

fn measure(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    let options: Value = serde_json::from_str(&args.options).context("the options are not JSON")?;
    let known = |name: &String| rules::find(name, None).with_context(|| format!("no rule set `{name}`"));
    let all: Vec<&dyn RuleSet> = if args.rules.is_empty() {
        rules::all().collect()
    } else {
        args.rules.iter().map(known).collect::<anyhow::Result<_>>()?
    };
    let mut enough = true;
    for rules in all {
        let options = rules.complete_options(&options)?;
        ensure!(rules.seats(&options)?.contains(&2), "{} is not for two with these options", rules.name());
        let seed = args.strategy.seed.unwrap_or(1);
        let opponent = args.against.map(|strength| args.strategy.limited(strength.effort()));
        let strategies = [args.strategy.strategy(), opponent.unwrap_or(Strategy::Random)];
        let score = matches::play(&Match { rules, options, games: args.games, seed, strategies })?;
        println!("{}", line(rules.name(), args.games, &score));
        enough &= score.won >= args.least_won;
    }
    Ok(if enough { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn line(name: &str, games: u32, score: &Score) -> String {
    format!(
        "{name:<12} won {} of {games}, drew {}, lost {}; {} moves, {:.1} ms a move, the longest {:.1} ms",
        score.won,
        score.drawn,
        score.lost,
        score.moves,
        score.mean().as_secs_f64() * 1e3,
        score.longest.as_secs_f64() * 1e3,
    )
}
