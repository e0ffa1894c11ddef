-- What is held waits until the year 9999: it is due now.
update notices set ready = true, next_attempt_at = created_at where state = 'waiting' and waits_for = 'operator';
drop table mail_holds;
drop index notices_waits_for;
alter table notices drop column waits_for;
