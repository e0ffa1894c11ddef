//! The integration tests: one binary, files follow the URL tree.

mod accounts;
mod architecture;
mod beacon;
mod audit;
mod embedded;
mod example_game;
mod external_database;
mod games;
mod laws;
mod migrations;
mod openapi;
mod outbox;
mod pictures;
mod process;
mod random_games;
mod readme;
mod replies;
mod rng;
mod second_verifier;
mod smtp;
mod support;
mod trust;
mod twins;
mod vectors;
mod verify;
