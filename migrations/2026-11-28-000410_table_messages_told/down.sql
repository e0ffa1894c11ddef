drop table webhook_messages;
delete from webhooks where kinds = '{message}';
update webhooks set kinds = array_remove(kinds, 'message') where 'message' = any (kinds);
alter table webhooks drop constraint webhooks_kinds_check, add check (cardinality(kinds) between 1 and 4);
delete from push_messages p using notices n where n.id = p.notice_id and n.kind = 'message';
delete from notices where kind = 'message';
drop index notices_messages;
alter table game_preferences drop column messages;
alter table player_preferences drop column messages, drop column push_messages;
