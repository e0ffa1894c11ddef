-- Deadlines and reminders by one index: every move changes both, and a reminder is always the earlier.
drop index game_states_deadlines;
drop index game_states_reminders;
create index game_states_due on game_states (least(remind_at, deadline_at)) where deadline_at is not null;

-- Of an answer only what the events do not say is kept now.
alter table idempotency_keys reset (toast_tuple_target);

-- A regular expression for each notice is work that a move need not have.
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (char_length(kind) between 2 and 32);
