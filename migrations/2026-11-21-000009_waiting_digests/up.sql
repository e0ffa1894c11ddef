-- The digests that wait: without it, all notices that wait are looked through whenever a digest is due.
create index notices_digests on notices (player_id) where kind = 'digest' and state = 'waiting';
