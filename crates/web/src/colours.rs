//! The colour of a server's links and buttons, for light and for dark pages, with the colours that follow from it.

use aws_lc_rs::digest::{SHA256, digest};

use super::branding::BrandingRefused;

/// The least contrast of text to its ground (WCAG 2.2, 1.4.3).
const MIN_CONTRAST: f64 = 4.5;

/// The bytes of the hash in the address of the style sheet.
const HASH_BYTES: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Colour([u8; 3]);

/// What the pages of one theme stand on, as `site.css` has it, and what is written on buttons.
struct Ground {
    theme: &'static str,
    grounds: [(&'static str, Colour); 2],
    /// The text on the colour.
    ink: Colour,
    /// What the colour is mixed with where a pointer is on it, and how much of that, in percent.
    towards: Colour,
    by_percent: u16,
}

const LIGHT: Ground = Ground {
    theme: "light",
    grounds: [("the ground", Colour([0xfb, 0xfa, 0xf7])), ("cards", Colour([0xff, 0xff, 0xff]))],
    ink: Colour([0xff, 0xff, 0xff]),
    towards: Colour([0, 0, 0]),
    by_percent: 22,
};

const DARK: Ground = Ground {
    theme: "dark",
    grounds: [("the ground", Colour([0x16, 0x19, 0x1e])), ("cards", Colour([0x1f, 0x24, 0x2b]))],
    ink: Colour([0x0b, 0x0d, 0x10]),
    towards: Colour([0xff, 0xff, 0xff]),
    by_percent: 30,
};

/// How much of the colour the ground of marked text has, in percent.
const PAPER_PERCENT: u16 = 12;

/// The style sheet of a server's colours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colours {
    css: String,
    hash: String,
    light: String,
}

impl Colours {
    /// The colours that a setting names, as in `#0a6c74,#5cc4cc`: for light pages, and for dark ones.
    ///
    /// # Errors
    /// It names other than two colours, or one that cannot be read on the pages.
    pub fn parse(setting: &str) -> Result<Self, BrandingRefused> {
        let both = setting.split_once(',').and_then(|(light, dark)| Some((colour(light)?, colour(dark)?)));
        let (light, dark) = both.ok_or_else(|| {
            BrandingRefused::new("two colours are named, for light and dark pages, as in #0a6c74,#5cc4cc")
        })?;
        let (of_light, of_dark) = (properties(light, &LIGHT)?, properties(dark, &DARK)?);
        let css = format!(
            ":root {{ {of_light} }}\n\
             @media screen and (prefers-color-scheme: dark) {{ :root:not([data-theme=light]) {{ {of_dark} }} }}\n\
             @media screen {{ :root[data-theme=dark] {{ {of_dark} }} }}\n"
        );
        let hash = hex::encode(&digest(&SHA256, css.as_bytes()).as_ref()[..HASH_BYTES]);
        Ok(Self { css, hash, light: written(light) })
    }

    /// The style sheet.
    #[must_use]
    pub fn css(&self) -> &str {
        &self.css
    }

