drop table moderation_acts;
drop table reports;
drop table muted_players;
