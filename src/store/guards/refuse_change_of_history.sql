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
