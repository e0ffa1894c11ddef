-- A handle is as its owner has typed it. It is found, and is unique, in lower case, whatever the database's collation is.
alter table players drop constraint players_handle_check;
alter table players add constraint players_handle_check
    check (handle ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,30}[A-Za-z0-9]$');
drop index players_handle_prefix;
alter table players drop constraint players_handle_key;
create unique index players_handle_key on players (lower(handle collate "C"));
