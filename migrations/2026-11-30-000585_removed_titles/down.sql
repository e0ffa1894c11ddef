alter table moderation_acts drop column of_title;
