drop table ladder_happenings;
drop table ladders;
