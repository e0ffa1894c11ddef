drop index notices_addresses;
drop table departing_players;
alter table players drop column deleted_at;
