-- When a player is reminded, as in '50% 24h': parts of the whole time that are left, and hours that are left.
alter table player_wishes
    add column reminder_schedule text not null default '25%' check (char_length(reminder_schedule) between 2 and 64),
    add column last_reminder_in_quiet_hours boolean not null default false;

-- An urgent notice does not wait for the end of quiet hours.
alter table notices add column urgent boolean not null default false;

-- Down to how much time left, in microseconds, a seat has been reminded since its clock began to run. It is of no use once another clock runs.
create table turn_reminders (
    game_id uuid primary key references games on delete cascade,
    turn_since timestamptz not null,
    sent_left bigint not null check (sent_left >= 0)
);
