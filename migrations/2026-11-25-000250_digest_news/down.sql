alter table game_wishes drop column push;
drop table digest_news;
alter table player_wishes drop column digest_games, drop column digest_invitations;
