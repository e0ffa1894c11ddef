alter table replies drop column foreign_sender;
