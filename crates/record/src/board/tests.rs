//! Every drawing is safe, readable and of the requested size. The drawings of the rule sets are tested beside them and in
//! `tests/api/pictures.rs`.

use resvg::usvg::roxmltree::{Document, Node};
use tiny_skia::Pixmap;

use super::*;
use crate::rules::Seat;
use crate::rules::picture::{Area, Role, at, edge, fill, text};

/// Text that is harmful if it is not escaped.
const HOSTILE: &str = "</text><script>alert('1')</script>&amp;\"]]><!-- \u{0}\u{1b}\u{ffff}\u{2028}";

/// The same without the characters that XML cannot represent.
const ESCAPED: &str = "</text><script>alert('1')</script>&amp;\"]]><!-- \u{fffd}\u{fffd}\u{fffd}\u{2028}";

fn sample(words: &str) -> Picture {
    let mut picture = Picture::new(words.to_owned(), words.to_owned(), 200.0);
    picture.rect(Area::new(10.0, 10.0, 50.5, 20.25), 3.0, fill(Role::LightCell).with_edge(Role::Ink, 1.0));
    picture.rect(Area::new(70.0, 10.0, 50.0, 20.0), 0.0, edge(Role::Highlight, 2.0).dashed());
    picture.circle(at(40.0, 80.0), 20.0, fill(Role::Seat(Seat(0))));
    picture.polygon([at(100.0, 60.0), at(140.0, 60.0), at(120.0, 100.0)], fill(Role::Seat(Seat(5))));
    picture.arrow(at(20.0, 150.0), at(120.0, 150.0), Role::Highlight, 4.0);
    picture.text(at(160.0, 100.0), text(14.0).bold().middle(), words);
    picture.text(at(310.0, 120.0), text(12.0).end().role(Role::Muted), words);
    picture
}

fn pixels(bytes: &[u8]) -> Pixmap {
    Pixmap::decode_png(bytes).expect("a PNG")
}

#[test]
fn every_text_is_escaped_and_nothing_in_a_picture_can_run_or_load_anything() {
    for theme in [Theme::Auto, Theme::Light, Theme::Dark] {
        let text = svg(&sample(HOSTILE), theme);
        let document = Document::parse(&text).expect("well formed");
        let known = ["svg", "title", "desc", "style", "rect", "circle", "polyline", "polygon", "text"];
        let mut texts = 0;
        for element in document.descendants().filter(Node::is_element) {
            let name = element.tag_name().name();
            assert!(known.contains(&name), "{name}");
            for attribute in element.attributes() {
                let name = attribute.name();
                assert!(!name.starts_with("on") && !name.contains("href") && name != "id", "{name}");
                assert!(!attribute.value().contains("url("), "{}", attribute.value());
            }
            if matches!(name, "title" | "desc" | "text") {
                assert_eq!(element.text(), Some(ESCAPED));
                texts += 1;
            }
        }
        assert_eq!(texts, 4);
    }
}

#[test]
fn title_and_description_come_first_for_those_who_listen() {
    let text = svg(&sample("ann & bob"), Theme::Light);
    let document = Document::parse(&text).expect("well formed");
    let root = document.root_element();
    assert_eq!((root.attribute("role"), root.attribute("viewBox")), (Some("img"), Some("0 0 320 200")));
    let first: Vec<_> = root.children().take(2).map(|child| child.tag_name().name()).collect();
    assert_eq!(first, ["title", "desc"]);
}

