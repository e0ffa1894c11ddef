alter table players drop column bot;
