alter table tournaments drop constraint tournaments_kind_check;
alter table tournaments add constraint tournaments_kind_check
    check (kind in ('round_robin', 'swiss', 'knock_out', 'double_elimination', 'league'));
-- Each season of a league is a tournament of its own. Of other kinds all of these are null.
alter table tournaments add column division_size smallint;
-- How many of a division rise, and how many fall.
alter table tournaments add column promoted smallint;
-- Null: until it is cancelled.
alter table tournaments add column seasons smallint;
alter table tournaments add column season smallint;
-- The season before, on which only one follows.
alter table tournaments add column previous_id uuid;
create unique index tournaments_previous on tournaments (previous_id) where previous_id is not null;
-- The place on the ladder that the season before has left, from 0; null of a first season, and of whoever is new.
alter table tournament_players add column ladder smallint;
