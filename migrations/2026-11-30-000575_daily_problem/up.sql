-- Whether the daily digest of a player has the problem of the day, which comes once a day.
alter table player_preferences add column digest_problem boolean not null default false;
create index notices_sent_digests on notices (player_id, finished_at) where kind = 'digest' and state = 'sent';
