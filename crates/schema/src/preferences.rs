//! The notification preferences of players, each described once. Column, JSON, document, page and mail command follow from its line:
//! the row of `pippost_store::preferences` and `pippost_accounts::preferences` are made from it, too.

/// Calls the macro `$with` with all preferences. A line has what the document says; the name, which the forms of the page have, too; the
/// object of the JSON that it belongs to, if any; the kind of its value with the default; its columns; and the text with the words of
/// its command in mails, if there is one.
#[macro_export]
macro_rules! notification_preferences {
    ($with:ident) => {
        $with! {
            /// The language of mails.
            language: Language = Language::default(), [language: Text as String], says "command-language";
            /// The name of your time zone in the IANA database.
            zone: Zone = Zone::UTC, [zone: Text as String];
            turns: Turns = TurnMails::default(), [turns: Text as TurnMails], says "command-turns";
            /// Reminders of a turn by mail.
            reminders: Switch = true, [reminders: Bool as bool], says "command-reminders";
            /// When you are reminded, from your next turn on: `25%` when a quarter of its time is left, `24h` when 24 hours are. What does
            /// not count, such as your nights, is no time left. None comes before a quarter of the time is used.
            reminder_schedule: Reminders = ReminderSchedule::default(), [reminder_schedule: Text as String], says "command-reminders";
            /// Whether the last reminder of a turn comes in your quiet hours, too.
            last_reminder_in_quiet_hours: Switch = false, [last_reminder_in_quiet_hours: Bool as bool];
            /// Starts and ends of your games, and proposals to pause them.
            games: Switch = true, [games: Bool as bool];
            /// Mails in which others invite you to a game.
            invitations: Switch = true, [invitations: Bool as bool];
            /// A mail at once when others write at the table.
            messages: Switch = false, [messages: Bool as bool], says "command-messages";
            /// Whether the daily dumps of public games have yours.
            in_dumps: Switch = true, [in_dumps: Bool as bool];
            /// Starts and ends of games, proposals to pause them, and seats that are offered or taken.
            digest_games in Digest: Switch = false, [digest_games: Bool as bool];
            /// Invitations.
            digest_invitations in Digest: Switch = false, [digest_invitations: Bool as bool];
            /// The problem of the day.
            digest_problem in Digest: Switch = false, [digest_problem: Bool as bool];
            /// In your time zone. It is sent if a game waits whose `turns` are `digest`, or with what `digest` leaves to it.
            digest_time: Time = DEFAULT_DIGEST_TIME, [digest_minute: SmallInt as i16], says "command-digest";
            /// Null: no quiet hours.
            quiet_hours: Quiet = None,
                [quiet_from: Nullable<SmallInt> as Option<i16>, quiet_until: Nullable<SmallInt> as Option<i16>], says "command-quiet";
            /// Whether you are told of each turn.
            push_turns in Push: Switch = true, [push_turns: Bool as bool];
            /// Reminders of turns.
            push_reminders in Push: Switch = true, [push_reminders: Bool as bool];
            /// As `digest.games`.
            push_games in Push: Switch = true, [push_games: Bool as bool];
            /// Invitations.
            push_invitations in Push: Switch = true, [push_invitations: Bool as bool];
            /// What others write at the table.
            push_messages in Push: Switch = false, [push_messages: Bool as bool];
            /// Whether others see your ratings.
            ratings: Switch = true, [ratings: Bool as bool];
        }
    };
}

macro_rules! columns {
    ($(
        $(#[doc = $doc:literal])* $name:ident $(in $group:ident)?: $kind:ident = $default:expr,
        [$($column:ident: $sql:ty as $rust:ty),+] $(, says $command:literal)?;
    )+) => {
        diesel::table! {
            player_preferences (player_id) {
                player_id -> Uuid,
                $($($column -> $sql,)+)+
                digest_at -> Nullable<Timestamptz>,
                told_by -> Nullable<Uuid>,
                told_at -> Nullable<Timestamptz>,
            }
        }
    };
}

notification_preferences!(columns);
