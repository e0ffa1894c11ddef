drop table pause_proposals;
