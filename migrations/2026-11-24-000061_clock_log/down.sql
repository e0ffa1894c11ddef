drop table clock_updates;
drop table player_holidays;
drop table player_calendars;
drop table clock_lines;
