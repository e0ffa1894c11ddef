//! Mails as files, so that a newcomer sees them at once.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use time::format_description::FormatItem;
use time::macros::format_description;

use super::letter::Letter;
use super::mailer::SendError;

/// The folder in the data folder.
const FOLDER: &str = "outbox";

/// Mails hold secrets: their folder is for its owner alone.
const FOLDER_MODE: u32 = 0o700;

const MOMENT: &[FormatItem<'_>] = format_description!("[year][month][day]T[hour][minute][second]Z");

/// Writes mails into a folder.
pub struct Files {
    folder: PathBuf,
}

impl Files {
    /// Makes the folder where it is missing.
    pub fn new(data_dir: &Path) -> Result<Self, std::io::Error> {
        let folder = data_dir.join(FOLDER);
        DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(&folder)?;
        Ok(Self { folder })
    }

    /// Writes one mail, as in `20261121T090600Z-turn-<id>.eml`: names sort by time, and a file is there whole or not at all.
    pub async fn write(&self, letter: &Letter, raw: &[u8]) -> Result<(), SendError> {
        let moment = letter.date.to_utc().format(MOMENT).expect("a year of four digits");
        let name = format!("{moment}-{}-{}.eml", letter.kind, letter.notice_id);
        let draft = self.folder.join(format!(".{name}.draft"));
        let done = async {
            tokio::fs::write(&draft, raw).await?;
            tokio::fs::rename(&draft, self.folder.join(&name)).await
        };
        done.await.map_err(|error| {
            SendError::Temporary(format!("the mail file cannot be written: {}", error.kind()))
        })
    }
}
