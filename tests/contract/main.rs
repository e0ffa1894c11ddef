//! Foreign tools hold the OpenAPI document against the world: validators, a linter, generators, generated clients
//! that play; and the programs and workflows that tell how to use it are run. They
//! need Python and Node.js, so they are not part of a plain `cargo test`; `./test` runs them where it can (see docs/TESTING.md).
//! `PIPPOST_CONTRACT_TOOLS` names the folder that `.ci/install-contract-tools` prints.

mod clients;
mod fuzzing;
mod generators;
mod packages;
mod snippets;
mod tools;
mod validity;
mod webhooks;
mod workflows;
