//! The server measured from outside, by a client over HTTP, beside pgbench in the same run.
//!
//! Everything runs on one machine and shares its processors: this program (the client, and PostgreSQL's `pgbench`), the server in
//! a process of its own, and the PostgreSQL that the server starts. In each round the parts follow each other in an order drawn
//! anew, and within a part its measures, which are compared with each other, do; a round that something foreign disturbed is thrown
//! away and repeated.

mod args;
mod boardgame;
mod client;
mod cpu;
mod empty;
mod feeds;
mod growth;
mod hostile;
mod load;
mod mail;
mod measure;
mod pgbench;
mod pictures;
mod random_games;
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
    // The server that is measured is this program again, so that it is never older than what measures it.
    if matches!(std::env::args().nth(1).as_deref(), Some("serve" | "work")) {
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

/// Measures everything that is wanted and prints it.
///
/// # Errors
/// A program could not be started, or did not do what was asked; or a signal came (SIGINT, SIGTERM).
fn run(args: &BenchArgs) -> anyhow::Result<()> {
    let args = if args.quick { args.shortened() } else { args.clone() };
    // Client and seeding are one thread's work: what they take is not the server's.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (mut interrupt, mut terminate) =
            (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        // What has been started is stopped, and the folder removed, when the rounds are dropped.
        tokio::select! {
            done = parts(&args) => done,
            _ = interrupt.recv() => bail!("interrupted"),
            _ = terminate.recv() => bail!("asked to stop"),
        }
    })
}

async fn parts(args: &BenchArgs) -> anyhow::Result<()> {
    // It has a server of its own, with limits.
    if args.only != [Part::Hostile] {
        rounds::run(args).await?;
    }
    if args.wants(Part::Hostile) {
        Box::pin(hostile::run(args)).await?;
    }
    Ok(())
}
