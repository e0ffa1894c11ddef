//! Pages and forms, and a whole game of every rule set by clicking. `tests/browser` has what else a real browser shows.

mod branding;
mod clubs;
mod embed;
mod endings;
mod every_day;
mod first_turns;
mod following;
mod guests;
mod ladders;
mod learning;
mod moderation;
mod my_games;
mod names;
mod pages;
mod renewals;
mod server_invitations;
mod sessions;
mod statistics;
mod studies;
mod team_places;
mod time;
mod webhooks;
mod whole_games;
mod words;
