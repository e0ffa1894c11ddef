-- A row holds a run: entries of one game that follow each other in the log, one hash behind the other. Rows from before hold one entry
-- and have no length.
alter table transparency_entries add column length smallint;
-- A program that knows no runs would go on behind the first entry of one: it cannot add any more.
alter table transparency_entries
    add constraint transparency_entries_length check (length is not null and octet_length(hash) = 32 * length) not valid;
