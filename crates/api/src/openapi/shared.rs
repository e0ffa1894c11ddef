//! What would stand in the document many times stands there once, and unions hold no unions, which some
//! generators cannot read; integers of 32 bits in answers have no format.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use utoipa::openapi::path::{Operation, Parameter};
use utoipa::openapi::schema::{AdditionalProperties, ArrayItems, KnownFormat, OneOf, Schema, SchemaFormat};
use utoipa::openapi::{OpenApi, Ref, RefOr};

use super::parts::references;
use crate::declared::operations;

/// Where references to schemas begin.
const SCHEMAS: &str = "#/components/schemas/";

/// Moves each parameter that several operations have to the components.
pub fn share_parameters(document: &mut OpenApi) {
    let mut uses: Vec<(Parameter, String, usize)> = Vec::new();
    for operation in document.paths.paths.values_mut().flat_map(operations) {
        let tag = operation.tags.iter().flatten().next().cloned().unwrap_or_default();
        for parameter in inline(operation) {
            match uses.iter_mut().find(|(known, ..)| known == parameter) {
                Some((_, _, count)) => *count += 1,
                None => uses.push((parameter.clone(), tag.clone(), 1)),
            }
        }
    }
    let mut named: BTreeMap<String, RefOr<Parameter>> = BTreeMap::new();
    let mut names: Vec<(Parameter, String)> = Vec::new();
    for (parameter, tag, count) in uses {
        let candidates = [parameter.name.clone(), format!("{}-of-{tag}", parameter.name)];
        let free = candidates.into_iter().find(|name| !named.contains_key(name));
        if let Some(name) = free.filter(|_| count > 1) {
            named.insert(name.clone(), parameter.clone().into());
            names.push((parameter, name));
        }
    }
    for operation in document.paths.paths.values_mut().flat_map(operations) {
        for parameter in operation.parameters.iter_mut().flatten() {
            let RefOr::T(own) = &*parameter else { continue };
            if let Some((_, name)) = names.iter().find(|(known, _)| known == own) {
                *parameter = RefOr::Ref(Ref::new(format!("#/components/parameters/{name}")));
            }
        }
    }
    document.components.get_or_insert_default().parameters.extend(named);
}

fn inline(operation: &Operation) -> impl Iterator<Item = &Parameter> {
    operation.parameters.iter().flatten().filter_map(|parameter| match parameter {
        RefOr::T(parameter) => Some(parameter),
        RefOr::Ref(_) => None,
    })
}

/// Replaces each part of a union that is a union by that union's parts.
pub fn flatten_unions(document: &mut OpenApi) {
    let schemas = &mut document.components.get_or_insert_default().schemas;
    let unions: BTreeMap<String, Vec<RefOr<Schema>>> = schemas
        .iter()
        .filter_map(|(name, schema)| match schema {
            RefOr::T(Schema::OneOf(union)) => Some((format!("{SCHEMAS}{name}"), union.items.clone())),
            _ => None,
        })
        .collect();
    for schema in schemas.values_mut() {
        if let RefOr::T(Schema::OneOf(union)) = schema {
            flatten(union, &unions);
        }
    }
}

fn flatten(union: &mut OneOf, unions: &BTreeMap<String, Vec<RefOr<Schema>>>) {
    let parts = |item: &RefOr<Schema>| match item {
        RefOr::Ref(reference) => unions.get(&reference.ref_location),
        RefOr::T(_) => None,
    };
    while union.discriminator.is_none() && union.items.iter().any(|item| parts(item).is_some()) {
        let items = std::mem::take(&mut union.items);
        union.items =
            items.into_iter().flat_map(|item| parts(&item).cloned().unwrap_or_else(|| vec![item])).collect();
    }
}

/// What every generator takes an integer for that has no format.
const USUAL: SchemaFormat = SchemaFormat::KnownFormat(KnownFormat::Int32);

/// Leaves out the format of integers of 32 bits in what is only answered; in requests it bounds them.
pub fn leave_out_usual_formats(document: &mut OpenApi) {
    let sent = sent(document);
    for (name, schema) in &mut document.components.get_or_insert_default().schemas {
        if !sent.contains(&format!("{SCHEMAS}{name}")) {
            without_usual_format(schema);
        }
    }
}

/// References to the schemas of requests, and of what is in them.
fn sent(document: &OpenApi) -> BTreeSet<String> {
    let document = serde_json::to_value(document).expect("plain data");
    let items = document["paths"].as_object().into_iter().flat_map(Map::values);
    let mut unread = Vec::new();
    for operation in items.filter_map(Value::as_object).flat_map(Map::values) {
        references(&operation["requestBody"], &mut unread);
    }
    let mut found = BTreeSet::new();
    while let Some(reference) = unread.pop() {
        if let Some(value) = document.pointer(reference.trim_start_matches('#'))
            && found.insert(reference)
        {
            references(value, &mut unread);
        }
    }
    found
}

fn without_usual_format(schema: &mut RefOr<Schema>) {
    let RefOr::T(schema) = schema else { return };
    match schema {
        Schema::Object(object) => {
            object.format.take_if(|format| *format == USUAL);
            object.properties.values_mut().for_each(without_usual_format);
            if let Some(AdditionalProperties::RefOr(members)) = object.additional_properties.as_deref_mut() {
                without_usual_format(members);
            }
        }
        Schema::Array(list) => {
            if let ArrayItems::RefOrSchema(items) = &mut list.items {
                without_usual_format(items);
            }
        }
        Schema::OneOf(union) => union.items.iter_mut().for_each(without_usual_format),
        Schema::AnyOf(union) => union.items.iter_mut().for_each(without_usual_format),
        Schema::AllOf(union) => union.items.iter_mut().for_each(without_usual_format),
        _ => {}
    }
}
