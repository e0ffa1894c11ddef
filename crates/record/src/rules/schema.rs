//! The schemas of what rule sets read and write, made from their own types. The OpenAPI document names and joins them.
//!
//! Rule sets derive `utoipa::ToSchema`; where a type is written in a form of its own, [`named_schema`] describes that form.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use utoipa::openapi::schema::{
    AdditionalProperties, AnyOfBuilder, ArrayBuilder, Discriminator, KnownFormat, Object, ObjectBuilder,
    OneOfBuilder, SchemaFormat, Type,
};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

pub use utoipa::openapi::schema::Schema;

use super::registry;
use super::{Choose, RuleSet, Rules};

/// A schema, or a reference to one with a name.
pub type SchemaOrRef = RefOr<Schema>;

/// The member that says which action or effect an object is.
const TYPE: &str = "type";

/// What no schema says about actions.
const LEGALITY: &str = "`/actions` lists the legal ones; others are `illegal_action`, and what is not well-formed is \
    `unreadable_action`.";

/// What no schema says about options.
const POSSIBILITY: &str = "Options that are not possible are refused with `invalid_options`.";

/// Describes a type that is written in a form of its own; `with Group` names a type that the schema refers to.
#[macro_export]
macro_rules! named_schema {
    ($kind:ty, $name:literal, $schema:expr $(, with $($part:ty),+)?) => {
        impl utoipa::PartialSchema for $kind {
            fn schema() -> $crate::rules::schema::SchemaOrRef {
                $schema.into()
            }
        }

        impl utoipa::ToSchema for $kind {
            fn name() -> std::borrow::Cow<'static, str> {
                $name.into()
            }

            $(fn schemas(found: &mut Vec<(String, $crate::rules::schema::SchemaOrRef)>) {
                $($crate::rules::schema::add_with_parts::<$part>(found);)+
            })?
        }
    };
}

pub use named_schema;

/// The schema of a text of that pattern.
#[must_use]
pub fn text(pattern: &str, description: &str) -> Schema {
    let text = ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern));
    text.description(Some(description)).build().into()
}

/// The schema of a point in time.
#[must_use]
pub fn date_time(description: &str) -> Schema {
    let format = SchemaFormat::KnownFormat(KnownFormat::DateTime);
    let text = ObjectBuilder::new().schema_type(Type::String).format(Some(format));
    text.description(Some(description)).build().into()
}

/// The schema of a whole number within bounds.
#[must_use]
pub fn number(bounds: RangeInclusive<u16>, description: &str) -> Schema {
    let number = ObjectBuilder::new().schema_type(Type::Integer);
    let number = number.minimum(Some(*bounds.start())).maximum(Some(*bounds.end()));
    number.description(Some(description)).build().into()
}

/// The schema of one of a few numbers.
#[must_use]
pub fn one_of_numbers(numbers: &[u8], description: &str) -> Schema {
    let number = ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some(numbers.to_vec()));
    number.description(Some(description)).build().into()
}

/// The schema of a list of different values of another type that has a name.
#[must_use]
pub fn set_of<T: ToSchema>(size: RangeInclusive<usize>, description: &str) -> Schema {
    let list = ArrayBuilder::new().items(Ref::from_schema_name(T::name())).unique_items(true);
    let list = list.min_items(Some(*size.start())).max_items(Some(*size.end()));
    list.description(Some(description)).build().into()
}

/// The schema of an object with any members: for what describes itself.
#[must_use]
pub fn free_object(description: &str) -> Schema {
    let any = AdditionalProperties::FreeForm(true);
    ObjectBuilder::new().additional_properties(Some(any)).description(Some(description)).build().into()
}

/// What the schema of a type is called.
#[must_use]
pub fn name_of<T: ToSchema>() -> String {
    T::name().into_owned()
}

/// One of the named schemas; several may fit, since rule sets choose their words by themselves.
#[must_use]
pub fn any_of(names: impl IntoIterator<Item = String>, description: &str) -> Schema {
    let references = names.into_iter().map(Ref::from_schema_name);
    let joined = references.fold(AnyOfBuilder::new(), AnyOfBuilder::item);
    joined.description(Some(description)).build().into()
}

