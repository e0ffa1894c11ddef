-- The row stays, because games name the player; what it holds besides the handle is erased.
alter table players add column deleted_at timestamptz;

-- Deleted accounts whose games have not all been left yet.
create table departing_players (
    player_id uuid primary key references players,
    deleted_at timestamptz not null
);

create index notices_addresses on notices (lower(address)) where address is not null;
