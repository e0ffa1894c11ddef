drop table favourite_games;
drop table followed_players;
