-- What a notice waits for that nobody has claimed: its next attempt, that the mail server can be reached, or that an operator releases it.
alter table notices add column waits_for text;
alter table notices add constraint notices_waits_for_check check (waits_for in ('retry', 'server', 'operator'));
create index notices_waits_for on notices (waits_for, next_attempt_at) where state = 'waiting' and waits_for is not null;

-- The domains to which an operator lets nothing be sent for now; '' stands for all.
create table mail_holds (
    domain text primary key check (char_length(domain) <= 255),
    held_at timestamptz not null
);
