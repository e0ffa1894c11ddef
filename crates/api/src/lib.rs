//! The REST API: one file for each resource, extractors, and `problem`, which maps all errors to responses.
#![forbid(unsafe_code)]

pub mod access;
pub mod accounts;
pub mod apps;
pub mod by_rule_set;
pub mod calendars;
pub mod clubs;
pub mod cors;
pub mod created;
pub mod declared;
pub mod declared_headers;
pub mod following;
pub mod games;
pub mod health;
pub mod idempotency;
pub mod ladders;
pub mod media;
pub mod metrics;
pub mod middleware;
pub mod oauth;
pub mod observe;
pub mod openapi;
pub mod ratings;
pub mod reports;
pub mod receipts;
pub mod routes;
pub mod rules;
pub mod seat;
pub mod studies;
pub mod tournaments;
pub mod verdict;
pub mod verify;
pub mod push_subscriptions;
pub mod webhooks;
pub mod notification_preferences;

use routes::Routes;

/// Registers every route of the API, and of `/api/v1` those of rooms that this one does not know.
pub fn configure(service: &mut Routes<'_>, further: fn(&mut Routes<'_>)) {
    service.scope("/api/v1", |api| {
        api.configure(games::configure)
            .configure(rules::configure)
            .configure(receipts::configure)
            .configure(accounts::configure)
            .configure(ratings::configure)
            .configure(following::configure)
            .configure(reports::configure)
            .configure(ladders::configure)
            .configure(clubs::configure)
            .configure(studies::configure)
            .configure(tournaments::configure)
            .configure(apps::configure)
            .configure(oauth::configure)
            .configure(calendars::configure)
            .configure(verify::configure)
            .configure(notification_preferences::configure)
            .configure(webhooks::configure)
            .configure(push_subscriptions::configure)
            .configure(further);
    });
    let service = service.configure(accounts::configure_well_known);
    service.configure(oauth::configure_well_known).configure(health::configure);
}
