-- Since when an operator keeps the player out.
alter table players add column closed_at timestamptz;

-- A report that waits outlives the account of whoever wrote it.
alter table reports alter column reporter_id drop not null;
