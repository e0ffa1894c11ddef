//! Answers to requests that have created something: what it is, and where.

use actix_web::HttpResponse;
use actix_web::http::header::{ContentType, LOCATION};
use serde_json::Value;

/// What was created, as JSON, at that address: its own, or that of the list that has it.
pub fn at(address: &str, json: String) -> HttpResponse {
    HttpResponse::Created().insert_header((LOCATION, address)).content_type(ContentType::json()).body(json)
}

/// What was created below the address of its list, by the id in its JSON.
pub fn below(list: &str, json: String) -> HttpResponse {
    let about: Value = serde_json::from_str(&json).unwrap_or_default();
    let id = about["id"].as_str().unwrap_or_default();
    at(&format!("{list}/{id}"), json)
}
