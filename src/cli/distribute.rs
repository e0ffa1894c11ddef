//! `pippost distribute`: distributes the tables of a database by game with Citus.

use std::num::NonZeroU16;

use anyhow::Context;

use super::{logging, storage};
use crate::settings::{DatabaseSettings, LogSettings};
use crate::store::citus;

#[derive(clap::Args)]
pub struct DistributeArgs {
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(flatten)]
    log: LogSettings,
    /// Do it. Without this, say only what would be done.
    #[arg(long)]
    yes: bool,
    /// How many shards each table gets. Lists of a player ask every shard.
    #[arg(long, default_value_t = citus::SHARDS)]
    shards: NonZeroU16,
}

/// Runs the command.
pub fn run(args: &DistributeArgs) -> anyhow::Result<()> {
    logging::start(&args.log)?;
    anyhow::ensure!(args.database.database_url.is_some(), "name the coordinator's database in DATABASE_URL");
    let storage = storage::Storage::open(&args.database, storage::Running::Refuse)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let plan = runtime.block_on(citus::plan(&storage.address)).context("nothing was changed")?;
    println!(
        "{} games with {} events are moved to {} workers, in {} shards. Meanwhile nobody can use the database. There is no way back: \
         make a backup first.",
        plan.games, plan.events, plan.workers, args.shards
    );
    println!("distributed by game: games, {}", citus::BY_GAME.join(", "));
    println!("on every node: {}", citus::ON_EVERY_NODE.join(", "));
    println!("on the coordinator: {}", citus::ON_THE_COORDINATOR.join(", "));
    if !args.yes {
        println!("Nothing was done. To do it, stop all servers and workers, and add --yes.");
        return storage.close();
    }
    runtime.block_on(citus::distribute(&storage.address, args.shards)).context("nothing was changed")?;
    println!("done");
    drop(runtime);
    storage.close()
}
