update players set handle = lower(handle collate "C");
drop index players_handle_key;
alter table players add constraint players_handle_key unique (handle);
create index players_handle_prefix on players (handle collate "C") where deleted_at is null and not guest;
alter table players drop constraint players_handle_check;
alter table players add constraint players_handle_check
    check (handle ~ '^[a-z0-9][a-z0-9_-]{0,30}[a-z0-9]$');
