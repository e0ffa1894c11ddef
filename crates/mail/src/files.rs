//! Writes mails to files, so that a new installation works without an SMTP server.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use time::format_description::FormatItem;
use time::macros::format_description;

use super::mailer::SendError;
use super::outgoing::OutgoingMail;

/// The folder inside the data folder.
const FOLDER: &str = "outbox";

/// Mails contain secrets, so only the owner may open their folder.
const FOLDER_MODE: u32 = 0o700;

const FILE_TIME: &[FormatItem<'_>] = format_description!("[year][month][day]T[hour][minute][second]Z");

/// Writes mails into a folder.
pub struct Files {
    folder: PathBuf,
}

impl Files {
    /// Creates the folder if it is missing.
    pub fn new(data_dir: &Path) -> Result<Self, std::io::Error> {
        let folder = data_dir.join(FOLDER);
        DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(&folder)?;
        Ok(Self { folder })
    }

    /// Writes one mail to a file such as `20261121T090600Z-turn-<id>.eml`. Names sort by time; incomplete files never appear.
    pub async fn write(&self, mail: &OutgoingMail, raw: &[u8]) -> Result<(), SendError> {
        let time = mail.date.to_utc().format(FILE_TIME).expect("a year of four digits");
        let name = format!("{time}-{}-{}.eml", mail.kind, mail.notice_id);
        let draft = self.folder.join(format!(".{name}.draft"));
        let done = async {
            tokio::fs::write(&draft, raw).await?;
            tokio::fs::rename(&draft, self.folder.join(&name)).await
        };
        done.await.map_err(|error| {
            SendError::temporary(format!("the mail file cannot be written: {}", error.kind()))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use time::macros::datetime;
    use uuid::Uuid;

    use super::*;
    use crate::outgoing::OutgoingMail;

    fn mail(id: u128) -> OutgoingMail {
        OutgoingMail {
            notice_id: Uuid::from_u128(id),
            player_id: None,
            kind: "turn",
            from: "pippost@example.org".parse().expect("a mailbox"),
            to: "alice@example.org".parse().expect("a mailbox"),
            subject: "your turn".to_owned(),
            text: "Hello".to_owned(),
            html: "<p>Hello".to_owned(),
            picture: None,
            message_id: "<1@example.org>".to_owned(),
            thread_id: None,
            unsubscribe: None,
            list: None,
            shown_event: None,
            date: datetime!(2026-11-21 11:06 +2),
            reply_to: None,
            bounce_to: None,
            checkpoint: None,
        }
    }

    #[tokio::test]
    async fn a_mail_is_a_file_named_by_time_kind_and_notice_in_a_folder_for_its_owner() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = Files::new(folder.path()).expect("an outbox");
        files.write(&mail(1), b"first try").await.expect("a file");
        files.write(&mail(1), b"the mail").await.expect("the same file again");
        let outbox = folder.path().join("outbox");
        let names: Vec<_> = std::fs::read_dir(&outbox)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("ASCII"))
            .collect();
        assert_eq!(names, ["20261121T090600Z-turn-00000000-0000-0000-0000-000000000001.eml"]);
        assert_eq!(std::fs::read(outbox.join(&names[0])).expect("a file"), b"the mail");
        assert_eq!(std::fs::metadata(&outbox).expect("a folder").permissions().mode() & 0o777, 0o700);
    }

    #[tokio::test]
    async fn a_folder_that_is_gone_is_tried_again_later() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = Files::new(folder.path()).expect("an outbox");
        std::fs::remove_dir(folder.path().join("outbox")).expect("removed");
        let error = files.write(&mail(1), b"the mail").await.expect_err("no folder");
        assert_eq!(
            error,
            SendError::temporary("the mail file cannot be written: entity not found".to_owned())
        );
    }
}
