//! Who may connect by the socket: PostgreSQL asks the kernel for the user of the other end (`peer`). The files lie in the data folder and
//! are written at every start, so those of an older cluster, which trusted everybody, have no effect.

use std::ffi::OsString;
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use nix::unistd::{Uid, User, geteuid};

use super::EmbeddedError;
use super::account::DatabaseUser;
use super::data_folder::DataFolder;
use super::roles::{APP_ROLE, SUPERUSER};

/// The name of the map from users to roles.
const MAP: &str = "pippost";

/// The database's user reads the files, and there is no secret in them.
const MODE: u32 = 0o644;

/// Writes both files, and returns the arguments of `postgres` that name them.
pub(super) fn prepare(
    folder: &DataFolder,
    user: Option<&DatabaseUser>,
) -> Result<Vec<OsString>, EmbeddedError> {
    let uids = [Uid::from_raw(0), geteuid()].into_iter().chain(user.map(|user| Uid::from_raw(user.uid())));
    let mut users: Vec<_> = uids.filter_map(|uid| User::from_uid(uid).ok()?).map(|user| user.name).collect();
    users.sort();
    users.dedup();
    let mut arguments = Vec::new();
    for (setting, path, text) in
        [("hba_file", folder.hba_file(), hba()), ("ident_file", folder.ident_file(), ident(&users))]
    {
        write(&path, &text).map_err(EmbeddedError::io("write", &path))?;
        let mut argument = OsString::from(format!("{setting}="));
        argument.push(&path);
        arguments.extend(["-c".into(), argument]);
    }
    Ok(arguments)
}

fn hba() -> String {
    format!("local all all peer map={MAP}\nlocal replication all peer map={MAP}\n")
}

/// Each user may take both roles.
fn ident(users: &[String]) -> String {
    let line = |user: &String, role: &str| format!("{MAP} \"{user}\" {role}\n");
    users.iter().flat_map(|user| [APP_ROLE, SUPERUSER].map(|role| line(user, role))).collect()
}

/// Writes a new file in place of the old one. In a folder of another user there might be a link at either path.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = Path::new(&new);
    match fs::remove_file(new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(MODE).open(new)?;
    // Whatever the umask says.
    file.set_permissions(Permissions::from_mode(MODE))?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(new, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_trusted_and_each_user_may_take_both_roles() {
        assert!(hba().lines().all(|line| line.contains(" peer ")), "{}", hba());
        let ident = ident(&["postgres".into(), "root".into()]);
        assert_eq!(
            ident,
            "pippost \"postgres\" app\npippost \"postgres\" postgres\npippost \"root\" app\npippost \"root\" postgres\n"
        );
    }

    #[test]
    fn a_link_in_place_of_a_file_is_replaced_and_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, elsewhere) = (folder.path().join("hba"), folder.path().join("elsewhere"));
        fs::write(&elsewhere, "mine").expect("writes");
        for link in [&path, &folder.path().join("hba.new")] {
            std::os::unix::fs::symlink(&elsewhere, link).expect("links");
        }
        write(&path, "ours").expect("writes");
        assert_eq!(fs::read_to_string(&path).expect("a file"), "ours");
        assert_eq!(fs::read_to_string(&elsewhere).expect("a file"), "mine");
        assert_eq!(fs::metadata(&path).expect("a file").permissions().mode() & 0o777, MODE);
    }
}
