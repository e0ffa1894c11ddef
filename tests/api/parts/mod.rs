//! Parts of the API that need no server. They stand here, because the crate would be compiled once more with tests in it.

mod bearer_token;
mod declared;
mod deprecated;
mod document_parts;
mod observed;
