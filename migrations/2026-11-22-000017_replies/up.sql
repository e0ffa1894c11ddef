-- What a mail said, as a hash: whoever sends the same again and again in vain is a program.
alter table replies add column text_key bytea not null default '';
-- It did nothing: it could not be read, or was not legal.
alter table replies add column refused boolean not null default false;
-- Its answer waits, because the player had too many within the hour.
alter table replies add column deferred boolean not null default false;
-- The mail whose answer tells of this one too.
alter table replies add column told_with uuid;
create index replies_told_with on replies (told_with) where told_with is not null;
-- Mails that were begun and not settled: a process has stopped in between.
create index replies_unsettled on replies (received_at) where settled_at is null;
