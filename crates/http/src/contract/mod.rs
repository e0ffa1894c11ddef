//! Says what is wrong with a request by the OpenAPI document: every fault at once, each with its place. Readers of bodies and queries
//! only refuse; this is asked when they have.

mod fault;
mod values;
mod walk;

use actix_web::HttpRequest;
use serde_json::{Map, Value};

pub use self::fault::{Fault, FaultBody, FaultCode};
use self::walk::Walk;

/// The part of the document that requests are held against.
#[derive(Debug)]
pub struct Contract {
    paths: Value,
    schemas: Value,
    parameters: Value,
}

/// The contract of an application, which is made when it is first needed.
#[derive(Clone, Copy)]
pub struct Described(pub fn() -> &'static Contract);

impl Contract {
    /// What the document says of requests.
    #[must_use]
    pub fn of(document: &Value) -> Self {
        let mut paths = document["paths"].clone();
        for operation in paths.as_object_mut().into_iter().flat_map(Map::values_mut) {
            for operation in operation.as_object_mut().into_iter().flat_map(Map::values_mut) {
                if let Some(members) = operation.as_object_mut() {
                    members.retain(|name, _| matches!(name.as_str(), "parameters" | "requestBody"));
                }
            }
        }
        let components = &document["components"];
        Self { paths, schemas: components["schemas"].clone(), parameters: components["parameters"].clone() }
    }

    /// The contract of the application that answers.
    pub(crate) fn asked(request: &HttpRequest) -> Option<&'static Self> {
        request.app_data::<Described>().map(|Described(contract)| contract())
    }

    /// What is wrong with a body.
    #[must_use]
    pub fn faults_of_body(&self, request: &HttpRequest, body: &Value) -> Vec<Fault> {
        let Some(operation) = self.operation(request) else { return Vec::new() };
        let mut contents = operation["requestBody"]["content"].as_object().into_iter().flatten();
        contents.next().map_or_else(Vec::new, |(_, content)| self.faults(&content["schema"], body))
    }

    /// What is wrong with a value by a schema.
    #[must_use]
    pub fn faults<'a>(&'a self, schema: &'a Value, value: &Value) -> Vec<Fault> {
        let mut walk = Walk::new(&self.schemas);
        walk.check(schema, value);
        walk.into_faults()
    }

    /// What is wrong with the query of a request.
    #[must_use]
    pub fn faults_of_query(&self, request: &HttpRequest) -> Vec<Fault> {
        let Some(operation) = self.operation(request) else { return Vec::new() };
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let meant = |parameter: &'_ Value| match parameter["$ref"].as_str() {
            Some(reference) => self.parameters[reference.rsplit('/').next().unwrap_or_default()].clone(),
            None => parameter.clone(),
        };
        let of_query = parameters.map(meant).filter(|parameter| parameter["in"] == "query");
        let known: Vec<Value> = of_query.collect();
        let given: Vec<(String, String)> =
            serde_urlencoded::from_str(request.query_string()).unwrap_or_default();
        let mut walk = Walk::new(&self.schemas);
        walk.check_query(&known, &given);
        walk.into_faults()
    }

    /// The media types that an operation takes.
    #[must_use]
    pub fn media_types(&self, request: &HttpRequest) -> Vec<String> {
        let content =
            self.operation(request).and_then(|operation| operation["requestBody"]["content"].as_object());
        content.into_iter().flat_map(Map::keys).cloned().collect()
    }

    fn operation(&self, request: &HttpRequest) -> Option<&Value> {
        let pattern = request.match_pattern()?;
        self.paths.get(pattern)?.get(request.method().as_str().to_lowercase())
    }
}
