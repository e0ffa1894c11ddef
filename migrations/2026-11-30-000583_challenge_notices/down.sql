delete from push_messages p using notices n where n.id = p.notice_id and n.kind = 'challenge';
delete from digest_news d using notices n where n.id = d.notice_id and n.kind = 'challenge';
delete from notices where kind = 'challenge';
alter table ladder_happenings drop column notice_id;
