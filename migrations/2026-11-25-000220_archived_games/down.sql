do $$
begin
    if exists (select from archived_games) then
        raise exception 'games are in the archive: bring them back first (pippost archive --restore-all)';
    end if;
end
$$;

create or replace function refuse_change_of_history() returns trigger language plpgsql as $$
begin
    raise exception 'events are never changed or removed' using errcode = 'insufficient_privilege';
end
$$;

drop table archived_games;
drop function guard_archived_games();
drop index games_unarchived;
alter table games drop column history;
alter table games drop column archiving_until;
