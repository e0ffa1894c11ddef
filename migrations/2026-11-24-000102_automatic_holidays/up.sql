-- Players who want a holiday to begin by itself when a flag of theirs would fall; no row: none.
create table automatic_holidays (
    player_id uuid primary key references players on delete cascade,
    -- How long it is, as far as the budget has so many days.
    days smallint not null check (days between 1 and 28)
);
