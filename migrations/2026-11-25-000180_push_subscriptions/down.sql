alter table player_wishes
    drop column push_turns,
    drop column push_reminders,
    drop column push_games,
    drop column push_invitations;
alter table notices drop column fanned_out;
drop table push_messages;
drop table push_subscriptions;
