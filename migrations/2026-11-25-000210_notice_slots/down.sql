drop index notices_ready;
create index notices_ready on notices (class, account, id) where state = 'waiting' and ready;
alter table notices drop column slot;
drop function newest_notice_slot();
drop function next_notice_slot();
drop sequence notice_numbers;
do $$
begin
    execute format('alter database %I reset jit', current_database());
exception when insufficient_privilege then null;
end
$$;
