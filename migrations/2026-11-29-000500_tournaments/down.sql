drop table tournament_pairings;
drop table tournament_players;
drop table tournaments;
