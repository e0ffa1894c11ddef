delete from push_messages p using notices n where n.id = p.notice_id and n.kind = 'club';
delete from digest_news d using notices n where n.id = d.notice_id and n.kind = 'club';
delete from notices where kind = 'club';
drop table club_notices;
