//! Writes a picture as SVG: shapes and text only, without scripts, links or external resources.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io;

use quick_xml::Writer;
use quick_xml::events::BytesText;

use super::{Theme, palette};
use crate::rules::picture::{Anchor, Paint, Picture, Point, Role, Shape, Stroke, Style, WIDTH, Weight};

/// The shipped font, and similar ones for systems without it.
const FONTS: &str = "'Open Sans','Noto Sans','Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/// The prefix of this file's classes: an SVG inside a page shares the page's classes.
const CLASS: &str = "pp";

/// The picture as an SVG document without a width, so it fills the available space.
///
/// Every shape carries its light (or, with [`Theme::Dark`], dark) colour; [`Theme::Auto`] adds a style sheet with the dark ones
/// for readers who prefer them.
#[must_use]
pub fn svg(picture: &Picture, theme: Theme) -> String {
    document(picture, theme).expect("memory takes all that is written")
}

/// The shapes alone, with the colours of [`Theme::Auto`] and without a style sheet, for an `svg` element of a page that has the dark
/// colours in its own.
///
/// # Panics
/// Never: memory takes all that is written.
#[must_use]
pub fn shapes(picture: &Picture) -> String {
    let mut shapes = Shapes { writer: Writer::new(Vec::new()), theme: Theme::Auto, classes: BTreeSet::new() };
    for shape in &picture.shapes {
        shapes.shape(shape).expect("memory takes all that is written");
    }
    String::from_utf8(shapes.writer.into_inner()).expect("written from text")
}

fn document(picture: &Picture, theme: Theme) -> io::Result<String> {
    // Shapes come first, because they determine the classes of the style sheet.
    let mut shapes = Shapes { writer: Writer::new(Vec::new()), theme, classes: BTreeSet::new() };
    for shape in &picture.shapes {
        shapes.shape(shape)?;
    }
    let sheet = style_sheet(&shapes.classes);
    let view_box = format!("0 0 {} {}", number(WIDTH), number(picture.height));
    let mut writer = Writer::new(Vec::new());
    let root = writer.create_element("svg").with_attributes([
        ("xmlns", "http://www.w3.org/2000/svg"),
        ("viewBox", view_box.as_str()),
        ("role", "img"),
        ("font-family", FONTS),
    ]);
    root.write_inner_content(|writer| {
        writer.create_element("title").write_text_content(BytesText::new(&clean(&picture.title)))?;
        writer.create_element("desc").write_text_content(BytesText::new(&clean(&picture.description)))?;
        if !sheet.is_empty() {
            writer.create_element("style").write_text_content(BytesText::new(&sheet))?;
        }
        io::Write::write_all(writer.get_mut(), &shapes.writer.into_inner())
    })?;
    Ok(String::from_utf8(writer.into_inner()).expect("written from text"))
}

type Attributes<'a> = Vec<(&'a str, Cow<'a, str>)>;

/// The shapes written so far.
struct Shapes {
    writer: Writer<Vec<u8>>,
    theme: Theme,
    /// The fills and strokes that the style sheet must name.
    classes: BTreeSet<(ColourProperty, Role)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ColourProperty {
    Fill,
    Stroke,
}

impl ColourProperty {
    fn property(self) -> &'static str {
        match self {
            Self::Fill => "fill",
            Self::Stroke => "stroke",
        }
    }

    fn class(self, role: Role) -> String {
        let letter = match self {
            Self::Fill => 'f',
            Self::Stroke => 's',
        };
        format!("{CLASS}-{letter}-{}", palette::name(role))
    }
}

impl Shapes {
    fn shape(&mut self, shape: &Shape) -> io::Result<()> {
        match shape {
            Shape::Rect { area, round, paint } => {
                let mut attributes = lengths([
                    ("x", area.x),
                    ("y", area.y),
                    ("width", area.width),
                    ("height", area.height),
                    ("rx", *round),
                ]);
                self.paint(&mut attributes, *paint);
                self.empty("rect", attributes)
            }
            Shape::Circle { centre, radius, paint } => {
                let mut attributes = lengths([("cx", centre.x), ("cy", centre.y), ("r", *radius)]);
                self.paint(&mut attributes, *paint);
                self.empty("circle", attributes)
            }
            Shape::Line { points, stroke } => {
                let mut attributes = vec![("points", coordinates(points).into())];
                self.paint(&mut attributes, Paint { fill: None, stroke: Some(*stroke) });
                attributes.extend([("stroke-linecap", "round".into()), ("stroke-linejoin", "round".into())]);
                self.empty("polyline", attributes)
            }
            Shape::Polygon { points, paint } => {
                let mut attributes = vec![("points", coordinates(points).into())];
                self.paint(&mut attributes, *paint);
                self.empty("polygon", attributes)
            }
            Shape::Text { at, style, text } => self.text(*at, *style, text),
        }
    }

