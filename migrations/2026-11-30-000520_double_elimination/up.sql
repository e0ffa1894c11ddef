alter table tournaments drop constraint tournaments_kind_check;
alter table tournaments add constraint tournaments_kind_check
    check (kind in ('round_robin', 'swiss', 'knock_out', 'double_elimination'));
