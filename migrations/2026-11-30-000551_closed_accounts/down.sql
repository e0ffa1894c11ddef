delete from reports where reporter_id is null;
alter table reports alter column reporter_id set not null;
alter table players drop column closed_at;
