-- Mails with a player's token from other senders count apart.
alter table replies add column foreign_sender boolean not null default false;
