drop index notices_roots;
delete from notices where kind = 'digest';
drop table declined_addresses;
drop table game_wishes;
drop table player_wishes;
