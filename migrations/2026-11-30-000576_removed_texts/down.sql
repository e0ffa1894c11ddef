alter table studies drop column removed_by;
alter table table_messages drop column removed_by;
alter table reports drop column study_id;
alter table reports drop column message_id;
