//! Writes each event as one line of at most [`MAX_LINE_BYTES`], whatever it contains from clients.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;
use tracing_subscriber::fmt::MakeWriter;

use crate::settings::LogFormat;

/// The longest line, in bytes. Longer ones are cut, and their length is added.
pub const MAX_LINE_BYTES: usize = 4096;

/// The text kept of a cut line; the rest is for the added length and for JSON escapes.
const CUT_TEXT_BYTES: usize = MAX_LINE_BYTES - 96;
const CUT_JSON_BYTES: usize = (MAX_LINE_BYTES - 96) / 6;

/// Writes lines to standard error.
pub struct BoundedLines {
    format: LogFormat,
    /// Dropped lines that have not been reported yet.
    left_out: Arc<AtomicU64>,
}

impl BoundedLines {
    pub fn new(format: LogFormat, left_out: Arc<AtomicU64>) -> Self {
        Self { format, left_out }
    }
}

impl<'a> MakeWriter<'a> for BoundedLines {
    type Writer = Line<'a>;

    fn make_writer(&'a self) -> Line<'a> {
        Line(self)
    }
}

/// Writes one event.
pub struct Line<'a>(&'a BoundedLines);

impl Write for Line<'_> {
    /// The subscriber writes a whole event at once.
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let BoundedLines { format, left_out } = self.0;
        let mut out = Vec::new();
        match left_out.swap(0, Ordering::Relaxed) {
            0 => {}
            lines => out.extend(notice(*format, lines).into_bytes()),
        }
        out.extend(bounded(*format, &String::from_utf8_lossy(event)).into_bytes());
        io::stderr().write_all(&out)?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// Reports the number of dropped lines before the next line.
fn notice(format: LogFormat, lines: u64) -> String {
    match format {
        LogFormat::Text => format!("WARN {lines} lines were left out here: too many of a kind in a minute\n"),
        LogFormat::Json => {
            let message = "lines were left out here: too many of a kind in a minute";
            format!("{}\n", json!({"level": "WARN", "message": message, "lines": lines}))
        }
    }
}

/// The event as one line of limited length.
fn bounded(format: LogFormat, event: &str) -> String {
    let event = event.strip_suffix('\n').unwrap_or(event);
    let within = |bytes: usize| &event[..event.floor_char_boundary(bytes)];
    match format {
        // JSON escapes line breaks itself.
        LogFormat::Json if event.len() < MAX_LINE_BYTES => format!("{event}\n"),
        LogFormat::Json => {
            let cut = json!({"level": "WARN", "message": "a line was cut", "bytes": event.len(), "line": within(CUT_JSON_BYTES)});
            format!("{cut}\n")
        }
        LogFormat::Text => {
            let line = within(CUT_TEXT_BYTES).replace(['\n', '\r'], " ");
            match event.len() - within(CUT_TEXT_BYTES).len() {
                0 => format!("{line}\n"),
                rest => format!("{line} … ({rest} bytes more)\n"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_one_line_and_no_line_is_longer_than_the_limit() {
        for text in
            ["x".repeat(1_000_000), "\u{1f3b2}".repeat(9_000), "\u{1}".repeat(5_000), "\n".repeat(5_000)]
        {
            let event = format!("INFO request refused cause={text}\n");
            let line = bounded(LogFormat::Text, &event);
            assert!(line.len() <= MAX_LINE_BYTES, "{}", line.len());
            assert!(line.starts_with("INFO request refused") && line.ends_with(" bytes more)\n"));
            assert_eq!(line.matches('\n').count(), 1);

            let event = format!("{}\n", json!({"level": "INFO", "cause": text}));
            let line = bounded(LogFormat::Json, &event);
            assert!(line.len() <= MAX_LINE_BYTES, "{}", line.len());
            assert_eq!(line.matches('\n').count(), 1);
            let cut: serde_json::Value = serde_json::from_str(&line).expect("JSON still");
            assert_eq!(cut["bytes"], event.len() - 1);
        }
    }

    #[test]
    fn a_line_of_the_usual_length_is_left_as_it_is() {
        for event in ["INFO stopped\n", "{\"level\":\"INFO\"}\n"] {
            assert_eq!(bounded(LogFormat::Text, event), event);
            assert_eq!(bounded(LogFormat::Json, event), event);
        }
        assert_eq!(bounded(LogFormat::Text, "INFO said=\nERROR made up\n"), "INFO said= ERROR made up\n");
    }

    #[test]
    fn what_is_left_out_is_said() {
        assert_eq!(
            notice(LogFormat::Text, 7),
            "WARN 7 lines were left out here: too many of a kind in a minute\n"
        );
        let said: serde_json::Value = serde_json::from_str(&notice(LogFormat::Json, 7)).expect("JSON");
        assert_eq!(said["lines"], 7);
    }
}
