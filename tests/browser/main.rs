//! The pages in a real browser: a person's way through them, on phones, by keys, without scripts, over lost connections; what they
//! weigh. Whole games by clicking are in `tests/web`.

mod consent;
mod every_day;
mod first_hour;
mod journey;
mod leaving;
mod looks;
mod mails;
mod play;
mod pushes;
mod routes;
mod webhooks;
mod weight;
