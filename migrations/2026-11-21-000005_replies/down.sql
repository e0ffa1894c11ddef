drop table table_messages;
drop table replies;
alter table players drop column email_bounced_at;
alter table notices drop column bounce_code;
alter table notices drop column bounced_at;
delete from notices where kind not in
    ('turn', 'reminder', 'game_started', 'game_over', 'invitation', 'confirm_email', 'reset_password');
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (kind in
    ('turn', 'reminder', 'game_started', 'game_over', 'invitation', 'confirm_email', 'reset_password'));
