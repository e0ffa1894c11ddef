drop table standing_orders;