#[test]
fn only_a_picture_that_follows_the_reader_has_a_style_sheet_and_it_names_every_class() {
    let auto = svg(&sample("x"), Theme::Auto);
    assert!(auto.contains("<style>@media (prefers-color-scheme:dark){.pp-f-ground{fill:#16181d}"), "{auto}");
    let document = Document::parse(&auto).expect("well formed");
    let sheet = document.descendants().find(|node| node.has_tag_name("style")).and_then(|node| node.text());
    let sheet = sheet.expect("a style sheet");
    let classes = document.descendants().filter_map(|node| node.attribute("class"));
    let classes: Vec<_> = classes.flat_map(str::split_whitespace).collect();
    assert!(!classes.is_empty() && classes.iter().all(|class| sheet.contains(&format!(".{class}{{"))));
    for theme in [Theme::Light, Theme::Dark] {
        let text = svg(&sample("x"), theme);
        assert!(!text.contains("style") && !text.contains("class"), "{text}");
    }
    assert!(svg(&sample("x"), Theme::Dark).contains(r##"fill="#16181d""##));
}

#[test]
fn numbers_have_at_most_two_decimals_and_no_negative_zero() {
    let mut picture = Picture::new(String::new(), String::new(), 10.0);
    picture.circle(at(-0.001, 1.0 / 3.0), 12.5, fill(Role::Ink));
    let text = svg(&picture, Theme::Light);
    assert!(text.contains(r#"cx="0" cy="0.33" r="12.5""#), "{text}");
}

#[test]
fn a_png_is_as_wide_as_asked_keeps_its_shape_and_is_not_blank() {
    for (width, height) in [(MIN_WIDTH_PX, 40), (320, 200), (801, 501)] {
        let drawn = pixels(&png(&sample("hello"), width, Theme::Light).expect("a PNG"));
        assert_eq!((drawn.width(), drawn.height()), (width, height));
        assert!(drawn.pixels().iter().all(|pixel| pixel.alpha() == u8::MAX), "no pixel is transparent");
        let ground = drawn.pixel(0, 0).expect("a corner");
        let painted = drawn.pixels().iter().filter(|pixel| **pixel != ground).count();
        assert!(painted > drawn.pixels().len() / 100, "{painted} pixels");
    }
}

#[test]
fn a_png_outside_the_bounds_is_refused() {
    for width in [0, MIN_WIDTH_PX - 1, MAX_WIDTH_PX + 1, u32::MAX] {
        assert!(
            matches!(png(&sample("x"), width, Theme::Light), Err(PngError::Width(refused)) if refused == width)
        );
    }
    let tall = Picture::new(String::new(), String::new(), 1e9);
    assert!(matches!(png(&tall, 320, Theme::Light), Err(PngError::Height(_))));
    let flat = Picture::new(String::new(), String::new(), 0.0);
    assert!(matches!(png(&flat, 320, Theme::Light), Err(PngError::Height(0))));
}

#[test]
fn a_png_that_cannot_follow_the_reader_is_light() {
    let [auto, light, dark] =
        [Theme::Auto, Theme::Light, Theme::Dark].map(|theme| png(&sample("x"), 320, theme).expect("a PNG"));
    assert!(auto == light && light != dark);
}

/// One line of text as pixels.
fn line(words: &str, bold: bool) -> Vec<u8> {
    let mut picture = Picture::new(String::new(), String::new(), 40.0);
    let style = if bold { text(24.0).bold() } else { text(24.0) };
    picture.text(at(10.0, 30.0), style, words);
    png(&picture, 320, Theme::Light).expect("a PNG")
}

#[test]
fn the_shipped_fonts_have_both_weights_and_every_sign_that_is_drawn() {
    assert_ne!(line("a1", false), line("a1", true));
    let [empty, missing] = ["", "\u{e123}"].map(|words| line(words, false));
    for sign in (' '..='~').skip(1).chain("…≤×−•".chars()) {
        for bold in [false, true] {
            let drawn = line(&sign.to_string(), bold);
            assert!(drawn != empty && drawn != missing, "{sign}");
        }
    }
}

/// Relative luminance, as WCAG 2 defines it.
fn luminance(colour: &str) -> f64 {
    let part = |from: usize| {
        let value = u8::from_str_radix(&colour[from..from + 2], 16).expect("#rrggbb");
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

/// The contrast of two roles in the light theme and in the dark one, as WCAG 2 defines it.
fn contrasts(one: Role, other: Role) -> [f64; 2] {
    let (one, other) = (palette::colour(one), palette::colour(other));
    [(one.light, other.light), (one.dark, other.dark)].map(|(one, other)| {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    })
}

#[test]
fn text_stands_out_from_what_is_behind_it_and_pieces_from_each_other() {
    let mut pairs = vec![
        (Role::Ink, Role::Ground, 7.0),
        (Role::Ink, Role::Panel, 7.0),
        (Role::Muted, Role::Ground, 4.5),
        (Role::Muted, Role::Panel, 4.5),
        (Role::LightPieceInk, Role::LightPieceSide, 7.0),
        (Role::DarkPieceInk, Role::DarkPieceSide, 7.0),
        (Role::RedSuit, Role::Card, 4.5),
        (Role::BlackSuit, Role::Card, 7.0),
        (Role::LightPiece, Role::DarkPiece, 7.0),
        (Role::LightCell, Role::DarkCell, 2.0),
        (Role::Highlight, Role::Ground, 4.5),
        (Role::CardBackInk, Role::CardBack, 3.0),
    ];
    pairs.extend(Seat::all(8).map(|seat| (Role::OnSeat(seat), Role::Seat(seat), 3.0)));
    for (one, other, least) in pairs {
        for contrast in contrasts(one, other) {
            assert!(contrast >= least, "{one:?} on {other:?}: {contrast:.2}, not {least}");
        }
    }
}
