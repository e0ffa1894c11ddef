alter table ladder_happenings drop column notice_id;
