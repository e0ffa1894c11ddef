drop table set_aside_games;