    /// The hash in its address.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The colour on light pages.
    #[must_use]
    pub fn light(&self) -> &str {
        &self.light
    }
}

fn colour(text: &str) -> Option<Colour> {
    let mut bytes = [0; 3];
    hex::decode_to_slice(text.trim().strip_prefix('#')?, &mut bytes).ok()?;
    Some(Colour(bytes))
}

fn written(Colour(bytes): Colour) -> String {
    format!("#{}", hex::encode(bytes))
}

/// The properties of `site.css` that follow from a colour.
fn properties(colour: Colour, ground: &Ground) -> Result<String, BrandingRefused> {
    for (what, under) in ground.grounds {
        expect_contrast(colour, under, ground.theme, what)?;
    }
    expect_contrast(colour, ground.ink, ground.theme, "the words on buttons")?;
    let strong = mixed(colour, ground.towards, ground.by_percent);
    let paper = mixed(ground.grounds[0].1, colour, PAPER_PERCENT);
    Ok(format!(
        "--accent: {}; --accent-strong: {}; --accent-ink: {}; --accent-paper: {};",
        written(colour),
        written(strong),
        written(ground.ink),
        written(paper)
    ))
}

fn expect_contrast(colour: Colour, other: Colour, theme: &str, what: &str) -> Result<(), BrandingRefused> {
    let contrast = contrast(colour, other);
    if contrast >= MIN_CONTRAST {
        return Ok(());
    }
    // Rounded down, so that it never reads as what is needed.
    let contrast = (contrast * 10.0).floor() / 10.0;
    Err(BrandingRefused::new(format!(
        "{} has a contrast of {contrast:.1} to {what} of {theme} pages ({}); it needs {MIN_CONTRAST}",
        written(colour),
        written(other)
    )))
}

/// `one` with so much of `other`.
fn mixed(Colour(one): Colour, Colour(other): Colour, percent: u16) -> Colour {
    let mix = |index: usize| {
        let sum = u16::from(one[index]) * (100 - percent) + u16::from(other[index]) * percent;
        u8::try_from(sum / 100).unwrap_or(u8::MAX)
    };
    Colour([mix(0), mix(1), mix(2)])
}

/// The contrast of two colours, from 1 to 21, as WCAG 2.2 defines it.
fn contrast(one: Colour, other: Colour) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

fn luminance(Colour(bytes): Colour) -> f64 {
    let [red, green, blue] = bytes.map(|byte| {
        let share = f64::from(byte) / 255.0;
        if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrast_is_that_of_wcag() {
        let (white, black) = (Colour([0xff; 3]), Colour([0; 3]));
        assert!((contrast(white, black) - 21.0).abs() < 1e-9);
        assert!((contrast(Colour([0x76; 3]), white) - 4.54).abs() < 0.01);
        assert!((contrast(Colour([0x77; 3]), white) - 4.48).abs() < 0.01);
    }

    #[test]
    fn colours_that_can_be_read_become_properties() {
        let colours = Colours::parse("#0A6C74, #5cc4cc").expect("the usual ones");
        assert_eq!(colours.light(), "#0a6c74");
        assert!(
            colours.css().starts_with(":root { --accent: #0a6c74; --accent-strong: "),
            "{}",
            colours.css()
        );
        assert_eq!(colours.css().matches("--accent: #5cc4cc;").count(), 2);
        assert_ne!(colours.hash(), Colours::parse("#0a6c75,#5cc4cc").expect("others").hash());
    }

    #[test]
    fn colours_that_cannot_be_read_are_refused_with_the_reason() {
        let why = |setting: &str| Colours::parse(setting).expect_err("a refusal").to_string();
        assert!(why("#5cc4cc,#5cc4cc").contains("of light pages"), "{}", why("#5cc4cc,#5cc4cc"));
        assert!(why("#0a6c74,#0a6c74").contains("of dark pages"), "{}", why("#0a6c74,#0a6c74"));
        assert!(
            why("#767676,#5cc4cc").contains("contrast of 4.3 to the ground"),
            "{}",
            why("#767676,#5cc4cc")
        );
        for wrong in [
            "",
            "#0a6c74",
            "teal,aqua",
            "#0a6c74,#5cc4cc,#000000",
            "#0a6c7,#5cc4cc",
            "#0a6c74;}body{,#5cc4cc",
        ] {
            assert!(why(wrong).starts_with("two colours are named"), "{wrong}");
        }
    }

    #[test]
    fn the_grounds_are_those_of_the_style_sheet() {
        let sheet = include_str!("../../../templates/site/site.css");
        for (ground, count) in [(LIGHT, 1), (DARK, 2)] {
            let [(_, page), (_, card)] = ground.grounds;
            let line = format!("--paper: {}; --card: {};", written(page), written(card));
            assert_eq!(sheet.matches(&line).count(), count, "{line}");
        }
    }
}
