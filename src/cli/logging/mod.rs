//! The log, on standard error. Clients cannot flood it: [`lines`] limits the length of lines, and [`limit`] their number by kind
//! and minute.

mod limit;
mod lines;

use anyhow::Context;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use self::limit::LineLimit;
use self::lines::BoundedLines;
use crate::settings::{LogFormat, LogSettings};

/// Logged at level info at most. A higher one would show the parameters of statements, which include addresses and hashes.
const DATABASE_DRIVER: &str = "tokio_postgres";

/// Starts the log.
pub fn start(settings: &LogSettings) -> anyhow::Result<()> {
    let filter = filter(&settings.log)?;
    let colours = std::io::IsTerminal::is_terminal(&std::io::stderr());
    let limit = LineLimit::default();
    let lines = BoundedLines::new(settings.log_format, limit.left_out());
    let log = fmt::layer().with_ansi(colours).with_writer(lines);
    let log = match settings.log_format {
        LogFormat::Text => log.with_target(false).with_filter(limit).boxed(),
        LogFormat::Json => log.json().flatten_event(true).with_filter(limit).boxed(),
    };
    let started = tracing_subscriber::registry().with(filter).with(log).try_init();
    started.map_err(|error| anyhow::anyhow!("the log cannot be started: {error}"))
}

/// The levels of the log: one for all targets, and others by target. Those of the database driver and its modules are left out.
fn filter(levels: &str) -> anyhow::Result<Targets> {
    let levels: Targets = levels.parse().context("the log levels cannot be read")?;
    let of_all = levels.default_level().unwrap_or(LevelFilter::OFF);
    let of_some = levels.into_iter().filter(|(target, _)| !target.starts_with(DATABASE_DRIVER));
    Ok(Targets::new()
        .with_default(of_all)
        .with_targets(of_some)
        .with_target(DATABASE_DRIVER, LevelFilter::INFO))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_level_makes_the_database_driver_show_what_it_sends() {
        for levels in [
            "trace",
            "tokio_postgres=trace",
            "info,tokio_postgres::connection=debug",
            "tokio_postgres::query",
        ] {
            let filter = filter(levels).expect("levels");
            for target in ["tokio_postgres", "tokio_postgres::connection", "tokio_postgres::query"] {
                assert!(filter.would_enable(target, &tracing::Level::INFO), "{levels}");
                assert!(!filter.would_enable(target, &tracing::Level::DEBUG), "{levels}");
            }
        }
    }

    #[test]
    fn levels_are_of_all_targets_and_of_some() {
        let filter = filter("warn,pippost_mail=debug").expect("levels");
        let enabled = [("pippost_mail::smtp", tracing::Level::DEBUG), ("actix_server", tracing::Level::WARN)];
        let disabled =
            [("pippost_mail::smtp", tracing::Level::TRACE), ("actix_server", tracing::Level::INFO)];
        assert!(enabled.iter().all(|(target, level)| filter.would_enable(target, level)));
        assert!(!disabled.iter().any(|(target, level)| filter.would_enable(target, level)));
        assert!(super::filter("info=what=ever").is_err());
    }
}
