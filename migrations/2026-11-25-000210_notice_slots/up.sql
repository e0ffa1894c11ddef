-- Notices that wait to be sent are found by slot first: those that became ready at about the same time share one. Claims begin at the
-- oldest slot with something to claim, so they do not walk over the index entries of all that was claimed before; these stay in
-- the index as long as any old snapshot is open. Decision 0180.
create sequence notice_numbers as bigint;

-- The slot of a notice that becomes ready now.
create function next_notice_slot() returns bigint language sql volatile as $$ select nextval('notice_numbers') / 4096 $$;

-- No slot of a later notice is before this one.
create function newest_notice_slot() returns bigint language sql volatile as $$ select last_value / 4096 from notice_numbers $$;

-- In two steps, so that the table is not rewritten: what waits already is in the first slot.
alter table notices add column slot bigint not null default 0;
alter table notices alter column slot set default next_notice_slot();

drop index notices_ready;
create index notices_ready on notices (slot, class, account, id) where state = 'waiting' and ready;
