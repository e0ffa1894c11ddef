//! What an operator gives the pages of a server: its name, its own texts, and the colour of its links and buttons. All is read and
//! checked at the start.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use super::colours::Colours;
use super::own_text::OwnText;
use pippost_language::Language;

/// The longest name, in characters: it stands in the header of narrow windows.
pub const MAX_SITE_NAME_CHARS: usize = 24;

/// The longest text, in bytes.
pub const MAX_OWN_TEXT_BYTES: u64 = 64 * 1024;

/// The name of a server that its operator has not named.
const NAME: &str = "pippost";

/// Why something of it cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrandingRefused(String);

impl BrandingRefused {
    pub(super) fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

impl fmt::Display for BrandingRefused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for BrandingRefused {}

/// The texts that an operator may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextKind {
    /// What whoever signs up agrees to.
    Terms,
    /// Who runs the server.
    Imprint,
    /// What the front page says first.
    Welcome,
}

impl TextKind {
    const ALL: [Self; 3] = [Self::Terms, Self::Imprint, Self::Welcome];

    /// The name of its file without the language.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Terms => "terms",
            Self::Imprint => "imprint",
            Self::Welcome => "welcome",
        }
    }
}

/// The name, texts and colours of a server.
#[derive(Clone, Debug)]
pub struct Branding {
    name: String,
    /// By kind and the tag of the language; an empty one is of the text for all others.
    texts: BTreeMap<(TextKind, String), OwnText>,
    colours: Option<Colours>,
}

impl Default for Branding {
    fn default() -> Self {
        Self { name: NAME.to_owned(), texts: BTreeMap::new(), colours: None }
    }
}

impl Branding {
    /// Reads what the settings name: the texts of a folder, and the colours for light and for dark pages.
    ///
    /// # Errors
    /// Something cannot be read or used. The words say what.
    pub fn read(
        name: Option<&str>,
        texts: Option<&Path>,
        colours: Option<&str>,
    ) -> Result<Self, BrandingRefused> {
        Ok(Self {
            name: name.map_or_else(|| Ok(NAME.to_owned()), checked_name)?,
            texts: texts.map(read_texts).transpose()?.unwrap_or_default(),
            colours: colours.map(Colours::parse).transpose()?,
        })
    }

    /// The name of the server.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A text, in this language if there is one.
    #[must_use]
    pub fn text(&self, kind: TextKind, language: Language) -> Option<&OwnText> {
        let of = |tag: &str| self.texts.get(&(kind, tag.to_owned()));
        of(language.tag()).or_else(|| of(""))
    }

    /// The colours, if they are not the usual ones.
    #[must_use]
    pub fn colours(&self) -> Option<&Colours> {
        self.colours.as_ref()
    }
}

fn checked_name(name: &str) -> Result<String, BrandingRefused> {
    let fits = (1..=MAX_SITE_NAME_CHARS).contains(&name.chars().count());
    if fits && name.trim() == name && !name.chars().any(char::is_control) {
        return Ok(name.to_owned());
    }
    Err(BrandingRefused::new(format!("a name has 1 to {MAX_SITE_NAME_CHARS} characters: {name:?}")))
}

/// The texts of a folder. A file that is none is an error: its name may be a slip.
fn read_texts(folder: &Path) -> Result<BTreeMap<(TextKind, String), OwnText>, BrandingRefused> {
    let failed = |error: std::io::Error| BrandingRefused::new(format!("{}: {error}", folder.display()));
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let Some(stem) = name.strip_suffix(".md") else { continue };
        texts.insert(key(stem)?, OwnText::of_markdown(&read_bounded(&path)?));
    }
    Ok(texts)
}

/// Which text a file has, and the tag of its language.
fn key(stem: &str) -> Result<(TextKind, String), BrandingRefused> {
    let (name, tag) = stem.split_once('.').unwrap_or((stem, ""));
    let Some(kind) = TextKind::ALL.into_iter().find(|kind| kind.name() == name) else {
        let names = TextKind::ALL.map(TextKind::name).join(", ");
        return Err(BrandingRefused::new(format!("{stem}.md: there are texts for {names}")));
    };
    if !tag.is_empty() && Language::of_tag(tag).is_none() {
        return Err(BrandingRefused::new(format!("{stem}.md: this server has no language {tag}")));
    }
    Ok((kind, tag.to_owned()))
}

fn read_bounded(path: &Path) -> Result<String, BrandingRefused> {
    let failed = |error: std::io::Error| BrandingRefused::new(format!("{}: {error}", path.display()));
    let mut text = String::new();
    let file = File::open(path).map_err(failed)?;
    file.take(MAX_OWN_TEXT_BYTES + 1).read_to_string(&mut text).map_err(failed)?;
    if text.len() as u64 > MAX_OWN_TEXT_BYTES {
        let why = format!("{} has more than {MAX_OWN_TEXT_BYTES} bytes", path.display());
        return Err(BrandingRefused::new(why));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_after_a_text_and_a_language() {
        assert_eq!(key("terms").ok(), Some((TextKind::Terms, String::new())));
        assert_eq!(key("imprint.de").ok(), Some((TextKind::Imprint, "de".to_owned())));
        for wrong in ["term", "terms.xx", "Terms", "terms.de.old"] {
            assert!(key(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_name_is_short_and_plain() {
        assert_eq!(checked_name("Club of Nine").as_deref(), Ok("Club of Nine"));
        for wrong in ["", " x", "a\nb", &"x".repeat(MAX_SITE_NAME_CHARS + 1)] {
            assert!(checked_name(wrong).is_err(), "{wrong:?}");
        }
    }
}
