-- When a worker last said that it works.
create table heartbeat (
    only_row boolean primary key default true check (only_row),
    at timestamptz not null
);

-- Times in which no worker worked.
create table outages (
    id bigint generated always as identity primary key,
    from_at timestamptz not null,
    until_at timestamptz not null check (from_at < until_at)
);

-- The newest outage that the game's clock has been given back.
alter table games add column outage bigint not null default 0;
create index games_before_outage on games (outage) where status = 'running';
