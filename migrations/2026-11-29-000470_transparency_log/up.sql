-- The log over all records. Events get a position as they are written, in which the log's sequencer finds them; those that are there
-- already have none, and are taken game by game. The order of positions is not that of commits, and says nothing else.
alter table events add column position bigint;
create sequence events_position;
-- A cluster has no log: its nodes would share no sequence.
do $$
declare
    is_distributed boolean := false;
begin
    if to_regclass('pg_catalog.pg_dist_partition') is not null then
        execute 'select exists (select from pg_catalog.pg_dist_partition where logicalrelid = ''events''::regclass)' into is_distributed;
    end if;
    if not is_distributed then
        alter table events alter column position set default nextval('events_position');
        -- Without the events from before: they are many, and it finds none of them.
        create index events_by_position on events (position) where position is not null;
    end if;
end
$$;

-- One row, once the log has begun.
create table transparency_log (
    only_one boolean primary key default true check (only_one),
    origin text not null,
    public_key bytea not null,
    size bigint not null,
    root bytea not null,
    -- The signed note, and when it was signed.
    checkpoint text not null,
    signed_at timestamptz not null,
    -- The newest one that witnesses have signed, too.
    cosigned_size bigint not null default 0,
    cosigned text,
    -- Up to where events have been looked at.
    position bigint not null,
    -- The last game whose older events were taken, and whether all have been.
    filled_to uuid not null,
    is_filled boolean not null
);
create table transparency_entries (
    index bigint primary key,
    game_id uuid not null,
    seq bigint not null,
    hash bytea not null
);
-- No two entries have the same place in a game.
create unique index transparency_entries_game on transparency_entries (game_id, seq);
-- Hashes of the tree, those of each tile together; tiles at the right edge are not full yet.
create table transparency_tiles (
    level smallint not null,
    index bigint not null,
    hashes bytea not null,
    primary key (level, index)
);
-- Positions that were not visible when later ones were, until they are or their transaction must be over.
create table transparency_gaps (
    first_position bigint primary key,
    last_position bigint not null,
    seen_at timestamptz not null,
    -- The transaction that was to begin next.
    before_transaction xid8 not null
);
