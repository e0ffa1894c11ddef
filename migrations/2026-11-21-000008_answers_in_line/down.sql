alter table idempotency_keys reset (toast_tuple_target);
