-- Answers of two kilobytes stay in their rows as they are: to compress each costs the database more than all else about it, and
-- they are kept for a week only.
alter table idempotency_keys set (toast_tuple_target = 8160);
