alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (kind ~ '^[a-z][a-z_]{1,31}$');
alter table idempotency_keys set (toast_tuple_target = 8160);
drop index game_states_due;
create index game_states_deadlines on game_states (deadline_at) where deadline_at is not null;
create index game_states_reminders on game_states (remind_at) where remind_at is not null;
