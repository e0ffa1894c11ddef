//! Values that a client should not send.

/// A megabyte, and a little less than the largest body.
const LONG: [usize; 2] = [1 << 20, 16_000];

/// A value in an address.
pub struct AddressValue {
    pub bytes: Vec<u8>,
    /// The value breaks the HTTP request itself, so it is answered without a problem body, or not at all.
    pub breaks_http: bool,
}

/// For paths and queries, as written in the request line.
pub fn in_address() -> Vec<AddressValue> {
    let percent = [
        "",
        "+",
        "%00",
        "a%00b",
        "%2500",
        "%",
        "%0",
        "%zz",
        "%ff%fe",
        "%c0%80",
        "%ed%a0%80",
        "%f4%90%80%80",
        "%0d%0aX-Injected:%201",
        "%0a%0d%0a",
        "%1b%5b31m",
        "%7f",
        "%e2%80%ae",
        "%ef%bf%bf",
        "..%2f..%2fetc%2fpasswd",
        "%2e%2e",
        "'%3b%20drop%20table%20events%3b--",
        "%7b%22a%22%3a1%7d",
        "a&seq=1&seq=2",
        "=",
        "-1",
        "0",
        "1",
        "-0",
        "1e400",
        "0x10",
        "1.5",
        "NaN",
        "null",
        "true",
        "65536",
        "2147483648",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "00000000-0000-0000-0000-000000000000",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
        "%7Bid%7D",
    ];
    let mut values: Vec<AddressValue> = percent
        .iter()
        .map(|text| text.as_bytes().to_vec())
        .chain([
            "9".repeat(400).into_bytes(),
            "%f0%9f%8e%b2".repeat(400).into_bytes(),
            "x".repeat(8_000).into_bytes(),
        ])
        .map(|bytes| AddressValue { bytes, breaks_http: false })
        .collect();
    let broken = [
        b"\0".to_vec(),
        b"a b".to_vec(),
        b"\x7f".to_vec(),
        b"\xff\xfe".to_vec(),
        vec![b'x'; LONG[1]],
        vec![b'x'; LONG[0]],
    ];
    values.extend(broken.into_iter().map(|bytes| AddressValue { bytes, breaks_http: true }));
    values
}

/// For headers, as bytes.
pub fn in_header() -> Vec<AddressValue> {
    let fine: [&[u8]; 18] = [
        b"",
        b"\t",
        b"\xff\xfe",
        b"\xc3\xa4",
        b"\xed\xa0\x80",
        b"%00",
        b"\"",
        b";;;,,,",
        b"-1",
        b"1e400",
        b"18446744073709551616",
        b"null",
        b"Bearer",
        b"Bearer \xff",
        b"\\u0000",
        b"a,b;q=nan",
        b"for=\"[::\"",
        b"*/*;q=2",
    ];
    let mut values: Vec<AddressValue> = fine
        .iter()
        .map(|bytes| bytes.to_vec())
        .chain([vec![b'x'; 200], vec![b'x'; 5_000], vec![b','; 5_000]])
        .map(|bytes| AddressValue { bytes, breaks_http: false })
        .collect();
    let broken = [
        b"\0".to_vec(),
        b"a\0b".to_vec(),
        b"\x01".to_vec(),
        b"\x1b[31m".to_vec(),
        b"a\rb".to_vec(),
        vec![b'x'; LONG[1]],
        vec![b'x'; LONG[0]],
    ];
    values.extend(broken.into_iter().map(|bytes| AddressValue { bytes, breaks_http: true }));
    values
}

