-- A guest plays against the house bot without address and password, until they sign up or are removed.
alter table players add column guest boolean not null default false;
create index players_guests on players (created_at) where guest and deleted_at is null;
