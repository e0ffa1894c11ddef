drop table player_reliability;
drop table player_outcomes;
drop index games_uncounted;
alter table games drop column reliability_counted;
delete from set_aside_games where task = 'reliability';
