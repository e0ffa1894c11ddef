drop index games_before_outage;
alter table games drop column outage;
drop table outages;
drop table heartbeat;
