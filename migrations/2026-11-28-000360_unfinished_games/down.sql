drop index games_unfinished;
