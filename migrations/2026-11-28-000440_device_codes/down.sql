drop table app_device_codes;
