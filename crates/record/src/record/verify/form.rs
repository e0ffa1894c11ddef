//! Check 1: every line is the canonical form of a header, an event or a footer, and the header is valid.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeOwned, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::footer::FooterLine;
use super::line::EventLine;
use super::{Check, Failure, Location, MAX_VALUE_BYTES, Why};
use crate::record::canonical;
use crate::record::event::Event;
use crate::record::hash::Hash;
use crate::record::header::Header;
use crate::rules::RuleSet;

/// A record whose lines are well-formed.
pub struct Form<'a> {
    pub header: Header,
    /// The header's hash.
    pub salt: Hash,
    pub rules: &'static dyn RuleSet,
    pub events: Vec<EventLine<'a>>,
    pub footer: Option<FooterLine>,
}

fn failure(place: Location, why: impl Into<Why>) -> Failure {
    Failure::new(Check::Form, place, why)
}

/// Reads the record line by line.
pub fn check(record: &[u8]) -> Result<Form<'_>, Failure> {
    let mut lines = record.split_inclusive(|byte| *byte == b'\n');
    let first = lines.next().ok_or_else(|| failure(Location::Header, "the record is empty"))?;
    let (header, rules) = read_header(first).map_err(|why| failure(Location::Header, why))?;
    let salt = header.salt();
    let mut events = Vec::new();
    let mut footer = None;
    let mut lines = lines.peekable();
    while let Some(line) = lines.next() {
        let last = lines.peek().is_none();
        let place = Location::Event(events.len() as u64);
        if let Some(event) = read_event(line) {
            events.push(event);
            continue;
        }
        // This line is a footer or fails, so a good message matters more than speed.
        let value = read_line(line).map_err(|why| {
            // A damaged last line that was meant as the footer is reported as the footer.
            let place = if last && looks_like_footer(line) { Location::Footer } else { place };
            failure(place, why)
        })?;
        if !is_footer(&value) {
            return Err(failure(place, why_no_event(value)));
        }
        if !last {
            return Err(failure(place, "nothing may follow the footer"));
        }
        footer = Some(read::<FooterLine>(&value).map_err(|why| failure(Location::Footer, why))?);
    }
    if events.is_empty() {
        return Err(failure(Location::Event(0), "the record has no event"));
    }
    Ok(Form { header, salt, rules, events, footer })
}

/// One canonical object and its line feed.
fn read_line(line: &[u8]) -> Result<Value, String> {
    let Some(text) = line.strip_suffix(b"\n") else {
        return Err("the line does not end with a line feed".into());
    };
    if text.len() > MAX_VALUE_BYTES {
        return Err(format!(
            "the line is not in the form of an event, and all others have at most {MAX_VALUE_BYTES} bytes"
        ));
    }
    let value: Value = serde_json::from_slice(text).map_err(|error| format!("no JSON: {error}"))?;
    if !value.is_object() {
        return Err("the line is no object".into());
    }
    let canonical = canonical::to_bytes(&value).map_err(|error| error.to_string())?;
    if canonical != text {
        return Err("the line is not in canonical form (RFC 8785)".into());
    }
    Ok(value)
}

/// Reads a value that is exactly what its type would write: serde also accepts a list for an object, and other formats of an
/// id.
fn read<T: DeserializeOwned + Serialize>(value: &Value) -> Result<T, String> {
    let read = T::deserialize(value).map_err(|error| error.to_string())?;
    let written = serde_json::to_value(&read).map_err(|error| error.to_string())?;
    if written != *value {
        return Err("a member is not in the form that the protocol gives it".into());
    }
    Ok(read)
}

fn read_header(line: &[u8]) -> Result<(Header, &'static dyn RuleSet), String> {
    let value = read_line(line)?;
    let header: Header = read(&value)?;
    let rules = header.check().map_err(|refused| refused.to_string())?;
    Ok((header, rules))
}

fn read_event(line: &[u8]) -> Option<EventLine<'_>> {
    EventLine::read(line.strip_suffix(b"\n")?).ok()
}

/// Why a canonical object is no event, in words. The fast parser has refused it already.
fn why_no_event(value: Value) -> String {
    let event: Event = match read(&value) {
        Ok(event) => event,
        Err(why) => return why,
    };
    let typed = |value: &Value| value.get("type").is_some_and(Value::is_string);
    if !typed(&event.action) || !event.effects.iter().all(typed) {
        return "actions and effects are objects with a `type`".into();
    }
    "the line is not in the form of an event".into()
}

fn is_footer(value: &Value) -> bool {
    value.get("master").is_some() || value.get("head").is_some()
}

/// Whether a line of any length is an object with a member of a footer. Nothing of it is kept in memory.
fn looks_like_footer(line: &[u8]) -> bool {
    let text = std::str::from_utf8(line).ok();
    let members = text.and_then(|text| serde_json::from_str::<FooterMembers>(text).ok());
    members.is_some_and(|FooterMembers(found)| found)
}

/// Whether an object has a member that only footers have.
struct FooterMembers(bool);

impl<'de> Deserialize<'de> for FooterMembers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MemberNames).map(Self)
    }
}

/// Visits the names of an object's members.
struct MemberNames;

impl<'de> Visitor<'de> for MemberNames {
    type Value = bool;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<bool, A::Error> {
        let mut found = false;
        while let Some(name) = members.next_key::<Cow<'_, str>>()? {
            found |= name == "master" || name == "head";
            members.next_value::<IgnoredAny>()?;
        }
        Ok(found)
    }
}
