drop index notices_invited;
alter table notices drop column declined_at;
alter table games drop column result;
