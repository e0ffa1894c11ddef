//! `pippost admin`: creates accounts and invitations, and rotates signing keys.

use std::io::Read;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};

use super::building::{NO_LINKS, build_app, make_private_folder};
use super::logging;
use super::storage::{Running, Storage};
use crate::accounts::{AccountError, Accounts};
use crate::clock::Clock;
use crate::keys::SigningKeys;
use crate::notices::Links;
use crate::settings::{DatabaseSettings, KeySettings, LogSettings};

/// The longest password read from standard input, in bytes.
const MAX_PASSWORD_BYTES: u64 = 4096;

#[derive(Args)]
pub struct AdminArgs {
    #[command(subcommand)]
    task: Task,
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(flatten)]
    keys: KeySettings,
    #[command(flatten)]
    log: LogSettings,
}

#[derive(Subcommand)]
enum Task {
    /// Create an account with a confirmed address. The password is read from standard input.
    CreateUser { handle: String, email: String },
    /// Make an invitation to register on a server with `PIPPOST_REGISTRATION=invited`, and print it: a link that is good for 30 days and
    /// one account.
    Invite {
        /// How players reach the server.
        #[arg(long, env = "PIPPOST_PUBLIC_URL")]
        public_url: String,
    },
    /// Create a new signing key, which is used from now on. Receipts signed with older keys stay valid; access tokens stay valid
    /// for 12 minutes.
    RotateKeys,
}

/// Runs the chosen task.
pub fn run(args: AdminArgs) -> anyhow::Result<()> {
    logging::start(&args.log)?;
    match &args.task {
        Task::RotateKeys => rotate_keys(&args),
        Task::CreateUser { handle, email } => create_user(&args, handle, email),
        Task::Invite { public_url } => invite(&args, public_url),
    }
}

fn rotate_keys(args: &AdminArgs) -> anyhow::Result<()> {
    if !args.keys.signing_keys.is_empty() {
        bail!("the signing keys come from the configuration: add the new key there, in first place");
    }
    let folder = args.keys.folder(&args.database.data_dir);
    make_private_folder(&folder)?;
    let path = SigningKeys::rotate(&folder, Clock::System.now())?;
    println!("new signing key: {}", path.display());
    println!("running servers use it within ten seconds");
    Ok(())
}

fn create_user(args: &AdminArgs, handle: &str, email: &str) -> anyhow::Result<()> {
    let mut password = String::new();
    std::io::stdin().lock().take(MAX_PASSWORD_BYTES).read_to_string(&mut password).context("the password")?;
    let password = password.trim_end_matches(['\n', '\r']);
    let player =
        with_accounts(args, async |accounts| accounts.create_confirmed(handle, email, password).await)?;
    println!("created {player}");
    Ok(())
}

fn invite(args: &AdminArgs, public_url: &str) -> anyhow::Result<()> {
    let links = Links::new(public_url).context("PIPPOST_PUBLIC_URL")?;
    let token = with_accounts(args, async |accounts| accounts.invite_to_server(None).await)?;
    println!("{}", links.sign_up(&token.reveal()));
    Ok(())
}

/// Does something with the accounts of the server's database.
fn with_accounts<T>(
    args: &AdminArgs,
    task: impl AsyncFnOnce(&Accounts) -> Result<T, AccountError>,
) -> anyhow::Result<T> {
    let storage = Storage::open(&args.database, Running::Share)?;
    storage.run(async |storage: &Storage| {
        crate::app::migrate(&storage.address, false).await?;
        let app = build_app(storage, &args.database, &args.keys, None, NO_LINKS.to_owned()).await?;
        let done = task(&app.accounts).await;
        app.database.close();
        done.map_err(anyhow::Error::from)
    })
}
