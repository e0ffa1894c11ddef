-- The newest finished games of a rule set, for lists and for the figures on its page.
create index games_finished_rules on games (rules, id desc) where status = 'finished' and not private;
