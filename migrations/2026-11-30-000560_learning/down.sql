drop table problems;
drop table turning_points;
drop table search_days;
alter table games drop column bot_strength;
drop index games_unsearched;
alter table games drop column searched;
