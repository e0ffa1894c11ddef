drop index games_titled;
alter table games drop constraint games_title_check;
alter table games drop column title;
