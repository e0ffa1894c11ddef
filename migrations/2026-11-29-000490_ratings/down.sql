alter table player_preferences drop column ratings;
drop table rating_progress;
drop table player_ratings;
drop table rated_games;
