//! The command line. Each command is a module.

mod admin;
mod archive;
mod audit;
mod backup;
mod bot;
mod building;
mod cosigning;
mod distribute;
mod doctor;
mod drill;
mod dump;
mod game_loops;
mod house;
mod house_keeping;
mod known_checkpoint;
mod languages;
mod logging;
mod mail;
mod moderation;
mod names;
mod ratings;
mod ready;
mod receive;
mod replying;
mod receipt;
mod record_log;
mod replay;
mod restore;
mod secrets;
mod serve;
mod settings_file;
mod setup;
mod shutdown;
mod stats;
mod storage;
mod verify;
mod witness;
mod work;

use std::process::ExitCode;

pub use shutdown::SHUTDOWN_SECONDS;

use clap::{Parser, Subcommand};

use crate::api::openapi::Part;
use crate::settings::{DatabaseSettings, LogSettings};

/// A play-by-e-mail, asynchronous turn server whose every die and card can be audited and replayed.
#[derive(Parser)]
#[command(name = "pippost", version, about, max_term_width = 100)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the API and run the worker's tasks.
    Serve(Box<serve::ServeArgs>),
    /// Run only the worker's tasks: mails, deadlines, reminders. Any number of workers may run.
    Work(Box<work::WorkArgs>),
    /// Receive one mail on standard input, from a mail server's pipe. The exit codes are those of sysexits.h.
    Receive(Box<receive::ReceiveArgs>),
    /// Bring the database's tables up to date. `serve` and `work` do this automatically.
    Migrate(MigrateArgs),
    /// Distribute the tables of a database by game with Citus (docs/SCALING.md). Says what it would do, and does it with `--yes`.
    Distribute(distribute::DistributeArgs),
    /// Check records of games. Exit code 0: all records are valid; 1: a record is refused; 2: none is refused, but a file cannot
    /// be read; 3: all are read and none is refused, but one is a sandbox's, which proves nothing.
    Verify(verify::VerifyArgs),
    /// Say how reliable the players of games are, recomputed from records with their clock logs, as the server shows it. The exit
    /// codes are those of `verify`; a record that is refused counts for nobody.
    Stats(stats::StatsArgs),
    /// Say how strong players are, recomputed from records alone to the last digit of what the server shows (docs/RATINGS.md). The exit
    /// codes are those of `verify`; a record that is refused counts for nobody.
    Ratings(ratings::RatingsArgs),
    /// Check the database: every game's events, and all rows that follow from them. Exit code 0 if nothing is wrong or all of it
    /// was rebuilt; 1 if something is wrong; 2 if it could not be checked.
    Audit(Box<audit::AuditArgs>),
    /// Move the events of finished games out of the database into the archive; servers and workers do this by themselves, slowly. Or
    /// bring games back, or list what no game needs.
    Archive(Box<archive::ArchiveArgs>),
    /// Write a file with the public games of each day that has ended, for everybody, or check such files. Servers and workers with
    /// PIPPOST_DUMPS write them by themselves. The exit codes of `--check` are those of `verify`.
    Dump(Box<dump::DumpArgs>),
    /// Copy the database into a folder of backups while the server runs, and the keys into a file of their own.
    Backup(Box<backup::BackupArgs>),
    /// Make the database of an empty data folder from a backup.
    Restore(Box<restore::RestoreArgs>),
    /// Restore the newest backup into a temporary folder and audit it. Exit code 0 if nothing is wrong; 1 if something is; 2 if it could
    /// not be restored.
    Drill(Box<drill::DrillArgs>),
    /// Look for what is wrong with a running server, and name the runbook of docs/OPERATIONS.md for it. Exit code 0 if nothing is wrong;
    /// 1 if something is; 2 if nobody could look.
    Doctor(Box<doctor::DoctorArgs>),
    /// Ask for what a new server needs, write it into a file of settings, check the domain name system, and send a test mail. Exit code 0
    /// if all is well; 1 if something is to be mended; 2 if nothing was written.
    Setup(setup::SetupArgs),
    /// Check receipts, which servers sign when they accept a move.
    Receipt(receipt::ReceiptArgs),
    /// Follow the log of a server (docs/TRUST.md), and end if it contradicts itself.
    Monitor(record_log::MonitorArgs),
    /// Sign checkpoints of other servers' logs, as a witness (c2sp.org/tlog-witness).
    Witness(witness::WitnessArgs),
    /// Judge what logs of servers have signed.
    Log(record_log::RecordLogArgs),
    /// Step through a game from its record: with arrow keys in a terminal, as plain text elsewhere. The record is verified first;
    /// the exit codes are those of `verify`.
    Replay(replay::ReplayArgs),
    /// Play as a bot through the public API of any server, or measure how well the bots play.
    Bot(bot::BotArgs),
    /// Print all settings of `serve` and `work` as a file of variables, each explained.
    Settings,
    /// Print the OpenAPI document.
    Openapi(OpenapiArgs),
    /// Look after the mails that wait to be sent.
    Mail(Box<mail::MailArgs>),
    /// Decide about what players report of players. Everybody can read what was done at `/moderation`, without names.
    Moderation(Box<moderation::ModerationArgs>),
    /// Administer a server.
    Admin(admin::AdminArgs),
}

