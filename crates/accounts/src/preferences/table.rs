//! What is made of the table of preferences: their types, their stored form, and a list of them.

use time::OffsetDateTime;
use uuid::Uuid;

use pippost_clock::{MinuteOfDay, QuietHours, ReminderSchedule, Zone};
use pippost_language::Language;
use pippost_store::preferences::{PreferencesRow, TurnMails};

/// The default time of the digest: 8:00.
const DEFAULT_DIGEST_TIME: MinuteOfDay = MinuteOfDay::new(8 * 60).expect("a time of day");

/// The value of a preference, as its columns hold it.
trait Columns: Sized {
    type Row;
    fn to_columns(&self) -> Self::Row;
    /// `None`: the columns hold no such value.
    fn of_columns(columns: Self::Row) -> Option<Self>;
}

impl Columns for bool {
    type Row = (bool,);

    fn to_columns(&self) -> (bool,) {
        (*self,)
    }

    fn of_columns((value,): (bool,)) -> Option<Self> {
        Some(value)
    }
}

impl Columns for TurnMails {
    type Row = (Self,);

    fn to_columns(&self) -> (Self,) {
        (*self,)
    }

    fn of_columns((value,): (Self,)) -> Option<Self> {
        Some(value)
    }
}

impl Columns for Language {
    type Row = (String,);

    fn to_columns(&self) -> (String,) {
        (self.tag().to_owned(),)
    }

    fn of_columns((tag,): (String,)) -> Option<Self> {
        Self::of_tag(&tag)
    }
}

impl Columns for Zone {
    type Row = (String,);

    fn to_columns(&self) -> (String,) {
        (self.name().to_owned(),)
    }

    /// `None` for a zone that an update of the zone database has removed.
    fn of_columns((name,): (String,)) -> Option<Self> {
        Self::named(&name).ok()
    }
}

impl Columns for ReminderSchedule {
    type Row = (String,);

    fn to_columns(&self) -> (String,) {
        (self.to_string(),)
    }

    fn of_columns((text,): (String,)) -> Option<Self> {
        Self::parse(&text)
    }
}

impl Columns for MinuteOfDay {
    type Row = (i16,);

    fn to_columns(&self) -> (i16,) {
        (to_row(*self),)
    }

    fn of_columns((minute,): (i16,)) -> Option<Self> {
        of_row(minute)
    }
}

impl Columns for Option<QuietHours> {
    type Row = (Option<i16>, Option<i16>);

    fn to_columns(&self) -> Self::Row {
        (self.map(|quiet| to_row(quiet.from())), self.map(|quiet| to_row(quiet.until())))
    }

    fn of_columns((from, until): Self::Row) -> Option<Self> {
        Some(quiet_hours(from, until))
    }
}

/// The types of the kinds of preferences.
mod kinds {
    pub type Language = pippost_language::Language;
    pub type Zone = pippost_clock::Zone;
    pub type Turns = pippost_store::preferences::TurnMails;
    pub type Switch = bool;
    pub type Reminders = pippost_clock::ReminderSchedule;
    pub type Time = pippost_clock::MinuteOfDay;
    pub type Quiet = Option<pippost_clock::QuietHours>;
}

/// How the value of a preference is read, and put into a change.
#[derive(Debug)]
pub struct Lens<T: 'static> {
    pub of: fn(&NotificationPreferences) -> &T,
    pub change: fn(&mut PreferencesChange) -> &mut Option<T>,
}

/// The kind of a preference's value.
#[derive(Debug)]
pub enum Kind {
    Language(Lens<kinds::Language>),
    Zone(Lens<kinds::Zone>),
    Turns(Lens<kinds::Turns>),
    Switch(Lens<kinds::Switch>),
    Reminders(Lens<kinds::Reminders>),
    Time(Lens<kinds::Time>),
    Quiet(Lens<kinds::Quiet>),
}

/// An object of the JSON of preferences; the names of its preferences begin with its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// What comes with the digest.
    Digest,
    /// What comes by web push.
    Push,
}

impl Group {
    pub const ALL: [Self; 2] = [Self::Digest, Self::Push];

    /// The member of the JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Digest => "digest",
            Self::Push => "push",
        }
    }
}

/// A preference: a line of the table.
#[derive(Debug)]
pub struct Preference {
    pub name: &'static str,
    pub group: Option<Group>,
    /// For the document; empty if the type says it.
    pub says: &'static str,
    pub kind: Kind,
    /// The text with the words of its command in mails.
    pub command: Option<&'static str>,
}

impl Preference {
    /// The member of the JSON, or of the group's object.
    #[must_use]
    pub fn member(&self) -> &'static str {
        let group = self.group.map_or("", Group::name);
        self.name.strip_prefix(group).unwrap_or(self.name).trim_start_matches('_')
    }

    /// The preference for the same in a group.
    #[must_use]
    pub fn twin(&self, group: Group) -> Option<&'static Self> {
        ALL.iter().find(|other| other.group == Some(group) && other.member() == self.name)
    }
}

macro_rules! preferences {
    ($(
        $(#[doc = $says:literal])* $name:ident $(in $group:ident)?: $kind:ident = $default:expr,
        [$($column:ident: $sql:ty as $rust:ty),+] $(, says $command:literal)?;
    )+) => {
        /// All preferences of a player.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(clippy::struct_excessive_bools, reason = "each is chosen by itself")]
        pub struct NotificationPreferences {
            $($(#[doc = $says])* pub $name: kinds::$kind,)+
        }

        impl Default for NotificationPreferences {
            fn default() -> Self {
                Self { $($name: $default,)+ }
            }
        }

        /// A change of preferences; `None` leaves a preference as it is.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct PreferencesChange {
            $(pub $name: Option<kinds::$kind>,)+
        }

        impl NotificationPreferences {
            pub(super) fn apply(&mut self, change: PreferencesChange) {
                $(if let Some(new) = change.$name {
                    self.$name = new;
                })+
            }

            /// The stored form.
            pub(crate) fn row(&self, player_id: Uuid, digest_at: Option<OffsetDateTime>) -> PreferencesRow {
                $(let ($($column,)+) = self.$name.to_columns();)+
                PreferencesRow { player_id, digest_at, $($($column,)+)+ }
            }

            /// The defaults where the row holds what is not known any more.
            pub(super) fn of_row(row: PreferencesRow) -> Self {
                let default = Self::default();
                Self { $($name: Columns::of_columns(($(row.$column,)+)).unwrap_or(default.$name),)+ }
            }
        }

        /// All preferences, in the order of the table.
        pub const ALL: &[Preference] = &[$(Preference {
            name: stringify!($name),
            group: [$(Some(Group::$group),)? None][0],
            says: concat!($($says, "\n",)* ""),
            kind: Kind::$kind(Lens { of: |all| &all.$name, change: |change| &mut change.$name }),
            command: [$(Some($command),)? None][0],
        },)+];
    };
}

pippost_store::schema::notification_preferences!(preferences);

/// Parses the stored form of quiet hours: minutes after midnight.
#[must_use]
pub fn quiet_hours(from: Option<i16>, until: Option<i16>) -> Option<QuietHours> {
    QuietHours::new(of_row(from?)?, of_row(until?)?)
}

fn to_row(time: MinuteOfDay) -> i16 {
    i16::try_from(time.minutes()).expect("less than 1440")
}

fn of_row(minute: i16) -> Option<MinuteOfDay> {
    MinuteOfDay::new(u16::try_from(minute).ok()?)
}
