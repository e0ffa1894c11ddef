//! When a player is reminded of a turn. Pure.

use std::fmt;

use super::control::{HOUR, MAX_LIMIT_HOURS};
use super::game_clock::{ClockRules, Running};

/// The most reminders of one turn.
pub const MAX_REMINDERS: usize = 6;

/// No reminder comes before a quarter of the time is used: this part, in percent, is the most that may be left.
pub const MAX_SHARE_PERCENT: u8 = 75;

/// The schedule of a player who has chosen none.
pub const DEFAULT_SCHEDULE: &str = "25%";

/// A reminder comes when so much is left of the time for a turn, which is limit, bank and wait together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reminder {
    /// Percent of what was left when the clock began to run: 1 to [`MAX_SHARE_PERCENT`].
    Share(u8),
    /// Hours that count: 1 to [`MAX_LIMIT_HOURS`].
    Hours(u16),
}

impl Reminder {
    /// Reads one as in `25%` and `24h`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let number = |digits: &str| {
            let plain = digits.len() <= 4 && !digits.starts_with('0') && !digits.starts_with('+');
            plain.then(|| digits.parse::<u16>().ok())?
        };
        if let Some(percent) = text.strip_suffix('%') {
            let percent = u8::try_from(number(percent)?).ok()?;
            return (1..=MAX_SHARE_PERCENT).contains(&percent).then_some(Self::Share(percent));
        }
        let hours = number(text.strip_suffix('h')?)?;
        (1..=MAX_LIMIT_HOURS).contains(&i32::from(hours)).then_some(Self::Hours(hours))
    }

    /// How much is left then of `whole`; microseconds.
    fn left(self, whole: i64) -> i64 {
        match self {
            Self::Share(percent) => whole / 100 * i64::from(percent) + whole % 100 * i64::from(percent) / 100,
            Self::Hours(hours) => i64::from(hours) * HOUR,
        }
    }
}

impl fmt::Display for Reminder {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Share(percent) => write!(out, "{percent}%"),
            Self::Hours(hours) => write!(out, "{hours}h"),
        }
    }
}

/// A player's reminders: 1 to [`MAX_REMINDERS`] different ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReminderSchedule(Vec<Reminder>);

/// What is to be done about the reminders of a running clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Planned {
    /// A reminder is due: the least time left, in microseconds, of those that are. One mail stands for all of them.
    pub due_left: Option<i64>,
    /// When the next one is due; none after the last. Microseconds since 1970.
    pub next: Option<i64>,
}

impl Default for ReminderSchedule {
    fn default() -> Self {
        Self(vec![Reminder::Share(25)])
    }
}

impl ReminderSchedule {
    /// A schedule; `None` if there are none, too many, or two alike.
    #[must_use]
    pub fn new(reminders: Vec<Reminder>) -> Option<Self> {
        let different = reminders.iter().enumerate().all(|(at, one)| !reminders[..at].contains(one));
        (different && (1..=MAX_REMINDERS).contains(&reminders.len())).then_some(Self(reminders))
    }

    /// Reads a schedule as in `50% 24h`, also with commas.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let words = text.split([' ', ',']).filter(|word| !word.is_empty());
        Self::new(words.take(MAX_REMINDERS + 1).map(Reminder::parse).collect::<Option<_>>()?)
    }

    #[must_use]
    pub fn reminders(&self) -> &[Reminder] {
        &self.0
    }

    /// The reminders of a running clock at `at`, if those down to `sent_left` have been sent since it began to run.
    #[must_use]
    pub fn plan(
        &self,
        running: &Running,
        clock_rules: &ClockRules,
        sent_left: Option<i64>,
        at: i64,
    ) -> Planned {
        if clock_rules.control.is_unlimited() || running.has_fallen(clock_rules, at) {
            return Planned::default();
        }
        let (whole, left) = (running.whole(), running.left(clock_rules, at).total());
        let open = |amount: &i64| {
            *amount <= Running::reminders_left(whole) && sent_left.is_none_or(|sent| *amount < sent)
        };
        let amounts = || self.0.iter().map(|reminder| reminder.left(whole)).filter(open);
        let next = amounts().filter(|amount| *amount < left).max();
        Planned {
            due_left: amounts().filter(|amount| *amount >= left).min(),
            next: next.and_then(|amount| running.when_left(clock_rules, amount)),
        }
    }
}

impl fmt::Display for ReminderSchedule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.0.iter().map(Reminder::to_string).collect();
        out.write_str(&words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TimeControl;
    use pippost_record::rules::Seat;

    fn schedule(text: &str) -> ReminderSchedule {
        ReminderSchedule::parse(text).expect("a schedule")
    }

    #[test]
    fn schedules_are_read_and_written_alike() {
        for text in ["25%", "50% 24h", "75% 50% 25% 48h 24h 1h", "1% 1440h"] {
            assert_eq!(schedule(text).to_string(), text);
        }
        assert_eq!(schedule("50%, 24h").to_string(), "50% 24h");
        for text in
            ["", "0%", "76%", "0h", "1441h", "24", "h", "%", "+5h", "05h", "24h 24h", "1h 2h 3h 4h 5h 6h 7h"]
        {
            assert_eq!(ReminderSchedule::parse(text), None, "{text}");
        }
        assert_eq!(schedule(DEFAULT_SCHEDULE), ReminderSchedule::default());
    }

    #[test]
    fn each_reminder_is_due_once_when_so_much_is_left() {
        let clock_rules = ClockRules::new(TimeControl::limited(100));
        let running = Running::plain(&clock_rules.control, Seat(0), 0);
        let schedule = schedule("50% 24h 10% 90h");
        let plan = |sent: Option<i64>, at| {
            schedule.plan(&running, &clock_rules, sent.map(|sent| sent * HOUR), at * HOUR)
        };
        let planned = |due: Option<i64>, next: Option<i64>| Planned {
            due_left: due.map(|due| due * HOUR),
            next: next.map(|next| next * HOUR),
        };
        assert_eq!(plan(None, 25), planned(None, Some(50)), "90 hours is more than three quarters");
        assert_eq!(plan(None, 50), planned(Some(50), Some(76)));
        assert_eq!(plan(Some(50), 50), planned(None, Some(76)), "sent once");
        assert_eq!(plan(Some(50), 80), planned(Some(24), Some(90)));
        assert_eq!(plan(None, 95), planned(Some(10), None), "one stands for all that are due");
        assert_eq!(plan(Some(10), 20), planned(None, None), "also if the clock has more time again");
        assert_eq!(plan(None, 100), planned(None, None), "the flag is down");
    }
}
