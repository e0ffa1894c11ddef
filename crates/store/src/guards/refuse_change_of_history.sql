declare
    entries text := 'archived_games';
    archived boolean := false;
begin
    if tg_op = 'DELETE' then
        -- On a node of a cluster this is a shard, and the entry of the game is in another one on the same node.
        if to_regclass('pg_catalog.pg_dist_partition') is not null then
            if exists (select from pg_catalog.pg_dist_partition
                where logicalrelid = to_regclass(format('%I.archived_games', tg_table_schema))) then
                entries := entries || '_' || pg_catalog.get_shard_id_for_distribution_column(
                    format('%I.archived_games', tg_table_schema)::regclass, old.game_id);
            end if;
        end if;
        execute format('select exists (select from %I.%I where game_id = $1)', tg_table_schema, entries)
            into archived using old.game_id;
        if archived then
            return old;
        end if;
    end if;
    raise exception 'events are never changed or removed' using errcode = 'insufficient_privilege';
end
