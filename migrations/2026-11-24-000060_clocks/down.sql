alter table game_states drop column clock;
alter table games drop column clock;
alter table games drop column time_control;
