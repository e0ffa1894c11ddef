//! Reads canonical JSON without building values. It accepts only the exact bytes that the writer would write, so a text that it
//! has read is known to be canonical.

use super::{MAX_INTEGER, utf16_order};

/// The deepest nesting of arrays and objects, as in `serde_json`.
pub const MAX_DEPTH: usize = 127;

/// The text is not the canonical form of a value that a record may contain, or not of the requested kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not in canonical form (RFC 8785)")]
pub struct NotCanonical;

type Scanned<T> = Result<T, NotCanonical>;

/// A position in a text of canonical JSON.
#[derive(Debug)]
pub struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    /// The number of open arrays and objects.
    depth: usize,
}

impl<'a> Scanner<'a> {
    /// Starts at the beginning of a text.
    ///
    /// # Errors
    /// The text is not UTF-8.
    pub fn new(text: &'a [u8]) -> Scanned<Self> {
        std::str::from_utf8(text).map_err(|_| NotCanonical)?;
        Ok(Self { text, at: 0, depth: 0 })
    }

    /// The number of bytes read.
    #[must_use]
    pub fn position(&self) -> usize {
        self.at
    }

    /// The text from `start` to the current position.
    #[must_use]
    pub fn since(&self, start: usize) -> &'a [u8] {
        &self.text[start..self.at]
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Reads exactly these bytes.
    ///
    /// # Errors
    /// Other bytes follow.
    pub fn literal(&mut self, bytes: &[u8]) -> Scanned<()> {
        if !self.text[self.at..].starts_with(bytes) {
            return Err(NotCanonical);
        }
        self.at += bytes.len();
        Ok(())
    }

    /// Reads these bytes if they follow.
    pub fn optional(&mut self, bytes: &[u8]) -> bool {
        self.literal(bytes).is_ok()
    }

    /// Checks that the text ends here.
    ///
    /// # Errors
    /// Text follows.
    pub fn end(&self) -> Scanned<()> {
        if self.at == self.text.len() { Ok(()) } else { Err(NotCanonical) }
    }

    /// Skips a value of any kind.
    ///
    /// # Errors
    /// No canonical value follows.
    pub fn value(&mut self) -> Scanned<()> {
        match self.peek().ok_or(NotCanonical)? {
            b'"' => self.string().map(drop),
            b'{' => self.object(|scanner, _| scanner.value()),
            b'[' => self.array(Self::value),
            b't' => self.literal(b"true"),
            b'f' => self.literal(b"false"),
            b'n' => self.literal(b"null"),
            _ => self.integer().map(drop),
        }
    }

