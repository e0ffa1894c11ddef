drop table automatic_holidays;
