drop table club_notices;
