//! Measures mails: the rate over four connections, compared with Postfix's `smtp-source`, and the latency of a single one.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use bytes::Bytes;
use mail_parser::{MessageParser, MimeHeaders};
use time::OffsetDateTime;
use uuid::Uuid;

use super::cpu::{Split, Watched};
use super::load::histogram;
use super::measure::{shuffled, undisturbed};
use super::report::{line, median, ratio, spread_percent};
use super::rounds::{Setup, foreign_percent};
use super::server::{Process, postmaster};
use super::smtp::{Clocked, Postfix, Sink};
use pippost::mail::{Mailer, OutgoingMail};
use pippost::notices::BoardPicture;
use pippost::settings::MailSettings;
use pippost::store::{Database, OutboxSignal};

/// The number of connections to the sink, for every sender.
const CONNECTIONS: u16 = 4;

/// Mails per round of `smtp-source`, and letters per round.
const LETTERS: usize = 20_000;

/// Rows of the outbox per round: with pictures, and without.
const TURNS: usize = 1_000;
const INVITATIONS: usize = 5_000;

/// Single mails, of which the first ones do not count.
const LONE: usize = 210;
const FIRST: usize = 10;

/// Invitations that wait while links for accounts are sent, and the number of those links.
const BACKLOG: i64 = 50_000;
const LINKS: usize = 20;

/// The subject of a mail with a link that sets a new password.
const LINK_SUBJECT: &[u8] = b"Subject: Set a new password";

/// The pause between single mails: longer than the outbox signal's interval.
const LONE_MAIL_INTERVAL: Duration = Duration::from_millis(100);

/// How long to wait for an expected event.
const MAIL_TIMEOUT: Duration = Duration::from_mins(2);

/// The interval between checks whether all rows have been sent.
const OUTBOX_POLL_INTERVAL: Duration = Duration::from_millis(10);

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Measure {
    /// Postfix's program: the same text every time.
    Source,
    /// Letters with finished text, turned into messages and sent.
    Letters,
    /// Rows of the outbox, through a worker: claimed, looked up, put into words, turned into messages, sent and marked.
    Invitations,
    /// The same with a board drawn for each.
    Turns,
}

impl Measure {
    fn name(self) -> &'static str {
        match self {
            Self::Source => "smtp-source, the same text",
            Self::Letters => "letters, built and sent",
            Self::Invitations => "rows of the outbox: invitations",
            Self::Turns => "rows of the outbox: turns, with boards",
        }
    }
}

/// The results of one round.
struct Round {
    mails: usize,
    seconds: f64,
    split: Split,
    disturbed: bool,
}

impl Round {
    #[allow(clippy::cast_precision_loss)]
    fn rate(&self) -> f64 {
        self.mails as f64 / self.seconds
    }

    #[allow(clippy::cast_precision_loss)]
    fn each_us(&self, seconds: f64) -> f64 {
        seconds * 1e6 / self.mails as f64
    }
}

/// Measures single mails, then many.
///
/// # Errors
/// A program could not be started, or a mail did not arrive.
pub async fn run(setup: &mut Setup) -> anyhow::Result<()> {
    setup.seeder.clear_outbox().await?;
    let letter = lone(setup).await?;
    beside_a_backlog(setup).await?;
    let Some(postfix) = Postfix::find() else {
        println!(
            "\n  Many mails were not measured: there is no smtp-sink and smtp-source (package postfix)."
        );
        return Ok(());
    };
    many(setup, &postfix, letter).await
}

