//! Adds the languages of the operator, before anything is said.

use crate::language;
use crate::settings::LanguageSettings;

pub fn add_languages(settings: &LanguageSettings) -> anyhow::Result<()> {
    if let Some(folder) = &settings.languages {
        language::add_from(folder)?;
    }
    Ok(())
}
