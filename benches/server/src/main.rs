//! Measures the server from outside, by a client over HTTP, beside pgbench in the same run.
//!
//! Everything runs on one machine and shares its processors: this program (the client, and PostgreSQL's `pgbench`), the server
//! in a process of its own, and the PostgreSQL that the server starts. In each round the parts run in a new random order, and
//! so do the measures within a part, which are compared with each other. A round that other programs disturbed is discarded and
//! repeated.

mod args;
mod boardgame;
mod client;
mod cpu;
mod empty;
mod feeds;
mod flags;
mod growth;
mod hostile;
mod lists;
mod load;
mod mail;
mod measure;
mod outbox;
mod pages;
mod pgbench;
mod pictures;
mod random_games;
mod readers;
mod record_log;
mod report;
mod rounds;
mod rules;
mod script;
mod seeding;
mod server;
mod smtp;

use std::process::ExitCode;

use anyhow::bail;
use clap::Parser;
use tokio::signal::unix::{SignalKind, signal};

use args::{BenchArgs, Part};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    pippost::allocator::give_memory_back_at_once();
    // The measured server is this program as well, so it is never older than the bench.
    if matches!(std::env::args().nth(1).as_deref(), Some("serve" | "work" | "migrate" | "distribute")) {
        return pippost::cli::main();
    }
    let args = BenchArgs::parse();
    let outcome = match args.empty_handler {
        Some(address) => empty::serve(address),
        None => run(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pippost-bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Measures everything that was requested and prints it.
///
/// # Errors
/// A program could not be started or failed; or a signal came (SIGINT, SIGTERM).
fn run(args: &BenchArgs) -> anyhow::Result<()> {
    let args = if args.quick { args.shortened() } else { args.clone() };
    // Client and seeding run on one thread, so their time is not counted as the server's.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (mut interrupt, mut terminate) =
            (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        // Dropping the rounds stops the programs and removes the folder.
        tokio::select! {
            done = parts(&args) => done,
            _ = interrupt.recv() => bail!("interrupted"),
            _ = terminate.recv() => bail!("asked to stop"),
        }
    })
}

async fn parts(args: &BenchArgs) -> anyhow::Result<()> {
    // The attacks have a server of their own, with limits.
    if args.only != [Part::Hostile] {
        rounds::run(args).await?;
    }
    if args.wants(Part::Hostile) {
        Box::pin(hostile::run(args)).await?;
    }
    Ok(())
}
