//! What all answers of a sandbox say of the server.

use actix_web::{HttpRequest, web};

/// Whether the server is a sandbox, in which nothing counts.
#[derive(Clone, Copy, Debug)]
pub struct IsSandbox(pub bool);

impl IsSandbox {
    /// Whether the server that got this request is one.
    #[must_use]
    pub fn says(request: &HttpRequest) -> bool {
        request.app_data::<web::Data<Self>>().is_some_and(|sandbox| sandbox.0)
    }
}
