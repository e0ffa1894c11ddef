//! Where the handlers of the API are registered: in an application that serves them, or in the document that describes them. Each
//! thread serves; only one describes, because the schemas of all handlers take long to make.

use actix_web::dev::HttpServiceFactory;
use actix_web::web;
use utoipa::openapi::{OpenApi, Paths, RefOr, Schema};
use utoipa_actix_web::OpenApiFactory;

/// The handlers of the API under one prefix.
pub struct Routes<'a> {
    prefix: &'static str,
    to: To<'a>,
}

enum To<'a> {
    Serve(&'a mut web::ServiceConfig),
    Describe(&'a mut OpenApi),
}

impl<'a> Routes<'a> {
    /// Handlers to serve.
    pub fn served(by: &'a mut web::ServiceConfig) -> Self {
        Self { prefix: "", to: To::Serve(by) }
    }

    /// Handlers to describe.
    pub fn described(by: &'a mut OpenApi) -> Self {
        Self { prefix: "", to: To::Describe(by) }
    }

    /// Adds a handler.
    pub fn service<F: HttpServiceFactory + OpenApiFactory + 'static>(&mut self, handler: F) -> &mut Self {
        match &mut self.to {
            To::Serve(service) => {
                service.service(handler);
            }
            To::Describe(document) => {
                let mut schemas = Vec::new();
                handler.schemas(&mut schemas);
                describe(document, self.prefix, handler.paths(), schemas);
            }
        }
        self
    }

    /// Adds the handlers that `configure` adds.
    pub fn configure(&mut self, configure: impl FnOnce(&mut Routes<'_>)) -> &mut Self {
        configure(self);
        self
    }

    /// Adds handlers whose paths begin with `prefix`.
    pub fn scope(&mut self, prefix: &'static str, configure: impl FnOnce(&mut Routes<'_>)) -> &mut Self {
        match &mut self.to {
            To::Serve(service) => {
                let scope = web::scope(prefix)
                    .configure(|service| configure(&mut Routes { prefix, to: To::Serve(service) }));
                service.service(scope);
            }
            To::Describe(document) => configure(&mut Routes { prefix, to: To::Describe(document) }),
        }
        self
    }
}

/// Adds a handler to the document. Apart from [`Routes::service`], because that is compiled once for each handler.
fn describe(document: &mut OpenApi, prefix: &str, mut paths: Paths, schemas: Vec<(String, RefOr<Schema>)>) {
    let named = std::mem::take(&mut paths.paths).into_iter();
    paths.paths = named.map(|(path, item)| (format!("{prefix}{path}"), item)).collect();
    document.paths.merge(paths);
    document.components.get_or_insert_default().schemas.extend(schemas);
}
