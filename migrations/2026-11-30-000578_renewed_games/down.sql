drop index games_renewing;
alter table games drop column renews_at;
