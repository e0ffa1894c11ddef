-- Whether a program plays on this account. Said when the account is made, and never changed: players who sat down with a person
-- must not find that it was a program.
alter table players add column bot boolean not null default false;
