//! `pippost archive`: moves finished games out of the database, and back.

use anyhow::{Context, bail};
use clap::Args;
use uuid::Uuid;

use super::building::{NO_LINKS, build_app_with, clock};
use super::logging;
use super::storage::{Running, Storage};
use crate::accounts::AccountLimits;
use crate::archive::Listed;
use crate::games::{Games, archiving};
use crate::settings::{DatabaseSettings, KeySettings, LogSettings};

#[derive(Args)]
#[allow(clippy::struct_excessive_bools, reason = "flags are given or not")]
pub struct ArchiveArgs {
    /// Move nothing; say how many games would be moved.
    #[arg(long, group = "what")]
    dry_run: bool,
    /// Bring these games back into the database, by id. They stay there, and their objects in the archive.
    #[arg(long, group = "what", value_name = "GAME", num_args = 1..)]
    restore: Vec<Uuid>,
    /// Bring all games back.
    #[arg(long, group = "what")]
    restore_all: bool,
    /// List what lies in the archive and belongs to no archived game. Nothing is removed: a game may be on its way, and older backups
    /// of the database may need what is listed.
    #[arg(long, group = "what")]
    unreferenced: bool,
    /// The database is a sandbox's.
    #[arg(long, env = "PIPPOST_SANDBOX")]
    sandbox: bool,
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(flatten)]
    keys: KeySettings,
    #[command(flatten)]
    log: LogSettings,
}

/// Moves what is due, or does what the flags say.
pub fn run(args: &ArchiveArgs) -> anyhow::Result<()> {
    logging::start(&args.log)?;
    if args.database.archive.place.is_none() {
        bail!("there is no archive: name one with --archive or PIPPOST_ARCHIVE");
    }
    let storage = Storage::open(&args.database, Running::Share)?;
    storage.run(async |storage: &Storage| archive(args, storage).await)
}

async fn archive(args: &ArchiveArgs, storage: &Storage) -> anyhow::Result<()> {
    crate::app::migrate(&storage.address, args.sandbox).await?;
    let (clock, limits) = (clock(args.sandbox), AccountLimits::default());
    let (database, keys, no_links) = (&args.database, &args.keys, NO_LINKS.to_owned());
    let app = build_app_with(clock, &limits, storage, database, keys, None, no_links).await?;
    let done = carry_out(args, &app.games).await;
    app.database.close();
    done
}

async fn carry_out(args: &ArchiveArgs, games: &Games) -> anyhow::Result<()> {
    let after_days = args.database.archive.after_days;
    if args.dry_run {
        let due = archiving::due(games, after_days).await?;
        println!("games that would be moved: {}, with {} events", due.games, due.events);
    } else if args.restore_all {
        restore_all(games).await?;
    } else if !args.restore.is_empty() {
        for game in &args.restore {
            let restored = archiving::restore(games, *game).await.with_context(|| format!("game {game}"))?;
            println!("game {game}: {}", if restored { "brought back" } else { "not archived" });
        }
    } else if args.unreferenced {
        let mut print = |listed: &Listed| println!("{} ({} bytes)", listed.path, listed.bytes);
        let found = archiving::unreferenced(games, &mut print).await?;
        println!(
            "{} of {} objects belong to no game: {} bytes",
            found.unreferenced, found.objects, found.unreferenced_bytes
        );
    } else {
        move_due(games, after_days).await?;
    }
    Ok(())
}

async fn move_due(games: &Games, after_days: u16) -> anyhow::Result<()> {
    let mut moved = 0;
    loop {
        match archiving::archive_due(games, after_days).await? {
            0 => break,
            batch => moved += batch,
        }
    }
    println!("games moved: {moved}");
    Ok(())
}

async fn restore_all(games: &Games) -> anyhow::Result<()> {
    let (mut restored, mut last) = (0, Uuid::nil());
    loop {
        let page = archiving::archived(games, last).await?;
        let Some(newest) = page.last() else { break };
        last = newest.game_id;
        for entry in page {
            let game = entry.game_id;
            let back = archiving::restore(games, game).await.with_context(|| format!("game {game}"))?;
            restored += u64::from(back);
        }
    }
    println!("games brought back: {restored}");
    Ok(())
}
