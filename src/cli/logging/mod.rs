//! The log, on standard error. Clients cannot flood it: [`lines`] limits the length of lines, and [`limit`] their number by kind
//! and minute.

mod limit;
mod lines;

use anyhow::Context;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

use self::limit::LineLimit;
use self::lines::BoundedLines;
use crate::settings::{LogFormat, LogSettings};

/// The log level of tokio-postgres. A higher one would show the parameters of statements, which include addresses and hashes.
const DATABASE_DRIVER: &str = "tokio_postgres=info";

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

fn filter(levels: &str) -> anyhow::Result<EnvFilter> {
    let filter = EnvFilter::try_new(levels).context("the log levels cannot be read")?;
    Ok(filter.add_directive(DATABASE_DRIVER.parse().expect("a directive")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_level_makes_the_database_driver_show_what_it_sends() {
        for levels in ["trace", "tokio_postgres=trace", "info,tokio_postgres=debug"] {
            let shown = filter(levels).expect("levels").to_string();
            let driver: Vec<_> = shown.split(',').filter(|part| part.starts_with("tokio_postgres")).collect();
            assert_eq!(driver, [DATABASE_DRIVER], "{levels}");
        }
        assert!(filter("info=what=ever").is_err());
    }
}
