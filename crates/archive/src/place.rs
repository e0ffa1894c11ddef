//! The place of an archive, as the settings name it.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Where finished games are archived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveLocation {
    /// A folder that exists.
    Folder(PathBuf),
    /// A bucket of an S3-compatible store; all objects lie under the prefix, which is empty or ends with a slash.
    Bucket { name: String, prefix: String },
}

/// How an S3-compatible store is reached.
#[derive(Clone, Default)]
pub struct Access {
    /// The address of the store; `None`: Amazon's in that region.
    pub endpoint: Option<String>,
    pub region: String,
    /// The id of the access key, and the key.
    pub key: Option<(String, String)>,
}

/// The error for a text that names no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "not `file:` and an absolute path, as in file:/var/lib/pippost-archive, nor as in s3://bucket/prefix"
)]
pub struct PlaceError;

impl fmt::Display for ArchiveLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) => write!(f, "file:{}", path.display()),
            Self::Bucket { name, prefix } => write!(f, "s3://{name}/{prefix}"),
        }
    }
}

impl FromStr for ArchiveLocation {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Self, PlaceError> {
        if let Some(path) = text.strip_prefix("file:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            return if path.starts_with('/') { Ok(Self::Folder(path.into())) } else { Err(PlaceError) };
        }
        let path = text.strip_prefix("s3://").ok_or(PlaceError)?;
        let (name, prefix) = path.split_once('/').unwrap_or((path, ""));
        let prefix = prefix.trim_matches('/');
        // S3 resolves `.` and `..` as a file system does; a question mark would begin a query.
        let is_plain =
            |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['?', '#', '%', '\\']);
        if !is_plain(name) || !(prefix.is_empty() || prefix.split('/').all(is_plain)) {
            return Err(PlaceError);
        }
        let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
        Ok(Self::Bucket { name: name.to_owned(), prefix })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_folder_or_a_bucket_with_a_prefix() {
        let bucket =
            |name: &str, prefix: &str| ArchiveLocation::Bucket { name: name.into(), prefix: prefix.into() };
        for (text, meant) in [
            ("file:/srv/games", ArchiveLocation::Folder("/srv/games".into())),
            ("file:///srv/games", ArchiveLocation::Folder("/srv/games".into())),
            ("s3://games", bucket("games", "")),
            ("s3://games/", bucket("games", "")),
            ("s3://games/of/2026/", bucket("games", "of/2026/")),
        ] {
            assert_eq!(text.parse(), Ok(meant.clone()), "{text}");
            assert_eq!(meant.to_string().parse(), Ok(meant), "{text}");
        }
        for text in
            ["", "/srv/games", "file:games", "s3://", "s3:///x", "s3://a/../b", "s3://a/b//c", "http://a/b"]
        {
            assert_eq!(text.parse::<ArchiveLocation>(), Err(PlaceError), "{text}");
        }
    }
}
