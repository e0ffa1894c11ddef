//! JSON bodies. A body is an object, and a whole number may be written as in `7.0`: both are what JSON Schema says.

use std::fmt;
use std::marker::PhantomData;

use actix_web::dev::Payload;
use actix_web::http::Method;
use actix_web::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};
use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Number, Value};

use super::body;
use super::problem::{Code, Problem};
use super::text::MAX_EXACT;

/// The largest JSON body, in bytes: parsed, it takes up to forty times as much. The longest useful one is a message of 1,000
/// characters, each written as two escapes.
pub const MAX_JSON_BYTES: usize = 16 * 1024;

/// A body as it came, kept with its request in case that it is refused.
#[derive(Clone, Debug)]
pub struct SentBody(pub Bytes);

/// The body of a request: an object with the members of `T`.
#[derive(Clone, Copy, Debug)]
pub struct Body<T>(T);

impl<T> Body<T> {
    /// What was sent.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> std::ops::Deref for Body<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: DeserializeOwned + 'static> FromRequest for Body<T> {
    type Error = actix_web::Error;
    type Future = LocalBoxFuture<'static, Result<Self, actix_web::Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), web::Payload::from_request(request, payload));
        async move { Ok(parse(&sent(&request, payload.await?).await?).map(Self)?) }.boxed_local()
    }
}

/// What takes the place of an empty body, where a request has no need of one.
const NOTHING: &[u8] = b"{}";

/// The body of a request, which is kept with it, too.
async fn sent(request: &HttpRequest, payload: web::Payload) -> Result<Bytes, Problem> {
    let has_type = request.headers().contains_key(CONTENT_TYPE);
    if has_type && !is_json(request) {
        return Err(Problem::new(Code::UnsupportedMediaType));
    }
    let too_large = || Problem::new(Code::BodyTooLarge).detail(format!("at most {MAX_JSON_BYTES} bytes"));
    let length = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: u64| length > MAX_JSON_BYTES as u64) {
        return Err(too_large());
    }
    let mut body = body::read(payload, MAX_JSON_BYTES, too_large).await?;
    if body.is_empty() && *request.method() == Method::POST {
        body = Bytes::from_static(NOTHING);
    } else if !has_type {
        return Err(Problem::new(Code::UnsupportedMediaType));
    }
    request.extensions_mut().insert(SentBody(body.clone()));
    Ok(body)
}

fn is_json(request: &HttpRequest) -> bool {
    let Ok(Some(kind)) = request.mime_type() else { return false };
    let is = |name| name == "json";
    is(kind.subtype().as_str()) || kind.suffix().is_some_and(|suffix| is(suffix.as_str()))
}

/// Reads an object. What is JSON but does not fit is said by the document, not here.
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    let not_fitting = match serde_json::from_slice::<Object<T>>(body) {
        Ok(object) => return Ok(object.0),
        Err(error) => error,
    };
    let Err(broken) = serde_json::from_slice::<Value>(body) else {
        // Its words may hold what was sent, such as a password in the wrong member.
        let (line, column) = (not_fitting.line(), not_fitting.column());
        return Err(Problem::new(Code::InvalidValue).cause(format!("line {line}, column {column}")));
    };
    let problem = Problem::new(Code::MalformedBody);
    if body.is_empty() {
        return Err(problem);
    }
    let (line, column) = (broken.line(), broken.column());
    Err(problem.detail(format!("this is no JSON from line {line}, column {column}, on")))
}

/// Reads an object, and no list of its members' values, which derived types also take.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        object(from).map(Self)
    }
}

/// The same for a member.
///
/// # Errors
/// The value is no object, or cannot be read.
pub fn object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    struct Members<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
        type Value = T;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(members))
        }
    }

    from.deserialize_map(Members(PhantomData))
}

/// Reads a member that may be missing but not null.
///
/// # Errors
/// The value cannot be read.
pub fn not_null<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Reads a whole number or null.
///
/// # Errors
/// The value is something else, or too large.
pub fn whole<'de, T: TryFrom<i64>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    let Some(number) = Option::<Number>::deserialize(from)? else { return Ok(None) };
    fitting(&number).map(Some)
}

