-- Notices that wait to be sent are found by slot first: those that became ready at about the same time share one. Claims begin at the
-- oldest slot with something to claim, so they do not walk over the index entries of all that was claimed before; these stay in
-- the index as long as any old snapshot is open. Decision 0180.
create sequence notice_numbers as bigint;

-- The slot of a notice that becomes ready now.
create function next_notice_slot() returns bigint language sql volatile as $$ select nextval('notice_numbers') / 512 $$;

-- No slot of a later notice is before this one.
create function newest_notice_slot() returns bigint language sql volatile as $$ select last_value / 512 from notice_numbers $$;

-- In two steps, so that the table is not rewritten: what waits already is in the first slot.
alter table notices add column slot bigint not null default 0;
alter table notices alter column slot set default next_notice_slot();

drop index notices_ready;
create index notices_ready on notices (slot, class, account, id) where state = 'waiting' and ready;

-- The statements of workers are short, and their costs are estimated far too high for a database that may hold a long backlog: to compile
-- them takes a second. Settings of one's own are lost behind a pooler, so this is one of the database, where its owner runs this.
do $$
begin
    execute format('alter database %I set jit = off', current_database());
exception when insufficient_privilege then
    raise notice 'only the owner of the database can switch just-in-time compilation off; see docs/OPERATIONS.md';
end
$$;