#[derive(clap::Args)]
struct OpenapiArgs {
    /// A part of it: openapi (what players use), sandbox, or operations.
    #[arg(default_value = "openapi", value_parser = Part::named)]
    part: Part,
}

#[derive(clap::Args)]
struct MigrateArgs {
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(flatten)]
    log: LogSettings,
    /// Revert the newest migration instead.
    #[arg(long)]
    revert: bool,
}

/// Runs the command line.
pub fn main() -> ExitCode {
    if let Err(refused) = secrets::refuse_flags(std::env::args_os().skip(1)) {
        eprintln!("pippost: {refused}");
        return ExitCode::FAILURE;
    }
    let outcome = match CommandLine::parse().command {
        Command::Serve(args) => serve::run(*args),
        Command::Work(args) => work::run(*args),
        Command::Receive(args) => return receive::run(&args),
        Command::Migrate(args) => migrate(args),
        Command::Distribute(args) => distribute::run(&args),
        Command::Verify(args) => return verify::run(&args),
        Command::Stats(args) => return stats::run(&args),
        Command::Ratings(args) => return ratings::run(&args),
        Command::Audit(args) => return audit::run(&args),
        Command::Archive(args) => archive::run(&args),
        Command::Dump(args) => return dump::run(&args),
        Command::Backup(args) => backup::run(&args),
        Command::Restore(args) => restore::run(&args),
        Command::Drill(args) => return drill::run(&args),
        Command::Doctor(args) => return doctor::run(&args),
        Command::Setup(args) => return setup::run(&args),
        Command::Receipt(args) => return receipt::run(&args),
        Command::Monitor(args) => return record_log::monitor(&args),
        Command::Witness(args) => witness::run(&args),
        Command::Log(args) => return record_log::run(&args),
        Command::Replay(args) => return replay::run(&args),
        Command::Bot(args) => return bot::run(args),
        Command::Openapi(OpenapiArgs { part }) => {
            print!("{}", crate::http::committed_document(part));
            Ok(())
        }
        Command::Settings => {
            settings_file::run();
            Ok(())
        }
        Command::Mail(args) => mail::run(&args),
        Command::Moderation(args) => moderation::run(&args),
        Command::Admin(args) => admin::run(args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Prints the causes without a backtrace, which is of no use to users.
            eprintln!("pippost: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn migrate(args: MigrateArgs) -> anyhow::Result<()> {
    logging::start(&args.log)?;
    let storage = storage::Storage::open(&args.database, storage::Running::Share)?;
    storage.run(async |storage: &storage::Storage| {
        if args.revert {
            crate::store::database::revert(&storage.address).await?;
            println!("took the newest migration back");
        } else {
            let done = crate::store::database::migrate(&storage.address).await?;
            println!("migrations run: {done}");
        }
        Ok(())
    })
}
