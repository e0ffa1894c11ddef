//! The counts of mails as metrics for Prometheus.

use prometheus::core::{Collector, Desc};
use prometheus::proto::MetricFamily;
use prometheus::{IntCounter, IntCounterVec, Opts};

use crate::mail::MailFigures;

/// Shows what this process has counted when metrics are collected.
pub struct MailCollector {
    figures: MailFigures,
    /// Describe the metrics.
    families: Families,
}

struct Families {
    sent: IntCounterVec,
    received: IntCounterVec,
    read: IntCounter,
    answers: IntCounterVec,
    reports: IntCounterVec,
}

impl Families {
    fn new() -> Self {
        let family = |name: &str, help: &str, labels: &[&str]| {
            IntCounterVec::new(Opts::new(name, help), labels).expect("a good name")
        };
        Self {
            sent: family(
                "pippost_mail_attempts_total",
                "Attempts to send a mail, by what came of it and by receiving domain.",
                &["result", "domain"],
            ),
            received: family(
                "pippost_mails_received_total",
                "Mails that came in, by what became of them.",
                &["outcome"],
            ),
            read: IntCounter::new(
                "pippost_mails_read_total",
                "Mails that came in of which more than the headers was read.",
            )
            .expect("a good name"),
            answers: family(
                "pippost_mail_answers_total",
                "Players' answers by mail, by what was decided.",
                &["verdict"],
            ),
            reports: family(
                "pippost_mail_reports_total",
                "Reports of mail servers: mails that came back, and complaints.",
                &["kind"],
            ),
        }
    }

    fn all(&self) -> [&dyn Collector; 5] {
        [&self.sent, &self.received, &self.read, &self.answers, &self.reports]
    }
}

impl MailCollector {
    /// Shows these counts.
    #[must_use]
    pub fn new(figures: MailFigures) -> Self {
        Self { figures, families: Families::new() }
    }
}

impl Collector for MailCollector {
    fn desc(&self) -> Vec<&Desc> {
        self.families.all().into_iter().flat_map(Collector::desc).collect()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        let (families, counts) = (Families::new(), self.figures.counts());
        for ((domain, result), count) in &counts.sent {
            families.sent.with_label_values(&[result.as_str(), domain.as_str()]).inc_by(*count);
        }
        for (family, counts) in [
            (&families.received, &counts.received),
            (&families.answers, &counts.answers),
            (&families.reports, &counts.reports),
        ] {
            for (label, count) in counts {
                family.with_label_values(&[*label]).inc_by(*count);
            }
        }
        families.read.inc_by(counts.read);
        families.all().into_iter().flat_map(Collector::collect).collect()
    }
}
