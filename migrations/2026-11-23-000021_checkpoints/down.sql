drop table checkpoints;
