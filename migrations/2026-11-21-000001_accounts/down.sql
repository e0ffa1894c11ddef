drop table mail_links;
drop table personal_tokens;
drop table refresh_tokens;
drop table sessions;
drop table players;
drop table server;
