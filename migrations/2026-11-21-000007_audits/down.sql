drop table audits;
alter table events enable trigger events_are_kept;
alter table events enable trigger events_are_final;
alter table game_states drop column edition;
