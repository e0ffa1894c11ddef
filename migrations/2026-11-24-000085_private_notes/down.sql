drop table private_notes;
