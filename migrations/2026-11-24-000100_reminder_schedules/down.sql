drop table turn_reminders;
alter table notices drop column urgent;
alter table player_wishes drop column reminder_schedule, drop column last_reminder_in_quiet_hours;
