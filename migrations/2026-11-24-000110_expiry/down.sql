drop index games_expiring;
alter table games drop column awaits_until, drop column expires_at;
