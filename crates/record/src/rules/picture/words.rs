//! Estimates the width of text. Fonts differ, so the estimate is on the wide side.

/// The widest common letters.
const WIDE: &str = "mwMW@%";
/// The narrowest common letters.
const NARROW: &str = "ijlftrI.,:;'!|()[] ";

/// The width of a character, as a fraction of the font size.
fn advance(character: char) -> f32 {
    match character {
        _ if WIDE.contains(character) => 0.95,
        _ if NARROW.contains(character) => 0.4,
        'A'..='Z' => 0.74,
        _ if character.is_ascii() => 0.62,
        _ => 1.0,
    }
}

/// The approximate width of bold text of that size, in units.
#[must_use]
pub fn width(text: &str, size: f32) -> f32 {
    text.chars().map(advance).sum::<f32>() * size
}

/// The text, or its longest beginning that fits into `room` with an ellipsis.
#[must_use]
pub fn fit(text: &str, size: f32, room: f32) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let room = room - size;
    let mut taken = 0.0;
    let kept = text.chars().take_while(|character| {
        taken += advance(*character) * size;
        taken <= room
    });
    let kept: String = kept.collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_fits_stays_and_a_longer_one_ends_in_an_ellipsis() {
        assert_eq!(fit("ann", 10.0, 30.0), "ann");
        assert_eq!(fit("annabel lee", 10.0, 55.0), "annabel…");
        assert_eq!(fit("ann", 10.0, 5.0), "…");
        assert!(width(&fit(&"w".repeat(90), 12.0, 100.0), 12.0) <= 100.0);
    }
}
