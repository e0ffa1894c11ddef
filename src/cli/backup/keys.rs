//! The file of the keys: JSON, each file of the keys' folder by its name.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use crate::cli::building::make_private_folder;
use crate::settings::KeySettings;

/// The name of the secret key's file.
const SECRET: &str = "secret.key";

/// Files of keys are short.
const MAX_KEY_BYTES: u64 = 64 * 1024;

/// Nobody but the owner reads keys.
const MODE: u32 = 0o600;

/// Refuses a file among the backups.
pub fn check_apart(file: &Path, backups: &Path) -> anyhow::Result<()> {
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let parent = fs::canonicalize(parent).with_context(|| parent.display().to_string())?;
    ensure!(
        !parent.starts_with(backups),
        "the keys do not belong into the folder of the backups: who has both can decrypt what is hidden, and sign as this server"
    );
    Ok(())
}

/// Writes all keys of the server into a new file in the place of an older one.
pub fn write(file: &Path, settings: &KeySettings, data_dir: &Path) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(&read_all(settings, data_dir)?)? + "\n";
    let draft = file.with_extension(format!("{}.new", std::process::id()));
    let mut options = OpenOptions::new();
    let new = options.write(true).create_new(true).mode(MODE).open(&draft);
    let mut new = new.with_context(|| draft.display().to_string())?;
    new.write_all(text.as_bytes())?;
    new.sync_all()?;
    fs::rename(&draft, file).with_context(|| file.display().to_string())
}

fn read_all(settings: &KeySettings, data_dir: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let folder = settings.folder(data_dir);
    let mut paths = settings.signing_keys.clone();
    if settings.secret_key.is_none() || paths.is_empty() {
        let entries = fs::read_dir(&folder).with_context(|| format!("the keys in {}", folder.display()))?;
        paths.extend(entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()));
    }
    let mut keys = BTreeMap::new();
    for path in paths {
        let bytes = fs::metadata(&path).with_context(|| path.display().to_string())?.len();
        ensure!(bytes <= MAX_KEY_BYTES, "{} is no key: it has {bytes} bytes", path.display());
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        keys.insert(path.file_name().unwrap_or_default().to_string_lossy().into_owned(), text);
    }
    if let Some(secret) = &settings.secret_key {
        keys.insert(SECRET.to_owned(), format!("{}\n", secret.trim()));
    }
    ensure!(keys.contains_key(SECRET), "there is no {SECRET} in {}", folder.display());
    Ok(keys)
}

/// Reads a file of keys: their texts by the names of their files.
pub fn read(file: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let keys: BTreeMap<String, String> =
        serde_json::from_str(&text).with_context(|| format!("{} is no file of keys", file.display()))?;
    for name in keys.keys() {
        let is_plain = Path::new(name).file_name().is_some_and(|only| only == name.as_str());
        ensure!(is_plain, "{} names a key `{name}`, which is no name of a file", file.display());
    }
    Ok(keys)
}

/// Writes the keys of a file into a folder, in which there are none yet.
pub fn restore(file: &Path, folder: &Path) -> anyhow::Result<()> {
    let keys = read(file)?;
    make_private_folder(folder)?;
    for (name, text) in keys {
        let path: PathBuf = folder.join(&name);
        let mut options = OpenOptions::new();
        let new = options.write(true).create_new(true).mode(MODE).open(&path);
        let mut new = new.with_context(|| path.display().to_string())?;
        new.write_all(text.as_bytes())?;
        new.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn keys_come_back_as_they_were_and_only_for_their_owner() {
        let top = tempfile::tempdir().expect("a folder");
        let (keys, file, back) =
            (top.path().join("keys"), top.path().join("keys.json"), top.path().join("back"));
        fs::create_dir(&keys).expect("makes");
        fs::write(keys.join(SECRET), "77aa\n").expect("writes");
        fs::write(keys.join("00000000-signing.pem"), "a key\n").expect("writes");
        let settings = KeySettings { keys_dir: Some(keys), secret_key: None, signing_keys: Vec::new() };
        write(&file, &settings, top.path()).expect("writes");
        write(&file, &settings, top.path()).expect("writes again, in the place of the older one");
        assert_eq!(fs::metadata(&file).expect("a file").permissions().mode() & 0o777, MODE);
        restore(&file, &back).expect("restores");
        assert_eq!(fs::read_to_string(back.join("00000000-signing.pem")).expect("a key"), "a key\n");
        assert_eq!(fs::read_to_string(back.join(SECRET)).expect("a key"), "77aa\n");
        assert!(restore(&file, &back).is_err(), "keys that are there are not replaced");
    }

    #[test]
    fn a_file_of_keys_cannot_write_elsewhere_and_does_not_lie_among_backups() {
        let top = tempfile::tempdir().expect("a folder");
        let file = top.path().join("keys.json");
        for name in ["../secret.key", "/etc/secret.key", "a/b", "..", ""] {
            fs::write(&file, serde_json::json!({name: "x"}).to_string()).expect("writes");
            let said = restore(&file, &top.path().join("keys")).expect_err("refused").to_string();
            assert!(said.contains("no name of a file"), "{name}: {said}");
        }
        let inside = top.path().join("inside");
        fs::create_dir(&inside).expect("makes");
        let backups = fs::canonicalize(top.path()).expect("a folder");
        assert!(check_apart(&inside.join("keys.json"), &backups).is_err());
        assert!(check_apart(&inside.join("../../keys.json"), &backups).is_ok());
    }
}
