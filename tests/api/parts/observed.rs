//! Routes and ids of requests as the log has them.

use std::collections::HashSet;

use pippost::api::observe::{next_id, shape};
use uuid::Uuid;

#[test]
fn a_path_has_the_shape_of_its_route_and_nothing_else_has() {
    let id = "01a1fe2a-89df-7515-9c5d-9fde96828ff2";
    assert_eq!(shape(&format!("/api/v1/games/{id}")), "/api/v1/games/{id}");
    assert_eq!(shape(&format!("/api/v1/games/{id}/moves")), "/api/v1/games/{id}/moves");
    for path in ["/", "", "/healthz", "//x/", "/games/01a1fe2a89df75159c5d9fde96828ff2"] {
        assert_eq!(shape(path), path);
    }
}

#[test]
fn every_request_has_an_id_of_its_own() {
    let ids: HashSet<Uuid> = (0..1000).map(|_| next_id()).collect();
    assert_eq!(ids.len(), 1000);
    assert!(ids.iter().all(|id| id.get_version_num() == 4));
}