/// Exactly one of the named schemas.
#[must_use]
pub fn one_of(names: impl IntoIterator<Item = String>, description: &str) -> Schema {
    let references = names.into_iter().map(Ref::from_schema_name);
    let joined = references.fold(OneOfBuilder::new(), OneOfBuilder::item);
    joined.description(Some(description)).build().into()
}

/// Adds the schema of a type and of all that it refers to.
pub fn add_with_parts<T: ToSchema>(found: &mut Vec<(String, SchemaOrRef)>) {
    found.push((name_of::<T>(), T::schema()));
    T::schemas(found);
}

/// The schemas of a rule set in one version: what each is called, and all of them by name.
#[derive(Clone)]
pub struct RuleSetSchemas {
    /// Complete options, as they are answered.
    pub options: String,
    /// Options as they are given: what has a default may be missing.
    pub given_options: String,
    pub action: String,
    /// An entry of the list of legal actions.
    pub offer: String,
    pub effect: String,
    pub view: String,
    pub all: BTreeMap<String, SchemaOrRef>,
}

impl RuleSetSchemas {
    /// Those of the rule set's types.
    #[must_use]
    pub fn of<R: Rules>() -> Self {
        let given_options = parts_of::<R::Options>();
        let options = R::Options::name().into_owned();
        let mut all = given_options.clone();
        let complete = all[&options].clone();
        let given = if has_properties(&complete) {
            let given = format!("Given{options}");
            all.insert(given.clone(), with_words(complete.clone(), POSSIBILITY));
            given
        } else {
            options.clone()
        };
        all.insert(options.clone(), written_whole(complete));
        let action = R::Action::name().into_owned();
        let actions = with_named_variants(&action, parts_of::<R::Action>());
        all.extend(actions.into_iter().map(|(name, schema)| {
            let schema = if name == action { with_words(schema, LEGALITY) } else { schema };
            (name, schema)
        }));
        let effect = R::Effect::name().into_owned();
        let effects = with_named_variants(&effect, parts_of::<R::Effect>());
        all.extend(effects.into_iter().map(|(name, schema)| (name, written_whole(schema))));
        let view = R::View::name().into_owned();
        all.extend(parts_of::<R::View>().into_iter().map(|(name, schema)| (name, written_whole(schema))));
        let offer = in_family(&action, "Offer");
        all.insert(offer.clone(), offer_of(&action));
        all.extend(parts_of::<Choose>());
        Self { options, given_options: given, action, offer, effect, view, all }
    }
}

fn parts_of<T: ToSchema>() -> BTreeMap<String, SchemaOrRef> {
    let mut found = Vec::new();
    add_with_parts::<T>(&mut found);
    found.into_iter().collect()
}

fn has_properties(schema: &SchemaOrRef) -> bool {
    matches!(schema, RefOr::T(Schema::Object(object)) if !object.properties.is_empty())
}

/// The schema with a further sentence in its description.
fn with_words(mut schema: SchemaOrRef, words: &str) -> SchemaOrRef {
    let description = match &mut schema {
        RefOr::T(Schema::Object(object)) => &mut object.description,
        RefOr::T(Schema::OneOf(joined)) => &mut joined.description,
        _ => return schema,
    };
    let said = description.take().into_iter().chain([words.to_owned()]);
    *description = Some(said.collect::<Vec<_>>().join(" "));
    schema
}

/// The schema of what the server writes: no member of an object is ever missing.
#[must_use]
pub fn written_whole(mut schema: SchemaOrRef) -> SchemaOrRef {
    if let RefOr::T(Schema::Object(object)) = &mut schema {
        object.required = object.properties.keys().cloned().collect();
    }
    schema
}

/// A legal action by itself, or a choice.
fn offer_of(action: &str) -> SchemaOrRef {
    let names = [action.to_owned(), name_of::<Choose>()];
    one_of(names, "A legal action, or a choice that stands for many.").into()
}

/// A name with another last word: `GooseAction` and `Offer` make `GooseOffer`.
fn in_family(name: &str, last: &str) -> String {
    format!("{}{last}", family_and_kind(name).0)
}

/// A name without its last word, and that word.
fn family_and_kind(name: &str) -> (&str, &str) {
    name.split_at(name.rfind(|letter: char| letter.is_ascii_uppercase()).unwrap_or_default())
}