/// For any place in a JSON body, as written. Some are not JSON.
pub fn in_json() -> Vec<Vec<u8>> {
    let literals: [&[u8]; 55] = [
        b"null",
        b"true",
        b"0",
        b"1",
        b"-1",
        b"-0",
        b"0.5",
        b"1e308",
        b"1e400",
        b"-1e-400",
        b"32768",
        b"65536",
        b"2147483648",
        b"9223372036854775807",
        b"9223372036854775808",
        b"-9223372036854775808",
        b"-9223372036854775809",
        b"18446744073709551615",
        b"18446744073709551616",
        b"340282366920938463463374607431768211456",
        b"01",
        b"+1",
        b"NaN",
        b"[]",
        b"[null]",
        b"[[[[[[[[]]]]]]]]",
        b"{}",
        b"{\"\":0}",
        b"{\"\\u0000\":0}",
        b"{\"a\":0,\"a\":1}",
        b"[\"\\u0000\"]",
        b"\"\"",
        b"\" \"",
        b"\"\\u0000\"",
        b"\"a\\u0000b\"",
        b"\"\0\"",
        b"\"\\u0001\\u001b[31m\"",
        b"\"\n\"",
        b"\"\\r\\nX: 1\"",
        b"\"\\ud800\"",
        b"\"\\udc00\\ud800\"",
        b"\"\\ud83c\\udfb2\"",
        b"\"\\u202e\\ufeff\\uffff\"",
        b"\"\xff\xfe\"",
        b"\"\xed\xa0\x80\"",
        b"\"\xc0\x80\"",
        b"\"%00\"",
        b"\"'; drop table events; --\"",
        b"\"{{7*7}}<script>\"",
        b"\"a@b\\u0000.example.org\"",
        b"\"00000000-0000-0000-0000-000000000000\"",
        b"\"2026-99-99T99:99:99Z\"",
        b"\"9999999999-12-31T00:00:00Z\"",
        b"\"24:61\"",
        b"\"",
    ];
    let text = |text: String| format!("\"{text}\"").into_bytes();
    let mut values: Vec<Vec<u8>> = literals.iter().map(|bytes| bytes.to_vec()).collect();
    values.extend([
        text("x".repeat(300)),
        text("\u{1f3b2}".repeat(5_000)),
        text("\\u0007".repeat(5_000)),
        text("\\n".repeat(5_000)),
        text(";".repeat(4_000)),
        text("x".repeat(LONG[1])),
        text("x".repeat(LONG[0])),
        "9".repeat(20_000).into_bytes(),
        format!("[{}0]", "0,".repeat(20_000)).into_bytes(),
        [b"[".repeat(30_000), b"]".repeat(30_000)].concat(),
        b"{\"a\":".repeat(10_000),
    ]);
    values
}

/// Bodies that are not JSON.
pub fn whole_bodies() -> Vec<Vec<u8>> {
    let mail = |text: &str| {
        format!("From: a@example.org\r\nTo: b@example.org\r\nMessage-ID: <1@a>\r\n{text}").into_bytes()
    };
    vec![
        Vec::new(),
        b"\0".to_vec(),
        b"\xff\xfe\xfd".to_vec(),
        b"\n\n\n".to_vec(),
        b"{}".to_vec(),
        b"{\"hash\":\"\\u0000\"}\n{}\n".to_vec(),
        b"{\"seq\":0,\"hash\":\"\\ud800\"}\n".to_vec(),
        vec![b'['; 60_000],
        vec![b'\n'; 60_000],
        vec![0; 1 << 20],
        mail("Subject: \0\r\n\r\n\0\r\n"),
        mail("Subject: =?utf-8?b?AA==?=\r\nContent-Type: text/plain; charset=\"\0\"\r\n\r\nroll\r\n"),
        mail("Content-Type: multipart/mixed; boundary=\"\"\r\n\r\n----\r\n"),
        mail(&format!("Content-Type: text/html\r\n\r\n{}", "<div>".repeat(40_000))),
        mail(&format!("References: {}\r\n\r\nroll", "<a@b> ".repeat(20_000))),
    ]
}

/// Invalid tokens.
pub fn bad_tokens() -> Vec<Vec<u8>> {
    vec![
        b"Bearer a.b.c".to_vec(),
        b"Bearer \xff\xfe".to_vec(),
        b"Bearer %00".to_vec(),
        b"Bearer pippost_\\u0000".to_vec(),
        b"Basic Og==".to_vec(),
        [b"Bearer ".to_vec(), vec![b'x'; 9_000]].concat(),
        b"Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIifQ.".to_vec(),
        b"".to_vec(),
    ]
}
