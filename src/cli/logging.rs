//! The log, on standard error.

use anyhow::Context;
use tracing_subscriber::EnvFilter;

use crate::settings::{LogFormat, LogSettings};

/// Starts the log.
pub fn start(settings: &LogSettings) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&settings.log).context("the log levels cannot be read")?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = match settings.log_format {
        LogFormat::Text => log.with_target(false).try_init(),
        LogFormat::Json => log.json().flatten_event(true).try_init(),
    };
    started.map_err(|error| anyhow::anyhow!("the log cannot be started: {error}"))
}
