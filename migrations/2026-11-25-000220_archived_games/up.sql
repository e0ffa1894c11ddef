-- Finished games whose events and clock log lie in the archive, outside the database (docs/decisions/0214).
create table archived_games (
    game_id uuid primary key,
    -- The SHA-256 of the object, which is its name.
    object bytea not null check (octet_length(object) = 32),
    bytes bigint not null check (bytes > 0),
    events bigint not null check (events > 0),
    clock_lines bigint not null check (clock_lines >= 0),
    -- The SHA-256 of the SHA-256 values of all lines: of the events, then of each line of the clock log and of its openings.
    digest bytea not null check (octet_length(digest) = 32),
    archived_at timestamptz not null
);
create index archived_games_objects on archived_games (object);

-- Where a game's history is: `rows` may be archived, `kept` was brought back by hand and stays.
-- Apart from its check: Citus adds no column with one to a distributed table.
alter table games add column history text not null default 'rows';
alter table games add constraint games_history_check check (history in ('rows', 'archive', 'kept'));
-- Until when a process archives the game, and others leave it alone.
alter table games add column archiving_until timestamptz;
create index games_unarchived on games (finished_at) where status = 'finished' and history = 'rows';

-- Rows of history go only where the archive of the game is on record. Tables are named by the schema of the guarded one, because a
-- temporary table would otherwise be found first.
create or replace function refuse_change_of_history() returns trigger language plpgsql as $$
declare
    archived boolean := false;
begin
    -- The workers of a cluster have no such table.
    if tg_op = 'DELETE' and to_regclass(format('%I.archived_games', tg_table_schema)) is not null then
        execute format('select exists (select from %I.archived_games where game_id = $1)', tg_table_schema)
            into archived using old.game_id;
        if archived then
            return old;
        end if;
    end if;
    raise exception 'events are never changed or removed' using errcode = 'insufficient_privilege';
end
$$;

-- An entry is made only while the very lines that it stands for are in the database, of a game that is over; it is taken back only
-- when they are there again. So history is never in neither place.
create function guard_archived_games() returns trigger language plpgsql as $$
declare
    entry record;
    agrees boolean := false;
begin
    if tg_op = 'INSERT' then
        entry := new;
    elsif tg_op = 'DELETE' then
        entry := old;
    else
        raise exception 'entries of the archive are never changed' using errcode = 'insufficient_privilege';
    end if;
    execute format(
        'select e.lines = $2 and e.first = 0 and e.last = $2 - 1 and c.lines = $3 and c.first = 0 and c.last = $3 - 1
            and pg_catalog.sha256(e.digests || c.digests) = $4
            and exists (select from %1$I.games g join %1$I.game_states s on s.game_id = g.id
                where g.id = $1 and g.status = ''finished'' and s.seq = $2 - 1)
        from (select count(*) as lines, min(seq) as first, max(seq) as last,
                string_agg(pg_catalog.sha256(convert_to(line, ''UTF8'')), ''''::bytea order by seq) as digests
            from %1$I.events where game_id = $1) e,
            (select count(*) as lines, coalesce(min(number), 0) as first, coalesce(max(number), -1) as last,
                coalesce(string_agg(pg_catalog.sha256(convert_to(line, ''UTF8''))
                    || pg_catalog.sha256(convert_to(coalesce(openings, ''''), ''UTF8'')), ''''::bytea order by number), '''') as digests
            from %1$I.clock_lines where game_id = $1) c', tg_table_schema)
        into agrees using entry.game_id, entry.events, entry.clock_lines, entry.digest;
    if agrees is not true then
        raise exception 'the archive and the events of game % disagree', entry.game_id using errcode = 'insufficient_privilege';
    end if;
    return entry;
end
$$;
create trigger archived_games_are_true before insert or update or delete on archived_games
    for each row execute function guard_archived_games();
create trigger archived_games_are_kept before truncate on archived_games
    for each statement execute function guard_archived_games();
alter table archived_games enable always trigger archived_games_are_true;
alter table archived_games enable always trigger archived_games_are_kept;
