//! Conditional requests (RFC 9110, section 13): `ETag` and `If-None-Match` on answers that clients fetch again and again, and `If-Match`
//! on requests that act in a game.
//!
//! Tags are weak: views count the seconds that are left, and answers may be compressed. A tag is a digest of what its viewer is shown,
//! so it tells nothing else.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{CACHE_CONTROL, ETAG, HeaderName, HeaderValue, IF_MATCH, IF_NONE_MATCH};
use actix_web::{FromRequest, HttpRequest, HttpResponse, HttpResponseBuilder};
use serde::Serialize;

use super::problem::{Code, Problem};
use pippost_keys::secret::weak_tag;
use pippost_store::Seq;

/// The most tags that are read of one request.
pub const MAX_TAGS: usize = 16;

/// A client may keep such an answer for itself, and must ask each time whether it is still right.
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("private, no-cache");

/// The `ETag` of an answer.
#[derive(Clone, Debug)]
pub struct EntityTag(HeaderValue);

impl EntityTag {
    /// A tag as it is written in a header, such as `W/"abc"`.
    ///
    /// # Panics
    /// If it is not ASCII.
    #[must_use]
    pub fn written(text: impl Into<bytes::Bytes>) -> Self {
        Self(HeaderValue::from_maybe_shared(text.into()).expect("tags are ASCII"))
    }

    /// The tag of what identifies an answer, or of the answer itself.
    #[must_use]
    pub fn of(parts: &[&[u8]]) -> Self {
        Self::written(weak_tag(parts))
    }

    /// The tag of an answer's JSON.
    ///
    /// # Panics
    /// If it cannot be serialised.
    #[must_use]
    pub fn of_json(answer: &impl Serialize) -> Self {
        Self::of(&[&serde_json::to_vec(answer).expect("plain data")])
    }

    /// Whether the client has the answer with this tag already, by `If-None-Match`.
    #[must_use]
    pub fn is_known_to(&self, request: &HttpRequest) -> bool {
        let mut lines = request.headers().get_all(IF_NONE_MATCH).peekable();
        if lines.peek().is_none() {
            return false;
        }
        let own = self.0.as_bytes();
        let own = own.strip_prefix(b"W/").unwrap_or(own);
        // A line that cannot be read names no answer.
        lines.filter_map(read).any(|named| match named {
            Named::Any => true,
            Named::Tags(tags) => tags.iter().any(|tag| tag.opaque.as_bytes() == own),
        })
    }

    /// Answers 304 if the client has the answer already, and otherwise what `answer` gives.
    pub fn respond(
        &self,
        request: &HttpRequest,
        answer: impl FnOnce(HttpResponseBuilder) -> HttpResponse,
    ) -> HttpResponse {
        let is_known = self.is_known_to(request);
        let mut builder = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        builder.insert_header((ETAG, self.0.clone())).insert_header((CACHE_CONTROL, ASK_AGAIN));
        if is_known { builder.finish() } else { answer(builder) }
    }
}

/// The entity tags of a header.
#[derive(Debug, PartialEq, Eq)]
enum Named<'a> {
    /// `*`.
    Any,
    Tags(Vec<Tag<'a>>),
}

/// An entity tag of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tag<'a> {
    weak: bool,
    /// With its quotation marks.
    opaque: &'a str,
}

/// Reads a line of `If-Match` or `If-None-Match`; `None` if it is not as RFC 9110 says.
fn read(line: &HeaderValue) -> Option<Named<'_>> {
    let text = line.to_str().ok()?.trim();
    if text == "*" {
        return Some(Named::Any);
    }
    let mut tags = Vec::new();
    let mut rest = text;
    loop {
        // Empty members of a list are allowed.
        rest = rest.trim_start_matches([' ', '\t', ',']);
        if rest.is_empty() {
            return (!tags.is_empty()).then_some(Named::Tags(tags));
        }
        let (tag, after) = read_tag(rest)?;
        tags.push(tag);
        rest = after.trim_start_matches([' ', '\t']);
        if tags.len() > MAX_TAGS || !(rest.is_empty() || rest.starts_with(',')) {
            return None;
        }
    }
}

fn read_tag(text: &str) -> Option<(Tag<'_>, &str)> {
    let (weak, quoted) = text.strip_prefix("W/").map_or((false, text), |quoted| (true, quoted));
    let length = quoted.strip_prefix('"')?.find('"')? + 2;
    let (opaque, rest) = quoted.split_at(length);
    // Visible ASCII only; a space would end the tag in many readers.
    opaque.bytes().all(|byte| byte.is_ascii_graphic()).then_some((Tag { weak, opaque }, rest))
}

/// The condition of `If-Match` on a request that acts in a game: its tag is the `seq` of the newest event, as in `"42"`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IfMatch(Option<Vec<Seq>>);

