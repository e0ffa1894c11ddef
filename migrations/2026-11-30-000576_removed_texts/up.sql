-- Which text a report names, and the act by which an operator has removed one. The text stays, so that the act can be lifted.
alter table reports add column message_id uuid;
alter table reports add column study_id uuid;
alter table table_messages add column removed_by uuid;
create index table_messages_removed on table_messages (game_id) where removed_by is not null;
alter table studies add column removed_by uuid;
create index studies_removed on studies (removed_by) where removed_by is not null;
