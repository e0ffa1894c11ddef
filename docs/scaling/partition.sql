-- Turns `events` into a table partitioned by hash of the game's id, with the same key and the same refusals. For the owner of the
-- tables, as `psql -v ON_ERROR_STOP=1 -f partition.sql`. One transaction: it copies all events while nobody can read or write them,
-- so stop moves (or accept that they wait). Servers need no restart. SCALING.md says what it costs and what it gives.
begin;

lock table events in access exclusive mode;
alter table events rename to events_before_partitioning;
alter table events_before_partitioning rename constraint events_pkey to events_before_partitioning_pkey;

create table events (
    game_id uuid not null,
    seq bigint not null,
    line text not null,
    position bigint default nextval('events_position'),
    constraint events_pkey primary key (game_id, seq)
) partition by hash (game_id);

do $$
begin
    for part in 0..15 loop
        execute format('create table events_%s partition of events for values with (modulus 16, remainder %s)', part, part);
    end loop;
end
$$;

insert into events (game_id, seq, line, position) select game_id, seq, line, position from events_before_partitioning;
alter index events_by_position rename to events_before_partitioning_by_position;
create index events_by_position on events (position) where position is not null;

-- Rows: partitions get this trigger from the table.
create trigger events_are_final before update or delete on events
    for each row execute function refuse_change_of_history();
alter table events enable always trigger events_are_final;
create trigger events_are_kept before truncate on events
    for each statement execute function refuse_change_of_history();
alter table events enable always trigger events_are_kept;

-- Statements: a partition that is named itself asks only its own.
do $$
declare
    part regclass;
begin
    for part in select inhrelid from pg_inherits where inhparent = 'events'::regclass loop
        execute format('alter table %s enable always trigger events_are_final', part);
        execute format('create trigger events_are_kept before truncate on %s
            for each statement execute function refuse_change_of_history()', part);
        execute format('alter table %s enable always trigger events_are_kept', part);
    end loop;
end
$$;

commit;

analyze events;

-- The old table stays, whole and guarded, until `pippost audit` has found nothing wrong; then: drop table events_before_partitioning.
