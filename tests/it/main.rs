//! The integration tests: one binary, a folder for each part of the program.
// Without the tests that plant faults some of the support is unused.
#![cfg_attr(not(debug_assertions), allow(dead_code))]

mod api;
mod database;
mod laws;
mod mail;
mod process;
mod support;
mod web;
