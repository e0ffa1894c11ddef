//! The schemas of notification preferences, made from the table of preferences.

use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, ObjectBuilder, OneOfBuilder, SchemaType, Type,
};
use utoipa::openapi::{Ref, RefOr, Schema};

use super::bodies::{NotificationPreferencesBody, QuietHoursBody};
use crate::games::LanguageName;
use pippost_accounts::TurnMails;
use pippost_accounts::preferences::{ALL, Group, Kind, Preference};
use pippost_clock::reminders::MAX_REMINDERS;
use pippost_http::text::{ReminderTime, ZoneName};
use pippost_record::rules::schema::{name_of, named_schema};

/// The form of times of day.
const TIME: &str = "^([01][0-9]|2[0-3]):[0-5][0-9]$";

/// All preferences.
pub enum NotificationPreferencesAnswer {}

/// The objects of groups in answers and in changes.
pub enum DigestPreferencesAnswer {}
pub enum DigestPreferencesBody {}
pub enum PushPreferencesAnswer {}
pub enum PushPreferencesBody {}

named_schema!(DigestPreferencesAnswer, "DigestPreferencesAnswer", object(Some(Group::Digest), Side::Answer));
named_schema!(DigestPreferencesBody, "DigestPreferencesBody", object(Some(Group::Digest), Side::Change));
named_schema!(PushPreferencesAnswer, "PushPreferencesAnswer", object(Some(Group::Push), Side::Answer));
named_schema!(PushPreferencesBody, "PushPreferencesBody", object(Some(Group::Push), Side::Change));

named_schema!(
    NotificationPreferencesAnswer,
    "NotificationPreferencesAnswer",
    object(None, Side::Answer),
    with TurnMails, QuietHoursBody, ReminderTime, DigestPreferencesAnswer, PushPreferencesAnswer
);

named_schema!(
    NotificationPreferencesBody,
    "NotificationPreferencesBody",
    object(None, Side::Change),
    with TurnMails, QuietHoursBody, ReminderTime, LanguageName, ZoneName, DigestPreferencesBody, PushPreferencesBody
);

/// Whether values are shown or changed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Answer,
    Change,
}

/// The schema of all preferences, or of a group.
fn object(group: Option<Group>, side: Side) -> Schema {
    let says = match (group, side) {
        (None, Side::Answer) => "Your notification preferences.",
        (Some(Group::Digest), Side::Answer) => {
            "What comes with the daily digest. Notices that you get by mail have no mail of their own then."
        }
        (Some(Group::Push), Side::Answer) => "What comes by web push to your browsers.",
        (_, Side::Change) => "Missing members stay as they are.",
    };
    let own = ALL.iter().filter(|preference| preference.group == group);
    let own = own.map(|preference| (preference.member(), property(preference, side)));
    let groups = Group::ALL.into_iter().filter(|_| group.is_none());
    let groups = groups.map(|group| (group.name(), Ref::from_schema_name(object_name(group, side)).into()));
    let mut object = ObjectBuilder::new().description(Some(says));
    for (member, schema) in own.chain(groups) {
        object = object.property(member, schema);
        if side == Side::Answer {
            object = object.required(member);
        }
    }
    if side == Side::Change {
        object = object.additional_properties(Some(AdditionalProperties::FreeForm(false)));
    }
    object.build().into()
}

fn object_name(group: Group, side: Side) -> String {
    match (group, side) {
        (Group::Digest, Side::Answer) => name_of::<DigestPreferencesAnswer>(),
        (Group::Digest, Side::Change) => name_of::<DigestPreferencesBody>(),
        (Group::Push, Side::Answer) => name_of::<PushPreferencesAnswer>(),
        (Group::Push, Side::Change) => name_of::<PushPreferencesBody>(),
    }
}

/// The schema of a value. In a change it may be null, which changes nothing.
fn property(preference: &Preference, side: Side) -> RefOr<Schema> {
    let says = preference.says.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    let says = Some(says).filter(|says| !says.is_empty());
    let is_change = side == Side::Change;
    let of_type = |kind: Type| {
        let kind = if is_change { SchemaType::Array(vec![kind, Type::Null]) } else { SchemaType::Type(kind) };
        ObjectBuilder::new().schema_type(kind)
    };
    match &preference.kind {
        Kind::Switch(_) => of_type(Type::Boolean).description(says).into(),
        Kind::Turns(_) if is_change => or_null(name_of::<TurnMails>(), says),
        Kind::Turns(_) => Ref::from_schema_name(name_of::<TurnMails>()).into(),
        Kind::Quiet(_) => or_null(name_of::<QuietHoursBody>(), says),
        Kind::Language(_) if is_change => or_null(name_of::<LanguageName>(), says),
        Kind::Zone(_) if is_change => or_null(name_of::<ZoneName>(), says),
        Kind::Language(_) | Kind::Zone(_) => of_type(Type::String).description(says).into(),
        Kind::Time(_) => {
            of_type(Type::String).description(says).pattern(Some(TIME)).examples(["08:00"]).into()
        }
        Kind::Reminders(_) => {
            let list = ArrayBuilder::new().items(Ref::from_schema_name(name_of::<ReminderTime>()));
            let list = list.unique_items(true).min_items(Some(1)).max_items(Some(MAX_REMINDERS));
            let list = if is_change {
                list.schema_type(SchemaType::Array(vec![Type::Array, Type::Null]))
            } else {
                list
            };
            list.description(says).examples([serde_json::json!(["50%", "24h"])]).into()
        }
    }
}

fn or_null(name: String, says: Option<String>) -> RefOr<Schema> {
    let mut reference = Ref::from_schema_name(name);
    reference.description = says.unwrap_or_default();
    OneOfBuilder::new().item(reference).item(ObjectBuilder::new().schema_type(Type::Null)).into()
}