fn fitting<T: TryFrom<i64>, E: Error>(number: &Number) -> Result<T, E> {
    let whole = as_whole(number).and_then(|whole| T::try_from(whole).ok());
    whole.ok_or_else(|| E::custom(format!("{number} is not a whole number that is possible here")))
}

/// Reads a whole number.
///
/// # Errors
/// The value is something else, or too large.
pub fn whole_number<'de, T: TryFrom<i64>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    whole(from)?.ok_or_else(|| D::Error::custom("a whole number is expected, not null"))
}

/// Reads a list of whole numbers.
///
/// # Errors
/// The value is something else, or one of them is too large.
pub fn whole_numbers<'de, T: TryFrom<i64>, D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    Vec::<Number>::deserialize(from)?.iter().map(fitting).collect()
}

/// Reads an object or null.
///
/// # Errors
/// The value is something else, or cannot be read.
pub fn object_or_null<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    Ok(Option::<Object<T>>::deserialize(from)?.map(|object| object.0))
}

fn as_whole(number: &Number) -> Option<i64> {
    #[allow(clippy::cast_precision_loss, reason = "every number up to it is exact")]
    const LARGEST: f64 = MAX_EXACT as f64;
    let written_whole = |number: f64| (number.fract() == 0.0 && number.abs() <= LARGEST).then_some(number);
    #[allow(clippy::cast_possible_truncation, reason = "it has no fraction and is small enough")]
    let cut = |number: f64| number as i64;
    let exact = |number: &i64| number.unsigned_abs() <= MAX_EXACT;
    number
        .as_i64()
        .filter(exact)
        .or_else(|| number.as_f64().filter(|_| number.is_f64()).and_then(written_whole).map(cut))
}

/// Writes whole numbers without a fraction, wherever they stand.
pub fn make_whole(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            if let Some(whole) = as_whole(number) {
                *number = whole.into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(make_whole),
        Value::Object(members) => members.values_mut().for_each(make_whole),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Wanted {
        #[serde(default, deserialize_with = "whole")]
        hours: Option<i32>,
    }

    fn read(value: Value) -> Result<Option<i32>, serde_json::Error> {
        serde_json::from_value::<Object<Wanted>>(value).map(|read| read.0.hours)
    }

    #[test]
    fn a_body_is_an_object_and_no_list() {
        assert_eq!(read(json!({"hours": 7})).ok(), Some(Some(7)));
        assert_eq!(read(json!({})).ok(), Some(None));
        for other in [json!([7]), json!([]), json!(7), json!(null), json!("hours")] {
            assert!(read(other.clone()).is_err(), "{other}");
        }
    }

    #[test]
    fn whole_numbers_are_whole_however_they_are_written() {
        assert_eq!(read(json!({"hours": 7.0})).ok(), Some(Some(7)));
        assert_eq!(read(json!({"hours": null})).ok(), Some(None));
        for other in [
            json!(7.5),
            json!(1e300),
            json!(3_000_000_000_u64),
            json!(u64::MAX),
            json!(1_u64 << 53),
            json!("7"),
        ] {
            assert!(read(json!({"hours": other})).is_err(), "{other}");
        }
        assert_eq!(whole_numbers::<u8, _>(json!([1.0, 7])).ok(), Some(vec![1, 7]));
        for other in [json!([1.5]), json!([256]), json!(["1"]), json!([null]), json!(1), json!(null)] {
            assert!(whole_numbers::<u8, _>(other.clone()).is_err(), "{other}");
        }
        let mut value =
            json!({"size": 4.0, "list": [1.0, 1.5, {"deep": -2.0}], "text": "4.0", "large": 1e300});
        make_whole(&mut value);
        assert_eq!(value.to_string(), r#"{"large":1e+300,"list":[1,1.5,{"deep":-2}],"size":4,"text":"4.0"}"#);
    }
}
