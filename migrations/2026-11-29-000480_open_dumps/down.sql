alter table player_preferences drop column in_dumps;
drop index games_dumped;