impl IfMatch {
    /// The events that the request allows to be the newest; `None` without a condition.
    ///
    /// # Errors
    /// The body says `expected_seq`, too, and it is not among them.
    pub fn with_body(self, expected_seq: Option<u64>) -> Result<Option<Vec<Seq>>, Problem> {
        let expected = expected_seq.map(Seq::from);
        match (&self.0, expected) {
            (Some(seqs), Some(expected)) if !seqs.contains(&expected) => {
                let why = "give `If-Match` or `expected_seq`, or the same event in both";
                Err(Problem::new(Code::PreconditionsDisagree).detail(why).with("field", "If-Match"))
            }
            _ => Ok(self.0),
        }
    }
}

impl FromRequest for IfMatch {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let mut lines = request.headers().get_all(IF_MATCH);
        ready(match (lines.next(), lines.next()) {
            (None, _) => Ok(Self(None)),
            (Some(line), None) => if_match(line),
            (Some(_), Some(_)) => Err(unreadable(&IF_MATCH)),
        })
    }
}

fn if_match(line: &HeaderValue) -> Result<IfMatch, Problem> {
    match read(line).ok_or_else(|| unreadable(&IF_MATCH))? {
        // Whoever has a seat knows that the game exists.
        Named::Any => Ok(IfMatch(None)),
        Named::Tags(tags) => {
            // A weak tag never matches here (RFC 9110, section 13.1.1), and no tag but a number is that of a game.
            let strong = tags.iter().filter(|tag| !tag.weak);
            Ok(IfMatch(Some(strong.filter_map(|tag| seq_of(tag.opaque)).collect())))
        }
    }
}

/// The number in a tag, in its one form: `"7"`, not `"07"`.
fn seq_of(opaque: &str) -> Option<Seq> {
    let text = opaque.trim_matches('"');
    let seq: u64 = text.parse().ok()?;
    (seq.to_string() == text).then(|| seq.into())
}

fn unreadable(name: &HeaderName) -> Problem {
    let name = match name.as_str() {
        "if-match" => "If-Match",
        other => other,
    };
    let why = format!("{name}: one line of entity tags, {MAX_TAGS} or fewer, such as \"42\", or *");
    Problem::new(Code::InvalidHeader).detail(why).with("field", name)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn known(own: &str, lines: &[&str]) -> bool {
        let with = |request: TestRequest, line: &&str| request.append_header((IF_NONE_MATCH, *line));
        let request = lines.iter().fold(TestRequest::default(), with).to_http_request();
        EntityTag::written(own.to_owned()).is_known_to(&request)
    }

    #[test]
    fn if_none_match_compares_weakly_any_of_a_list() {
        for lines in [
            &["W/\"a\""][..],
            &["\"a\""],
            &["*"],
            &["\"b\", W/\"a\""],
            &[" ,\"b\" ,, W/\"a\" ,"],
            &["\"b\"", "\"a\""],
            &["\"b,\",\"a\""],
        ] {
            assert!(known("W/\"a\"", lines), "{lines:?}");
        }
        for lines in [
            &[][..],
            &[""],
            &[","],
            &["a"],
            &["\"A\""],
            &["\"b\""],
            &["w/\"a\""],
            &["\"a"],
            &["\"a\" \"b\""],
            &["\"b,a\""],
            &["**"],
            &["*, \"b\""],
        ] {
            assert!(!known("W/\"a\"", lines), "{lines:?}");
        }
    }

    fn expected(line: &str) -> Result<Option<Vec<u64>>, Code> {
        let request = TestRequest::default().insert_header((IF_MATCH, line)).to_http_request();
        let read = IfMatch::from_request(&request, &mut Payload::None).into_inner();
        let seqs = read.map_err(|problem| problem.code())?.0;
        Ok(seqs.map(|seqs| seqs.into_iter().map(Seq::get).collect()))
    }

    #[test]
    fn if_match_compares_strongly() {
        assert_eq!(expected("\"42\""), Ok(Some(vec![42])));
        assert_eq!(expected("\"42\", \"43\""), Ok(Some(vec![42, 43])));
        assert_eq!(expected("*"), Ok(None));
        for never in ["W/\"42\"", "\"042\"", "\"+42\"", "\"\"", "\"x\"", "\"-1\"", "\"99999999999999999999\""]
        {
            assert_eq!(expected(never), Ok(Some(vec![])), "{never}");
        }
        let many = vec!["\"1\""; MAX_TAGS + 1].join(",");
        for unreadable in ["", "42", "\"42", "W/42", "\"4 2\"", "\"42\" \"43\"", &many] {
            assert_eq!(expected(unreadable), Err(Code::InvalidHeader), "{unreadable}");
        }
    }

    #[test]
    fn the_body_may_repeat_what_if_match_says_and_not_contradict_it() {
        let header = |seqs: &[u64]| IfMatch(Some(seqs.iter().copied().map(Seq::from).collect()));
        assert_eq!(header(&[1, 2]).with_body(Some(2)).ok(), Some(header(&[1, 2]).0));
        assert_eq!(header(&[1]).with_body(None).ok(), Some(header(&[1]).0));
        assert_eq!(IfMatch(None).with_body(Some(7)).ok(), Some(None));
        for seqs in [&[1, 3][..], &[]] {
            let refused = header(seqs).with_body(Some(2)).expect_err("another event");
            assert_eq!(refused.code(), Code::PreconditionsDisagree);
        }
    }
}
