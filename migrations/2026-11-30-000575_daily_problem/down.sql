drop index notices_sent_digests;
alter table player_preferences drop column digest_problem;
