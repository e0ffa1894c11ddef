drop index replies_unsettled;
drop index replies_told_with;
alter table replies drop column told_with;
alter table replies drop column deferred;
alter table replies drop column refused;
alter table replies drop column text_key;
