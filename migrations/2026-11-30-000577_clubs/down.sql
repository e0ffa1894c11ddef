drop index player_ratings_newest;
drop table club_members;
drop table clubs;
