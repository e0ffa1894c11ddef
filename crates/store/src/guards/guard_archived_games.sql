declare
    entry record;
    tables text[] := array['games', 'game_states', 'events', 'clock_lines'];
    agrees boolean := false;
begin
    if tg_op = 'INSERT' then
        entry := new;
    elsif tg_op = 'DELETE' then
        entry := old;
    else
        raise exception 'entries of the archive are never changed' using errcode = 'insufficient_privilege';
    end if;
    -- On a node of a cluster this is a shard, and the rows of the game are in others on the same node.
    if to_regclass('pg_catalog.pg_dist_partition') is not null then
        if exists (select from pg_catalog.pg_dist_partition
            where logicalrelid = to_regclass(format('%I.archived_games', tg_table_schema))) then
            select array_agg(name || '_' || pg_catalog.get_shard_id_for_distribution_column(
                format('%I.%I', tg_table_schema, name)::regclass, entry.game_id) order by place)
            into tables from unnest(tables) with ordinality as named(name, place);
        end if;
    end if;
    execute format(
        'select e.lines = $2 and e.first = 0 and e.last = $2 - 1 and c.lines = $3 and c.first = 0 and c.last = $3 - 1
            and pg_catalog.sha256(e.digests || c.digests) = $4
            and exists (select from %1$I.%2$I g join %1$I.%3$I s on s.game_id = g.id
                where g.id = $1 and g.status = ''finished'' and s.seq = $2 - 1)
        from (select count(*) as lines, min(seq) as first, max(seq) as last,
                string_agg(pg_catalog.sha256(convert_to(line, ''UTF8'')), ''''::bytea order by seq) as digests
            from %1$I.%4$I where game_id = $1) e,
            (select count(*) as lines, coalesce(min(number), 0) as first, coalesce(max(number), -1) as last,
                coalesce(string_agg(pg_catalog.sha256(convert_to(line, ''UTF8''))
                    || pg_catalog.sha256(convert_to(coalesce(openings, ''''), ''UTF8'')), ''''::bytea order by number), '''') as digests
            from %1$I.%5$I where game_id = $1) c', tg_table_schema, tables[1], tables[2], tables[3], tables[4])
        into agrees using entry.game_id, entry.events, entry.clock_lines, entry.digest;
    if agrees is not true then
        raise exception 'the archive and the events of game % disagree', entry.game_id using errcode = 'insufficient_privilege';
    end if;
    return entry;
end
