drop index players_guests;
alter table players drop column guest;