/// One mail at a time: from the committed row to the last line of the mail. Returns the last one.
async fn lone(setup: &mut Setup) -> anyhow::Result<OutgoingMail> {
    let (mails, first) = if setup.args.quick { (4, 1) } else { (LONE, FIRST) };
    let mut sink = Clocked::listen().await?;
    let _worker = worker(setup, sink.address)?;
    let outbox_signal = OutboxSignal::start(Database::new(Arc::new(setup.database()?), 1)?);
    let (mut taken, mut raw) = (histogram(), Vec::new());
    for (number, game) in setup.games_in_play(mails).await?.into_iter().enumerate() {
        tokio::time::sleep(LONE_MAIL_INTERVAL).await;
        setup.seeder.turn_notices(&[game]).await?;
        let committed = Instant::now();
        outbox_signal.notify();
        let accepted = sink.next(MAIL_TIMEOUT).await?;
        if number >= first {
            let took = accepted.at.saturating_duration_since(committed);
            taken.saturating_record(u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
        }
        raw = accepted.raw;
    }
    until_all_are_sent(setup).await?;
    #[allow(clippy::cast_precision_loss)]
    let of = |quantile| taken.value_at_quantile(quantile) as f64 / 1000.0;
    println!(
        "\nA lone mail of {} bytes, from its committed row to its last line at the SMTP server\n",
        raw.len()
    );
    line("ms, median", of(0.5), "at most 250");
    line("ms, 99 of 100", of(0.99), "");
    letter_of(&raw).context("a mail that cannot be read")
}

/// Links for accounts while invitations wait: from the committed row to the last line of the mail.
async fn beside_a_backlog(setup: &mut Setup) -> anyhow::Result<()> {
    let (waiting, links) = if setup.args.quick { (200, 1) } else { (BACKLOG, LINKS) };
    let mut sink = Clocked::listen().await?;
    let game = *setup.games_in_play(1).await?.first().context("no game")?;
    setup.seeder.invitations(game, waiting).await?;
    let worker = worker(setup, sink.address)?;
    let outbox_signal = OutboxSignal::start(Database::new(Arc::new(setup.database()?), 1)?);
    // Once the first mail has come, the worker is sending the backlog.
    sink.next(MAIL_TIMEOUT).await?;
    let mut taken = histogram();
    for _ in 0..links {
        setup.seeder.reset_notice(game).await?;
        let committed = Instant::now();
        outbox_signal.notify();
        let mut accepted = sink.next(MAIL_TIMEOUT).await?;
        while !accepted.raw.windows(LINK_SUBJECT.len()).any(|bytes| bytes == LINK_SUBJECT) {
            accepted = sink.next(MAIL_TIMEOUT).await?;
        }
        let took = accepted.at.saturating_duration_since(committed);
        taken.saturating_record(u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
    }
    drop(worker);
    setup.seeder.clear_outbox().await?;
    #[allow(clippy::cast_precision_loss)]
    let of = |quantile| taken.value_at_quantile(quantile) as f64 / 1000.0;
    println!(
        "\nA link for an account beside {waiting} invitations, from its committed row to its last line\n"
    );
    line("ms, median", of(0.5), "");
    line("ms, the slowest", of(1.0), "at most 1000");
    Ok(())
}

/// Waits until no notice waits: a worker that is killed before it has marked its last one would leave it until its lease ends.
async fn until_all_are_sent(setup: &Setup) -> anyhow::Result<()> {
    let started = Instant::now();
    loop {
        let (some_wait, some_failed) = setup.seeder.outbox().await?;
        if some_failed || started.elapsed() > MAIL_TIMEOUT {
            bail!("mails wait, after failures: {some_failed}");
        }
        if !some_wait {
            return Ok(());
        }
        tokio::time::sleep(OUTBOX_POLL_INTERVAL).await;
    }
}

fn worker(setup: &Setup, smtp: SocketAddr) -> anyhow::Result<Process> {
    Process::work(&setup.data(), setup.args.pg_bindir.as_deref(), smtp, CONNECTIONS)
}

/// The letter from which this mail was made.
fn letter_of(raw: &[u8]) -> Option<OutgoingMail> {
    let mail = MessageParser::default().parse(raw)?;
    let picture =
        mail.parts.iter().find(|part| part.content_type().is_some_and(|kind| kind.ctype() == "image"));
    let png = picture.map(|part| Bytes::copy_from_slice(part.contents()));
    let picture = png.map(|png| BoardPicture { png, width_px: 480, alt: String::new() });
    Some(OutgoingMail {
        notice_id: Uuid::nil(),
        player_id: None,
        kind: "turn",
        from: "pippost <play@example.org>".parse().ok()?,
        to: "player <player@example.org>".parse().ok()?,
        subject: mail.subject()?.to_owned(),
        text: mail.body_text(0)?.into_owned(),
        html: mail.body_html(0)?.into_owned(),
        picture,
        message_id: format!("<{}@example.org>", mail.message_id()?),
        thread_id: Some("<thread@example.org>".to_owned()),
        unsubscribe: Some("https://play.example.org/unsubscribe".to_owned()),
        list: None,
        date: OffsetDateTime::now_utc(),
        reply_to: "play@example.org".parse().ok(),
        bounce_to: "play@example.org".parse().ok(),
        shown_event: None,
        checkpoint: None,
    })
}

/// Repeats all measures in shuffled order, with the same sink.
async fn many(setup: &mut Setup, postfix: &Postfix, letter: OutgoingMail) -> anyhow::Result<()> {
    let sink = Sink::start(postfix).await?;
    let worker = worker(setup, sink.address)?;
    let outbox_signal = OutboxSignal::start(Database::new(Arc::new(setup.database()?), 1)?);
    let whole = letter.clone().seal()?.raw.len();
    // Without its picture, so that text and page are most of it.
    let letter = OutgoingMail { picture: None, ..letter };
    let bytes = [letter.clone().seal()?.raw.len(), whole];
    let mut bench = Many {
        setup,
        postfix,
        letter: Arc::new(letter),
        letter_bytes: bytes[0],
        sink,
        worker,
        outbox_signal,
    };
    // The worker has started when its first mails have been sent.
    bench.once(Measure::Invitations).await?;
    let mut found: BTreeMap<Measure, Vec<Round>> = BTreeMap::new();
    for _ in 0..bench.setup.args.rounds {
        for measure in shuffled(&[Measure::Source, Measure::Letters, Measure::Invitations, Measure::Turns])? {
            let round = undisturbed(async || bench.once(measure).await, |round| round.disturbed).await;
            let (round, repeats) = round.with_context(|| format!("while measuring {}", measure.name()))?;
            bench.setup.repeated += repeats;
            found.entry(measure).or_default().push(round);
        }
    }
    report(&found, bytes);
    Ok(())
}

struct Many<'a> {
    setup: &'a mut Setup,
    postfix: &'a Postfix,
    letter: Arc<OutgoingMail>,
    /// Its length over the wire; smtp-source's letters have the same length.
    letter_bytes: usize,
    sink: Sink,
    worker: Process,
    outbox_signal: OutboxSignal,
}

impl Many<'_> {
    async fn once(&mut self, measure: Measure) -> anyhow::Result<Round> {
        let quick = self.setup.args.quick;
        let mails = match measure {
            _ if quick => 30,
            Measure::Source | Measure::Letters => LETTERS,
            Measure::Invitations => INVITATIONS,
            Measure::Turns => TURNS,
        };
        let games = match measure {
            Measure::Turns => self.setup.games_in_play(mails).await?,
            Measure::Invitations => self.setup.games_in_play(1).await?,
            Measure::Source | Measure::Letters => Vec::new(),
        };
        let (postmaster, _) = postmaster(&self.setup.data())?;
        let watched =
            Watched { server: self.worker.pid(), postmasters: vec![postmaster], sink: Some(self.sink.pid()) };
        let (usage, started) = (watched.usage(), Instant::now());
        match measure {
            Measure::Source => self.source(mails).await?,
            Measure::Letters => self.letters(mails).await?,
            Measure::Invitations | Measure::Turns => self.rows(&games, mails).await?,
        }
        let seconds = started.elapsed().as_secs_f64();
        let split = watched.usage().since(&usage);
        let disturbed = foreign_percent(&split, seconds) > self.setup.args.foreign_percent;
        Ok(Round { mails, seconds, split, disturbed })
    }

    async fn source(&self, mails: usize) -> anyhow::Result<()> {
        let mut command = tokio::process::Command::new(&self.postfix.source);
        // Without -d it would open a connection for each mail, which is slower.
        command.args([
            "-d",
            "-s",
            &CONNECTIONS.to_string(),
            "-m",
            &mails.to_string(),
            "-l",
            &self.letter_bytes.to_string(),
        ]);
        command.args(["-f", "play@example.org", "-t", "player@example.org"]);
        let output = command.arg(self.sink.address.to_string()).kill_on_drop(true).output().await?;
        if !output.status.success() {
            bail!("smtp-source failed: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(())
    }

    /// Sends letters from this program, on threads of their own.
    async fn letters(&self, mails: usize) -> anyhow::Result<()> {
        let (letter, address) = (self.letter.clone(), self.sink.address);
        let sending = tokio::task::spawn_blocking(move || {
            let runtime = tokio::runtime::Runtime::new()?;
            runtime.block_on(send_letters(letter, address, mails))
        });
        sending.await?
    }

    /// Notices of these games; invitations if there is only one.
    async fn rows(&mut self, games: &[Uuid], mails: usize) -> anyhow::Result<()> {
        let written = match games {
            [game] => self.setup.seeder.invitations(*game, i64::try_from(mails)?).await?,
            games => self.setup.seeder.turn_notices(games).await?,
        };
        if usize::try_from(written)? != mails {
            bail!("{written} notices instead of {mails}");
        }
        self.outbox_signal.notify();
        until_all_are_sent(self.setup).await
    }
}

/// Turns each letter into a message again, with as many senders as the worker would have.
async fn send_letters(letter: Arc<OutgoingMail>, address: SocketAddr, mails: usize) -> anyhow::Result<()> {
    let settings = MailSettings {
        smtp_url: Some(format!("smtp://{address}")),
        smtp_connections: CONNECTIONS,
        ..MailSettings::default()
    };
    let mailer = Arc::new(Mailer::new(&settings, Path::new("not used"))?);
    let begun = Arc::new(AtomicUsize::new(0));
    let mut senders = tokio::task::JoinSet::new();
    for _ in 0..2 * CONNECTIONS {
        let (letter, mailer, begun) = (letter.clone(), mailer.clone(), begun.clone());
        senders.spawn(async move {
            while begun.fetch_add(1, Ordering::Relaxed) < mails {
                mailer.send(&letter).await?;
            }
            anyhow::Ok(())
        });
    }
    while let Some(sent) = senders.join_next().await {
        sent??;
    }
    Ok(())
}

fn report(found: &BTreeMap<Measure, Vec<Round>>, bytes: [usize; 2]) {
    println!(
        "\nMails over {CONNECTIONS} connections to Postfix's smtp-sink. Letters have {} bytes, smtp-source's too; mails of the outbox {}, with \
         their pictures. Medians; processor time in µs a mail.\n",
        bytes[0], bytes[1]
    );
    println!(
        "{:<38} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6}",
        "", "a second", "spread", "client", "worker", "pg", "sink", "foul"
    );
    let of = |measure: Measure, value: &dyn Fn(&Round) -> f64| {
        found.get(&measure).map_or(f64::NAN, |rounds| median(rounds.iter().map(value)))
    };
    for (measure, rounds) in found {
        println!(
            "{:<38} {:>9.0} {:>7.0}% {:>8.1} {:>8.1} {:>8.1} {:>8.1} {:>6}",
            measure.name(),
            of(*measure, &Round::rate),
            spread_percent(rounds.iter().map(Round::rate)),
            of(*measure, &|round| round.each_us(round.split.client)),
            of(*measure, &|round| round.each_us(round.split.server)),
            of(*measure, &|round| round.each_us(round.split.postgres)),
            of(*measure, &|round| round.each_us(round.split.sink)),
            rounds.iter().filter(|round| round.disturbed).count(),
        );
    }
    println!();
    let rounds = |measure: Measure| found.get(&measure).map_or(&[][..], Vec::as_slice);
    let letters = ratio(rounds(Measure::Letters), rounds(Measure::Source), Round::rate);
    line("letters, built and sent / smtp-source", letters, "at least 0.9");
    line(
        "invitations sent from their rows, a second",
        of(Measure::Invitations, &Round::rate),
        "at least 1000",
    );
    line("turns sent from their rows, a second", of(Measure::Turns, &Round::rate), "at least 1000");
}
