//! `pippost receive`: receives one mail from a mail server's pipe.

use std::io::Read;
use std::process::ExitCode;

use clap::Args;

use super::building::build_app;
use super::logging;
use super::replying::add_replies;
use super::storage::{Running, Storage};
use crate::replies::{Incoming, MAX_MAIL_BYTES, ReceiveOutcome};
use crate::settings::{DatabaseSettings, KeySettings, LogSettings, ReplySettings};

/// Exit codes for mail servers (sysexits.h): invalid mail, unknown address, temporary failure.
const DATA_ERROR: u8 = 65;
const NO_USER: u8 = 67;
const TRY_LATER: u8 = 75;

/// The most bytes of one read.
const PIECE_BYTES: usize = 16 * 1024;

#[derive(Args)]
pub struct ReceiveArgs {
    /// The recipient in the envelope. Without it, the addresses in the headers are tried.
    #[arg(long)]
    recipient: Option<String>,
    /// The sender in the envelope; empty for bounces.
    #[arg(long)]
    sender: Option<String>,
    /// The public URL of the server, for links in mails.
    #[arg(long, env = "PIPPOST_PUBLIC_URL", default_value = "http://127.0.0.1:8080")]
    public_url: String,
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(flatten)]
    keys: KeySettings,
    #[command(flatten)]
    replies: ReplySettings,
    #[command(flatten)]
    log: LogSettings,
}

/// Receives the mail on standard input. A failure here is temporary, so the mail server retries.
pub fn run(args: &ReceiveArgs) -> ExitCode {
    match receive(args) {
        Ok(
            ReceiveOutcome::Taken
            | ReceiveOutcome::Repeated
            | ReceiveOutcome::Ignored(_)
            | ReceiveOutcome::UnknownAddress { vouched: false },
        ) => ExitCode::SUCCESS,
        Ok(ReceiveOutcome::UnknownAddress { vouched: true }) => {
            refuse("to move, answer the mail about your game: each has an address of its own", NO_USER)
        }
        Ok(ReceiveOutcome::TooLarge) => {
            refuse(&format!("the mail has more than {MAX_MAIL_BYTES} bytes"), DATA_ERROR)
        }
        Ok(ReceiveOutcome::Unreadable) => refuse("this is no mail", DATA_ERROR),
        Err(error) => refuse(&format!("{error:#}"), TRY_LATER),
    }
}

fn refuse(why: &str, code: u8) -> ExitCode {
    eprintln!("pippost: {why}");
    ExitCode::from(code)
}

fn receive(args: &ReceiveArgs) -> anyhow::Result<ReceiveOutcome> {
    logging::start(&args.log)?;
    anyhow::ensure!(args.replies.reply_address.is_some(), "PIPPOST_REPLY_ADDRESS is not set");
    let (raw, bytes) = read_mail(std::io::stdin().lock())?;
    let storage = Storage::open(&args.database, Running::Share)?;
    storage.run(async |storage: &Storage| {
        crate::app::migrate(&storage.address, false).await?;
        let app = build_app(storage, &args.database, &args.keys, None, args.public_url.clone()).await?;
        let app = add_replies(app, &args.replies)?;
        let (sender, recipient) = (args.sender.as_deref(), args.recipient.as_deref());
        let receipt = app.replies.receive(Incoming { sender, recipient, raw: &raw, bytes }).await;
        app.database.close();
        Ok(receipt?)
    })
}

/// The beginning of a mail, and its length: at most one byte more than is accepted.
fn read_mail(input: impl Read) -> std::io::Result<(Vec<u8>, usize)> {
    let limit = u64::try_from(MAX_MAIL_BYTES).expect("a small number") + 1;
    let (mut input, mut piece) = (input.take(limit), vec![0; PIECE_BYTES]);
    let (mut raw, mut bytes) = (Vec::new(), 0);
    loop {
        let read = input.read(&mut piece)?;
        if read == 0 {
            return Ok((raw, bytes));
        }
        bytes += read;
        Incoming::keep(&mut raw, &piece[..read]);
    }
}
