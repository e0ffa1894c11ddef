drop table captured_deliveries;
