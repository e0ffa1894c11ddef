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
const NAMING_THEIR_RULES: [&str; 6] =
    ["Analysis", "Choices", "GameView", "LegalActions", "NewGameBody", "RecordHeader"];

/// Where references to schemas begin.
const SCHEMAS: &str = "#/components/schemas/";

/// Makes one object for every rule set of each body that names its rules.
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
    let mut parts: Vec<(String, Object)> = Vec::new();
    let names: BTreeSet<&str> = rules::all().map(RuleSet::name).collect();
    for rules in names {
        let own_name = in_pascal_case(rules) + name;
        let reference = Ref::from_schema_name(&own_name);
        let mut own = for_rule_set(any, rules);
        // To say it again in each of them would make the document a tenth larger.
        match parts.first() {
            None => {}
            Some((first, described)) => refer_to(&mut own, first, described),
        }
        discriminator.mapping.insert(rules.to_owned(), reference.ref_location.clone());
        joined = joined.item(reference);
        parts.push((own_name, own));
    }
    let parts = parts.into_iter().map(|(name, own)| (name, RefOr::T(Schema::Object(own)))).collect();
    (joined.discriminator(Some(discriminator)).build(), parts)
}

/// Leaves the description of what is the same in the first of them to it.
fn refer_to(own: &mut Object, first: &str, described: &Object) {
    for (name, property) in &mut own.properties {
        if described.properties.get(name) == Some(&*property) {
            leave_undescribed(property);
        }
    }
    own.description = Some(format!("Its members are described at `{first}`."));
}

fn leave_undescribed(property: &mut RefOr<Schema>) {
    match property {
        RefOr::T(Schema::Object(schema)) => schema.description = None,
        RefOr::T(Schema::OneOf(schema)) => schema.description = None,
        RefOr::T(Schema::AnyOf(schema)) => schema.description = None,
        RefOr::T(Schema::AllOf(schema)) => schema.description = None,
        RefOr::T(Schema::Array(schema)) => schema.description = None,
        RefOr::Ref(reference) => reference.description.clear(),
        RefOr::T(_) => {}
    }
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

fn description(property: &RefOr<Schema>) -> Option<&str> {
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
