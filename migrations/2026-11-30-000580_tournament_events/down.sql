drop table webhook_tournament_events;
drop table tournament_events;
delete from webhooks where kinds = '{tournament}';
update webhooks set kinds = array_remove(kinds, 'tournament') where 'tournament' = any (kinds);
alter table webhooks drop constraint webhooks_kinds_check;
alter table webhooks add constraint webhooks_kinds_check check (cardinality(kinds) between 1 and 5);
