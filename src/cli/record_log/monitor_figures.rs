//! What the monitor tells other programs: a file that the node exporter of Prometheus reads.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::super::known_checkpoint::write;
use crate::log::Checkpoint;

/// The figures of one look.
pub struct Figures<'a> {
    pub checkpoint: &'a Checkpoint,
    /// Whether everything that the log has signed is one history.
    pub is_consistent: bool,
    /// How long ago the checkpoint was seen first.
    pub age: Duration,
    /// The longest time until an event was in the log, if one was measured.
    pub longest: Option<Duration>,
    /// How many events are missing although their time is over.
    pub late: usize,
}

impl Figures<'_> {
    /// The text of the file.
    pub fn text(&self, now: Duration) -> String {
        let seconds = |time: Duration| format!("{:.3}", time.as_secs_f64());
        let all = [
            (
                "consistent",
                "1 if the log is one history, 0 if it contradicts itself.",
                u8::from(self.is_consistent).to_string(),
            ),
            ("entries", "Entries of the newest checkpoint.", self.checkpoint.size.to_string()),
            ("checkpoint_age_seconds", "Since when the newest checkpoint is known.", seconds(self.age)),
            (
                "late_events",
                "Events of public games that the log lacks although their time is over.",
                self.late.to_string(),
            ),
            ("looked_at_seconds", "When the log was read last, since 1970.", seconds(now)),
        ];
        let delay = self.longest.map(|longest| {
            (
                "delay_seconds",
                "The longest time until an event was in the log, of those measured last.",
                seconds(longest),
            )
        });
        let mut text = String::new();
        // A name of a key has no quotation marks that could end the label, but may have a backslash.
        let origin = self.checkpoint.origin.replace('\\', "\\\\").replace('"', "\\\"");
        for (name, help, value) in all.into_iter().chain(delay) {
            let name = format!("pippost_monitor_{name}");
            // Writing to memory cannot fail.
            let _ = writeln!(
                text,
                "# HELP {name} {help}\n# TYPE {name} gauge\n{name}{{origin=\"{origin}\"}} {value}"
            );
        }
        text
    }

    /// Replaces the file at once.
    pub fn write(&self, file: &Path) -> std::io::Result<()> {
        write(file, &self.text(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_are_as_prometheus_reads_them() {
        let checkpoint = Checkpoint { origin: "a\\\"b/log".to_owned(), size: 7, root: [0; 32] };
        let (age, longest) = (Duration::from_millis(1500), Some(Duration::from_secs(2)));
        let figures = Figures { checkpoint: &checkpoint, is_consistent: true, age, longest, late: 3 };
        let text = figures.text(Duration::from_secs(9));
        for line in [
            "pippost_monitor_consistent{origin=\"a\\\\\\\"b/log\"} 1",
            "pippost_monitor_entries{origin=\"a\\\\\\\"b/log\"} 7",
            "pippost_monitor_checkpoint_age_seconds{origin=\"a\\\\\\\"b/log\"} 1.500",
            "pippost_monitor_delay_seconds{origin=\"a\\\\\\\"b/log\"} 2.000",
            "pippost_monitor_late_events{origin=\"a\\\\\\\"b/log\"} 3",
            "# TYPE pippost_monitor_looked_at_seconds gauge",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
        }
        let none = Figures { longest: None, is_consistent: false, ..figures }.text(Duration::ZERO);
        assert!(!none.contains("delay_seconds") && none.contains("\"} 0\n"), "{none}");
    }
}
