drop table studies;