    /// Reads an integer of at most 2⁵³ − 1 either side of zero.
    ///
    /// # Errors
    /// Something else follows, or the number is not canonical.
    pub fn integer(&mut self) -> Scanned<i64> {
        let negative = self.optional(b"-");
        let start = self.at;
        let mut value: u64 = 0;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value * 10 + u64::from(digit - b'0');
            if value > MAX_INTEGER {
                return Err(NotCanonical);
            }
            self.at += 1;
        }
        let digits = self.since(start);
        // At least one digit, no leading zero, and no sign for zero.
        if digits.is_empty() || (digits[0] == b'0' && (digits.len() > 1 || negative)) {
            return Err(NotCanonical);
        }
        let value = i64::try_from(value).map_err(|_| NotCanonical)?;
        Ok(if negative { -value } else { value })
    }

    /// Reads an integer that is not negative.
    ///
    /// # Errors
    /// As [`Scanner::integer`], or it is negative.
    pub fn natural(&mut self) -> Scanned<u64> {
        u64::try_from(self.integer()?).map_err(|_| NotCanonical)
    }

    /// Reads a string and returns it as written, with its escapes and without its quotes.
    ///
    /// # Errors
    /// Something else follows, or the string is not canonical.
    pub fn string(&mut self) -> Scanned<&'a [u8]> {
        self.literal(b"\"")?;
        let start = self.at;
        loop {
            match self.peek().ok_or(NotCanonical)? {
                b'"' => break,
                b'\\' => self.escape()?,
                0..0x20 => return Err(NotCanonical),
                _ => self.at += 1,
            }
        }
        let raw = self.since(start);
        self.at += 1;
        Ok(raw)
    }

    /// The escapes that RFC 8785 writes: short forms where they exist, else `\u00` and lower-case hex.
    fn escape(&mut self) -> Scanned<()> {
        let rest = &self.text[self.at..];
        self.at += match rest {
            [b'\\', b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 2,
            [b'\\', b'u', b'0', b'0', b'0', b'0'..=b'7' | b'b' | b'e' | b'f', ..]
            | [b'\\', b'u', b'0', b'0', b'1', b'0'..=b'9' | b'a'..=b'f', ..] => 6,
            _ => return Err(NotCanonical),
        };
        Ok(())
    }

    /// Reads an array; `entry` reads each of its entries.
    ///
    /// # Errors
    /// Something else follows, or `entry` fails.
    pub fn array(&mut self, mut entry: impl FnMut(&mut Self) -> Scanned<()>) -> Scanned<()> {
        self.open(b"[")?;
        if !self.optional(b"]") {
            loop {
                entry(self)?;
                if !self.optional(b",") {
                    break;
                }
            }
            self.literal(b"]")?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Reads an object; `member` gets each member's name as written and reads its value.
    ///
    /// # Errors
    /// Something else follows, members are not in order or repeated, or `member` fails.
    pub fn object(&mut self, mut member: impl FnMut(&mut Self, &'a [u8]) -> Scanned<()>) -> Scanned<()> {
        self.open(b"{")?;
        if !self.optional(b"}") {
            let mut before: Option<&[u8]> = None;
            loop {
                let name = self.string()?;
                if before.is_some_and(|before| !comes_before(before, name)) {
                    return Err(NotCanonical);
                }
                before = Some(name);
                self.literal(b":")?;
                member(self, name)?;
                if !self.optional(b",") {
                    break;
                }
            }
            self.literal(b"}")?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Counts an object whose brackets are read as literals towards [`MAX_DEPTH`].
    pub fn inside_an_object(&mut self) {
        self.depth += 1;
    }

    fn open(&mut self, bracket: &[u8]) -> Scanned<()> {
        self.literal(bracket)?;
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(NotCanonical) } else { Ok(()) }
    }
}

/// Whether one name, as written, sorts before another.
fn comes_before(first: &[u8], second: &[u8]) -> bool {
    let plain = |name: &[u8]| name.iter().all(|byte| byte.is_ascii() && *byte != b'\\');
    if plain(first) && plain(second) {
        return first < second;
    }
    match (unescaped(first), unescaped(second)) {
        (Some(first), Some(second)) => utf16_order(&first, &second).is_lt(),
        _ => false,
    }
}

fn unescaped(raw: &[u8]) -> Option<String> {
    serde_json::from_slice(&[b"\"", raw, b"\""].concat()).ok()
}

/// Whether a text is the canonical form of a value that a record may contain.
#[must_use]
pub fn is_canonical(text: &[u8]) -> bool {
    let scan = |text| {
        let mut scanner = Scanner::new(text)?;
        scanner.value()?;
        scanner.end()
    };
    scan(text).is_ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::record::canonical::to_bytes;

    /// The same answer, by parsing the value and writing it again.
    fn is_written_again(text: &[u8]) -> bool {
        let read = serde_json::from_slice::<Value>(text);
        read.is_ok_and(|value| to_bytes(&value).is_ok_and(|written| written == text))
    }

    #[test]
    fn a_text_is_canonical_if_writing_what_it_says_gives_it_back() {
        let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        let texts = [
            "null",
            "true",
            "false",
            "0",
            "-1",
            "9007199254740991",
            "-9007199254740991",
            "\"\"",
            "[]",
            "{}",
            "[1,2]",
            "{\"a\":1,\"b\":[{}]}",
            "\"\\u0000\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u001f \u{7f}\"",
            "{\"a\":{\"z\":[],\"y\":null},\"b\":3}",
            "{\"b\":1,\"a\":2}",
            "{\"a\":1,\"a\":2}",
            "",
            " 1",
            "1 ",
            "[1,]",
            "[,1]",
            "{\"a\":1,}",
            "{a:1}",
            "01",
            "-0",
            "-",
            "+1",
            "1.0",
            "1e3",
            "9007199254740992",
            "18446744073709551616",
            "99999999999999999999999999",
            "\"\\/\"",
            "\"\\u0041\"",
            "\"\\u000B\"",
            "\"\\u0008\"",
            "\"\\u000a\"",
            "\"\\u000c\"",
            "\"\\u000d\"",
            "\"\\u0009\"",
            "\"\\u00\"",
            "\"\\x\"",
            "\"\\ud800\"",
            "\"\\ud83d\\ude00\"",
            "\"\t\"",
            "\"",
            "nul",
            "nulll",
            "truefalse",
            "[1 ,2]",
            "[1, 2]",
            "{\"\u{1f600}\":2,\"\u{fb33}\":1}",
            "{\"\u{fb33}\":1,\"\u{1f600}\":2}",
            "{\"\\n\":1,\"\\t\":2}",
            "{\"\\t\":1,\"\\n\":2}",
            "{\"\\\"\":1,\"A\":2}",
            "{\"\\\\\":1,\"A\":2}",
            "{\"A\":2,\"\\\\\":1}",
            "[[]",
            "{]}",
        ];
        for text in texts.map(str::to_owned).into_iter().chain([deep(127), deep(128), deep(5000)]) {
            assert_eq!(is_canonical(text.as_bytes()), is_written_again(text.as_bytes()), "{text}");
        }
        assert!(!is_canonical(b"\"\xff\"") && !is_canonical(b"\"\xed\xa0\x80\""), "UTF-8");
    }

    proptest! {
        #[test]
        fn any_text_near_json_gets_the_same_answer_both_ways(
            value in json_values(),
            at in any::<prop::sample::Index>(),
            with in prop::sample::select(&b"0123456789abfntu\"\\{}[],:-+. eE\x00\x1f\x7f\xc3\xa9\xff"[..]),
        ) {
            let mut text = to_bytes(&value).expect("integers");
            prop_assert!(is_canonical(&text));
            let index = at.index(text.len());
            text[index] = with;
            prop_assert_eq!(is_canonical(&text), is_written_again(&text), "{:?}", String::from_utf8_lossy(&text));
            text.insert(index, with);
            prop_assert_eq!(is_canonical(&text), is_written_again(&text), "{:?}", String::from_utf8_lossy(&text));
        }
    }

    fn json_values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-20_i64..20).prop_map(Value::from),
            "[a-c\\u{0}-\\u{1f}\"\\\\\u{7f}é\u{fb33}\u{1f600}]{0,4}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[a-c\\u{0}-\\u{1f}\"\\\\é\u{fb33}\u{1f600}]{0,3}", inner, 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }
}
