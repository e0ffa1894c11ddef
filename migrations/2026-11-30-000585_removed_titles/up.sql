-- Whether the evidence is the title of the game, which the act has removed; it is given back when the act is lifted.
alter table moderation_acts add column of_title boolean not null default false;
