drop table captured_mails;
alter table games drop column chosen_seed;
alter table server drop column clock_ahead;
alter table server drop column sandbox;
