//! What a keyboard sends, as `Input.dispatchKeyEvent` takes it.

use serde_json::{Value, json};

/// Keys with a name: the name, the number that Windows gives it, and what it types.
const NAMED: [(&str, u32, &str); 13] = [
    ("Backspace", 8, ""),
    ("Tab", 9, ""),
    ("Enter", 13, "\r"),
    ("Escape", 27, ""),
    ("PageUp", 33, ""),
    ("PageDown", 34, ""),
    ("End", 35, ""),
    ("Home", 36, ""),
    ("ArrowLeft", 37, ""),
    ("ArrowUp", 38, ""),
    ("ArrowRight", 39, ""),
    ("ArrowDown", 40, ""),
    ("Delete", 46, ""),
];

/// Pressing a key and letting it go.
pub fn events(key: &str) -> Option<[Value; 2]> {
    let named = NAMED.iter().find(|(name, ..)| *name == key);
    let (code, number, typed) = match (named, key.len()) {
        (Some((name, number, typed)), _) => ((*name).to_owned(), *number, *typed),
        (None, 1) => character(key.as_bytes()[0], key)?,
        _ => return None,
    };
    let of = |kind: &str| json!({"type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number});
    let mut down = of(if typed.is_empty() { "rawKeyDown" } else { "keyDown" });
    if !typed.is_empty() {
        down["text"] = json!(typed);
    }
    Some([down, of("keyUp")])
}

/// The key of a printable character of ASCII.
fn character(byte: u8, typed: &str) -> Option<(String, u32, &str)> {
    let upper = byte.to_ascii_uppercase();
    let code = match byte {
        b' ' => "Space".to_owned(),
        _ if byte.is_ascii_alphabetic() => format!("Key{}", char::from(upper)),
        _ if byte.is_ascii_digit() => format!("Digit{}", char::from(byte)),
        _ if byte.is_ascii_graphic() => String::new(),
        _ => return None,
    };
    // The numbers of other characters differ between keyboards.
    let number = if byte == b' ' || byte.is_ascii_alphanumeric() { u32::from(upper) } else { 0 };
    Some((code, number, typed))
}
