//! Languages that are added by files only: a folder for each, named by its tag, with Fluent files (`*.ftl`) for the texts, and the rules of
//! rule sets for people (`<rule set>.md`).

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use pippost_record::voice::Texts;
use unic_langid::LanguageIdentifier;

use super::{Language, Source, TAGS};

/// The most languages that are added.
const MAX_LANGUAGES: usize = 64;

/// The longest tag, in characters; the database keeps no longer ones.
const MAX_TAG_CHARS: usize = 16;

/// The largest file, in bytes.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// A language that was added. It is kept as long as the process runs.
pub(super) struct Added {
    pub tag: &'static str,
    pub sources: Vec<Source>,
    pub texts: Texts,
    /// Rules for people by the name of their rule set.
    pub rules: Vec<(&'static str, &'static str)>,
}

static ADDED: OnceLock<Vec<Added>> = OnceLock::new();

/// Why languages cannot be added.
#[derive(Debug, thiserror::Error)]
pub enum AddError {
    #[error("{0}: {1}")]
    Unreadable(PathBuf, std::io::Error),
    #[error(
        "{0}: a folder of a language is named by its tag, as in `fr` or `pt-BR`, and no language is there twice"
    )]
    Tag(PathBuf),
    #[error("{0}: {1}")]
    Fluent(PathBuf, String),
    #[error("{0}: more than {MAX_FILE_BYTES} bytes")]
    TooLarge(PathBuf),
    #[error("at most {MAX_LANGUAGES} languages are added, and once")]
    TooMany,
}

pub(super) fn all() -> &'static [Added] {
    ADDED.get().map_or(&[], Vec::as_slice)
}

/// Adds all languages of a folder. To be called once, before any text is said.
///
/// # Errors
/// A file cannot be read, or is no Fluent file.
pub fn add_from(folder: &Path) -> Result<(), AddError> {
    let mut added: Vec<Added> = Vec::new();
    for path in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
        let number = u8::try_from(TAGS.len() + added.len()).map_err(|_| AddError::TooMany)?;
        if added.len() == MAX_LANGUAGES {
            return Err(AddError::TooMany);
        }
        added.push(read(&path, Language(number))?);
    }
    ADDED.set(added).map_err(|_| AddError::TooMany)
}

fn read(path: &Path, language: Language) -> Result<Added, AddError> {
    let tag = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let identifier: Option<LanguageIdentifier> = tag.parse().ok();
    let is_tag = tag.len() <= MAX_TAG_CHARS && !TAGS.contains(&tag);
    let identifier = identifier.filter(|identifier| is_tag && *identifier == tag);
    let identifier = identifier.ok_or_else(|| AddError::Tag(path.to_owned()))?;
    let (mut sources, mut rules, mut files) = (Vec::new(), Vec::new(), Vec::new());
    for file in entries(path)? {
        let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("ftl") => {
                let text = kept(text_of(&file)?);
                files.push((file.clone(), text.to_owned()));
                sources.push(Source { language, name: kept(name), text });
            }
            Some("md") => rules.push((kept(name), kept(text_of(&file)?))),
            _ => {}
        }
    }
    let wrong = |(file, errors): (PathBuf, String)| AddError::Fluent(file, errors);
    let texts = Texts::new(identifier, files).map_err(wrong)?;
    Ok(Added { tag: kept(tag.to_owned()), sources, texts, rules })
}

/// What a folder holds, in the order of the names.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, AddError> {
    let unreadable = |error| AddError::Unreadable(folder.to_owned(), error);
    let found = fs::read_dir(folder).map_err(unreadable)?;
    let mut paths = found.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
    if let Ok(paths) = &mut paths {
        paths.sort();
    }
    paths.map_err(unreadable)
}

fn text_of(file: &Path) -> Result<String, AddError> {
    let unreadable = |error| AddError::Unreadable(file.to_owned(), error);
    if fs::metadata(file).map_err(unreadable)?.len() > MAX_FILE_BYTES {
        return Err(AddError::TooLarge(file.to_owned()));
    }
    fs::read_to_string(file).map_err(unreadable)
}

/// Texts of languages live as long as the process, as those that are compiled in.
fn kept(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}
