drop table transparency_gaps;
drop table transparency_tiles;
drop table transparency_entries;
drop table transparency_log;
alter table events drop column position;
drop sequence events_position;