    fn text(&mut self, at: Point, style: Style, text: &str) -> io::Result<()> {
        let mut attributes = lengths([("x", at.x), ("y", at.y), ("font-size", style.size)]);
        if style.weight == Weight::Bold {
            attributes.push(("font-weight", "700".into()));
        }
        match style.anchor {
            Anchor::Start => {}
            Anchor::Middle => attributes.push(("text-anchor", "middle".into())),
            Anchor::End => attributes.push(("text-anchor", "end".into())),
        }
        self.paint(&mut attributes, Paint { fill: Some(style.role), stroke: None });
        let element = self.writer.create_element("text").with_attributes(attributes);
        element.write_text_content(BytesText::new(&clean(text)))?;
        Ok(())
    }

    fn empty(&mut self, name: &'static str, attributes: Attributes<'_>) -> io::Result<()> {
        self.writer.create_element(name).with_attributes(attributes).write_empty()?;
        Ok(())
    }

    fn paint(&mut self, attributes: &mut Attributes<'_>, paint: Paint) {
        let mut classes = String::new();
        match paint.fill {
            Some(role) => attributes.push(("fill", self.colour(ColourProperty::Fill, role, &mut classes))),
            None => attributes.push(("fill", "none".into())),
        }
        if let Some(Stroke { role, width, dashed }) = paint.stroke {
            attributes.push(("stroke", self.colour(ColourProperty::Stroke, role, &mut classes)));
            attributes.push(("stroke-width", number(width).into()));
            if dashed {
                attributes.push(("stroke-dasharray", "3 3".into()));
            }
        }
        if !classes.is_empty() {
            attributes.push(("class", classes.into()));
        }
    }

    /// The colour of a part; if the theme may change, also records its class.
    fn colour(&mut self, part: ColourProperty, role: Role, classes: &mut String) -> Cow<'static, str> {
        let colour = palette::colour(role);
        if self.theme == Theme::Auto && colour.light != colour.dark {
            self.classes.insert((part, role));
            let gap = if classes.is_empty() { "" } else { " " };
            let _ = write!(classes, "{gap}{}", part.class(role));
        }
        if self.theme == Theme::Dark { colour.dark.into() } else { colour.light.into() }
    }
}

/// The dark colours of those classes, for readers who prefer them; empty without classes.
fn style_sheet(classes: &BTreeSet<(ColourProperty, Role)>) -> String {
    if classes.is_empty() {
        return String::new();
    }
    let mut sheet = String::from("@media (prefers-color-scheme:dark){");
    for &(part, role) in classes {
        let _ = write!(sheet, ".{}{{{}:{}}}", part.class(role), part.property(), palette::colour(role).dark);
    }
    sheet.push('}');
    sheet
}

/// Rules that give the shapes of every [`Theme::Auto`] picture their dark colours, each under the selector `within`: for pages that hold
/// pictures and have a theme of their own.
#[must_use]
pub fn dark_colours(within: &str) -> String {
    let mut rules = String::new();
    for role in palette::roles() {
        let colour = palette::colour(role);
        for part in
            [ColourProperty::Fill, ColourProperty::Stroke].into_iter().filter(|_| colour.light != colour.dark)
        {
            let _ = writeln!(rules, "{within} .{}{{{}:{}}}", part.class(role), part.property(), colour.dark);
        }
    }
    rules
}

fn lengths<const N: usize>(lengths: [(&'static str, f32); N]) -> Attributes<'static> {
    lengths.map(|(name, length)| (name, number(length).into())).into()
}

fn coordinates(points: &[Point]) -> String {
    let pairs = points.iter().map(|point| format!("{},{}", number(point.x), number(point.y)));
    pairs.collect::<Vec<_>>().join(" ")
}

/// At most two decimals, and no `-0`.
fn number(value: f32) -> String {
    ((value * 100.0).round() / 100.0 + 0.0).to_string()
}

/// The text without the characters that XML cannot represent, even escaped.
fn clean(text: &str) -> Cow<'_, str> {
    let allowed = |character: char| matches!(character, '\t' | '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    if text.chars().all(allowed) {
        return text.into();
    }
    text.chars().map(|character| if allowed(character) { character } else { '\u{fffd}' }).collect()
}
