//! Bodies that name their rule set: in the document each is one object for every rule set, told apart by `rules`.

use std::collections::BTreeSet;

use utoipa::openapi::schema::{
    AdditionalProperties, ArrayItems, Discriminator, Object, ObjectBuilder, OneOf, OneOfBuilder, Schema, Type,
};
use utoipa::openapi::{OpenApi, Ref, RefOr};

use super::rules::seats_of;
use pippost_record::rules::schema::{in_pascal_case, of_rule_set};
use pippost_record::rules::{self, RuleSet};

/// The member that names the rule set.
const RULES: &str = "rules";

/// The member that gives the number of players.
const SEATS: &str = "seats";

/// The bodies that have it.
const NAMING_THEIR_RULES: [&str; 7] =
    ["Analysis", "Choices", "GameView", "LegalActions", "NewGameBody", "NewTournamentBody", "RecordHeader"];

/// Where references to schemas begin.
const SCHEMAS: &str = "#/components/schemas/";

/// Makes one object for every rule set of each body that names its rules. What the body is stands once, where they are joined.
pub fn split(document: &mut OpenApi) {
    let components = document.components.get_or_insert_default();
    for name in NAMING_THEIR_RULES {
        let Some(RefOr::T(Schema::Object(any))) = components.schemas.remove(name) else {
            panic!("{name} is no object of the document");
        };
        let (joined, parts) = one_for_every_rule_set(name, &any);
        components.schemas.extend(parts);
        components.schemas.insert(name.to_owned(), RefOr::T(joined.into()));
    }
}

fn one_for_every_rule_set(name: &str, any: &Object) -> (OneOf, Vec<(String, RefOr<Schema>)>) {
    let mut discriminator = Discriminator::new(RULES);
    let mut joined = OneOfBuilder::new().description(any.description.clone());
    let mut parts = Vec::new();
    let names: BTreeSet<&str> = rules::all().map(RuleSet::name).collect();
    for rules in names {
        let own_name = in_pascal_case(rules) + name;
        let reference = Ref::from_schema_name(&own_name);
        discriminator.mapping.insert(rules.to_owned(), reference.ref_location.clone());
        joined = joined.item(reference);
        let mut own = for_rule_set(any, rules);
        own.description = None;
        if !parts.is_empty() {
            own.properties.values_mut().for_each(leave_undescribed);
        }
        parts.push((own_name, RefOr::T(Schema::Object(own))));
    }
    (joined.discriminator(Some(discriminator)).build(), parts)
}

fn for_rule_set(any: &Object, name: &str) -> Object {
    let mut own = any.clone();
    let description = own.properties.get(RULES).and_then(description).map(str::to_owned);
    let only = ObjectBuilder::new().schema_type(Type::String).enum_values(Some([name]));
    own.properties.insert(RULES.to_owned(), only.description(description).build().into());
    bound_seats(&mut own, name);
    for property in own.properties.values_mut() {
        narrow(property, name);
    }
    own
}

/// Where the number of players is given, it is one that some options allow.
fn bound_seats(body: &mut Object, name: &str) {
    let Some(RefOr::T(Schema::Object(seats))) = body.properties.get_mut(SEATS) else { return };
    let Some(possible) = seats_of(name) else { return };
    seats.minimum = Some((*possible.start()).into());
    seats.maximum = Some((*possible.end()).into());
}

/// Leaves the description of a member to another object: to that of the first rule set, or to what a client sends.
pub fn leave_undescribed(member: &mut RefOr<Schema>) {
    match member {
        RefOr::Ref(reference) => reference.description.clear(),
        RefOr::T(Schema::Object(object)) => object.description = None,
        RefOr::T(Schema::Array(list)) => list.description = None,
        RefOr::T(Schema::OneOf(joined)) => {
            joined.description = None;
            // Something or null: the description stands beside the reference.
            joined.items.iter_mut().for_each(leave_undescribed);
        }
        RefOr::T(Schema::AnyOf(joined)) => joined.description = None,
        RefOr::T(Schema::AllOf(joined)) => joined.description = None,
        RefOr::T(_) => {}
    }
}

/// What a member is.
#[must_use]
pub fn description(property: &RefOr<Schema>) -> Option<&str> {
    match property {
        RefOr::T(Schema::Object(object)) => object.description.as_deref(),
        _ => None,
    }
}

/// Points a reference to what is of any rule set at what is of this one, in all its versions.
fn narrow(schema: &mut RefOr<Schema>, name: &str) {
    match schema {
        RefOr::Ref(reference) => {
            let Some(any) = reference.ref_location.strip_prefix(SCHEMAS) else { return };
            let versions = rules::all().filter(|rules| rules.name() == name);
            let own: BTreeSet<String> = versions.filter_map(|rules| of_rule_set(any, rules)).collect();
            let mut own = own.into_iter().map(Ref::from_schema_name);
            match (own.next(), own.next()) {
                (None, _) => {}
                (Some(only), None) => reference.ref_location = only.ref_location,
                (Some(one), Some(other)) => {
                    let versions = [one, other].into_iter().chain(own);
                    let joined = versions.fold(OneOfBuilder::new(), OneOfBuilder::item);
                    *schema = RefOr::T(joined.build().into());
                }
            }
        }
        RefOr::T(Schema::OneOf(joined)) => joined.items.iter_mut().for_each(|item| narrow(item, name)),
        RefOr::T(Schema::AnyOf(joined)) => joined.items.iter_mut().for_each(|item| narrow(item, name)),
        RefOr::T(Schema::AllOf(joined)) => joined.items.iter_mut().for_each(|item| narrow(item, name)),
        RefOr::T(Schema::Array(list)) => {
            if let ArrayItems::RefOrSchema(items) = &mut list.items {
                narrow(items, name);
            }
        }
        RefOr::T(Schema::Object(object)) => {
            object.properties.values_mut().for_each(|property| narrow(property, name));
            if let Some(AdditionalProperties::RefOr(members)) = object.additional_properties.as_deref_mut() {
                narrow(members, name);
            }
        }
        RefOr::T(_) => {}
    }
}