/// Gives every variant of an enum with a `type` a schema and a name of its own, so that it can be told by its `type`.
#[must_use]
pub fn with_named_variants(
    name: &str,
    mut parts: BTreeMap<String, SchemaOrRef>,
) -> BTreeMap<String, SchemaOrRef> {
    let Some(RefOr::T(Schema::OneOf(mut joined))) = parts.remove(name) else {
        panic!("{name} is no enum with variants");
    };
    let (family, kind) = family_and_kind(name);
    let mut discriminator = Discriminator::new(TYPE);
    for item in &mut joined.items {
        let RefOr::T(Schema::Object(variant)) = item else { panic!("a variant of {name} is no object") };
        let tag = tag_of(variant).unwrap_or_else(|| panic!("a variant of {name} has no `{TYPE}`"));
        variant.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
        let own_name = format!("{family}{}{kind}", in_pascal_case(&tag));
        let reference = Ref::from_schema_name(&own_name);
        discriminator.mapping.insert(tag, reference.ref_location.clone());
        parts.insert(own_name, std::mem::replace(item, RefOr::Ref(reference)));
    }
    joined.discriminator = Some(discriminator);
    parts.insert(name.to_owned(), RefOr::T(Schema::OneOf(joined)));
    parts
}

fn tag_of(variant: &Object) -> Option<String> {
    let RefOr::T(Schema::Object(tag)) = variant.properties.get(TYPE)? else { return None };
    let [value] = tag.enum_values.as_deref()? else { return None };
    value.as_str().map(str::to_owned)
}

/// `not-your-turn` or `not_your_turn` as `NotYourTurn`.
#[must_use]
pub fn in_pascal_case(name: &str) -> String {
    let word = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split(['-', '_']).filter(|part| !part.is_empty()).map(word).collect()
}

/// Types that stand for those of any rule set; their schemas join what the registry holds.
macro_rules! of_any_rule_set {
    ($($(#[doc = $text:literal])+ $name:ident: $member:ident;)+) => {$(
        $(#[doc = $text])+
        #[derive(Debug)]
        pub enum $name {}

        impl PartialSchema for $name {
            fn schema() -> SchemaOrRef {
                let names: BTreeSet<String> =
                    registry::all().map(|rules| rules.schemas().$member).collect();
                any_of(names, concat!($($text),+).trim()).into()
            }
        }

        impl ToSchema for $name {
            fn schemas(found: &mut Vec<(String, SchemaOrRef)>) {
                found.extend(registry::all().flat_map(|rules| rules.schemas().all));
            }
        }
    )+};
}

of_any_rule_set! {
    /// Complete options of a rule set.
    RuleSetOptions: options;
    /// Options of a rule set. What is missing gets its default.
    RuleSetGivenOptions: given_options;
    /// An action of a rule set. `/actions` lists the legal ones.
    RuleSetAction: action;
    /// An entry of a list of legal actions.
    RuleSetOffer: offer;
    /// An effect of a rule set's action.
    RuleSetEffect: effect;
    /// What one viewer sees of a position.
    RuleSetView: view;
}

/// What a member that is of any rule set is for one of them, by the name of the former's schema.
#[must_use]
pub fn of_rule_set(any: &str, rules: &dyn RuleSet) -> Option<String> {
    let schemas = rules.schemas();
    let cases = [
        (RuleSetOptions::name(), schemas.options),
        (RuleSetGivenOptions::name(), schemas.given_options),
        (RuleSetAction::name(), schemas.action),
        (RuleSetOffer::name(), schemas.offer),
        (RuleSetEffect::name(), schemas.effect),
        (RuleSetView::name(), schemas.view),
    ];
    cases.into_iter().find(|(name, _)| name == any).map(|(_, of_rules)| of_rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_of_words() {
        assert_eq!(in_pascal_case("wild-goose"), "WildGoose");
        assert_eq!(in_pascal_case("not_your_turn"), "NotYourTurn");
        assert_eq!(family_and_kind("WildGooseAction"), ("WildGoose", "Action"));
        assert_eq!(in_family("GooseAction", "Offer"), "GooseOffer");
    }
}
