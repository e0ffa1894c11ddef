-- What bears on a game's clock besides its events (docs/CLOCK.md). `line` is the line of the clock log, byte for byte; `openings` is
-- what opens the commitments in it, shown when the game is over.
create table clock_lines (
    game_id uuid not null,
    number integer not null,
    line text not null,
    openings text,
    primary key (game_id, number)
);
create trigger clock_lines_are_final before update or delete on clock_lines
    for each row execute function refuse_change_of_history();
create trigger clock_lines_are_kept before truncate on clock_lines
    for each statement execute function refuse_change_of_history();
alter table clock_lines enable always trigger clock_lines_are_final;
alter table clock_lines enable always trigger clock_lines_are_kept;

-- The nights and rest days of players, as JSON.
create table player_calendars (
    player_id uuid primary key references players,
    calendar text not null,
    changed_at timestamptz not null,
    -- Changes since `week_at`, at most a week ago.
    changes smallint not null default 1,
    week_at timestamptz not null
);

-- Holidays are booked in whole days of the zone that the player had then, and are never taken back.
create table player_holidays (
    id uuid primary key,
    player_id uuid not null references players,
    first_day date not null,
    last_day date not null,
    from_at timestamptz not null,
    until_at timestamptz not null
);
create index player_holidays_of on player_holidays (player_id, until_at);

-- Running games that have not yet taken a change of a player's calendar, or a holiday.
create table clock_updates (
    id bigint generated always as identity primary key,
    game_id uuid not null,
    player_id uuid not null,
    -- Null: the calendar.
    holiday_id uuid
);
create index clock_updates_of on clock_updates (game_id);
