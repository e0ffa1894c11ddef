//! A release as its maker signs it, verified with the commands of docs/INSTALL.md: whatever is changed afterwards is refused. The key is
//! made for this test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use super::{open_folder, root, well};
use support::skipped::skipped;

/// What the notes of this version say; older ones follow it in the list of changes.
const CHANGES: &str = "- A change of this version.\n\n### For clients\n- Another.\n";
const OLDER: &str = "- An older change.\n";

fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Two keys, a list of changes, and in the folder `release` the release that the first key has signed.
struct Release {
    folder: TempDir,
}

impl Release {
    /// Keys, and a list of changes whose newest part has this name.
    fn prepared(newest: &str) -> Self {
        let release = Self { folder: open_folder() };
        for name in ["key", "other"] {
            let mut make = Command::new("ssh-keygen");
            make.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(release.path(name));
            well(&make.output().expect("ssh-keygen"));
        }
        let changes = format!(
            "# Changes\n\n## Unreleased\n- Not yet.\n\n## {newest} (today)\n{CHANGES}\n## 0.0.1\n{OLDER}"
        );
        fs::write(release.path("changes.md"), changes).expect("writes");
        release
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn make(&self, key: &Path) -> Output {
        let mut make = Command::new(root().join("packaging/release"));
        make.arg(self.path("release")).arg(key).arg(support::program::executable());
        make.env("PIPPOST_CHANGELOG", self.path("changes.md")).env("PIPPOST_COMPRESSION", "none");
        make.output().expect("the script")
    }

    /// The notes with this ending.
    fn notes(&self, ending: &str) -> PathBuf {
        self.path(&format!("release/pippost_{}.md{ending}", version()))
    }

    /// The files that the notes have checksums of.
    fn artifacts(&self) -> Vec<PathBuf> {
        let sums = fs::read_to_string(self.path("release/SHA256SUMS")).expect("the sums");
        let names = sums.lines().map(|line| line.split_once("  ").expect("a sum and a name").1);
        names.map(|name| self.path("release").join(name)).collect()
    }

    /// Runs a command of the guide in the folder of the release.
    fn verify(&self, command: &str) -> Output {
        let mut verify = Command::new("sh");
        verify.args(["-ec", command]).current_dir(self.path("release"));
        verify.output().expect("sh")
    }
}

/// The two commands of the guide: for the notes, and for what they have checksums of.
fn commands(signers: &Path) -> [String; 2] {
    let page = fs::read_to_string(root().join("docs/INSTALL.md")).expect("the page");
    let of = |beginning: &str| {
        let mut found = page.lines().map(str::trim).filter(|line| line.starts_with(beginning));
        found.next().unwrap_or_else(|| panic!("docs/INSTALL.md has {beginning}")).to_owned()
    };
    let notes = of("ssh-keygen -Y verify ");
    assert!(notes.contains("-f allowed_signers"), "{notes}");
    [notes.replace("allowed_signers", &signers.display().to_string()), of("grep -E ")]
}

/// Changes one byte in the middle, in place.
fn change_a_byte(file: &Path) {
    use std::os::unix::fs::FileExt;
    let file = fs::File::options().read(true).write(true).open(file).expect("a file");
    let at = file.metadata().expect("a length").len() / 2;
    let mut byte = [0];
    file.read_exact_at(&mut byte, at).expect("reads");
    file.write_all_at(&[byte[0] ^ 1], at).expect("writes");
}

#[test]
fn a_signed_release_is_verified_by_the_guide_and_whatever_is_changed_is_refused() {
    if std::env::var_os("MDBOOK").is_none() {
        skipped("a signed release", "MDBOOK does not name mdBook (.ci/install-mdbook builds it)");
        return;
    }
    let release = Release::prepared(version());
    let said = well(&release.make(&release.path("key")));
    let signers =
        said.lines().find(|line| line.starts_with("pippost namespaces=")).expect("the line to publish");
    fs::write(release.path("signers"), format!("{signers}\n")).expect("writes");
    has_the_changes_of_this_version_alone_and_the_site(&release);
    refuses_every_changed_byte(&release);
    refuses_other_keys_and_purposes(&release);
}

fn has_the_changes_of_this_version_alone_and_the_site(release: &Release) {
    let notes = fs::read_to_string(release.notes("")).expect("the notes");
    let expected = format!("# pippost {}\n{CHANGES}", version());
    assert!(notes.starts_with(&expected), "{notes}");
    assert!(!notes.contains(OLDER) && !notes.contains("Not yet"), "{notes}");
    let artifacts = release.artifacts();
    let site = artifacts.iter().find(|path| path.to_string_lossy().ends_with("_site.tar.gz"));
    let mut list = Command::new("tar");
    let listed = well(&list.arg("-tf").arg(site.expect("a site")).output().expect("tar"));
    for page in ["site/index.html", "site/docs/INSTALL.html", "site/docs/pictures/board.png"] {
        assert!(listed.lines().any(|line| line == page), "{page}: {listed}");
    }
}

fn refuses_every_changed_byte(release: &Release) {
    let [notes, files] = commands(&release.path("signers"));
    well(&release.verify(&notes));
    let checked = well(&release.verify(&files));
    let artifacts = release.artifacts();
    assert_eq!(artifacts.len(), 4, "package, tarball, list of parts, site: {artifacts:?}");
    assert_eq!(checked.matches(": OK").count(), artifacts.len(), "{checked}");
    for file in &artifacts {
        change_a_byte(file);
        let refused = release.verify(&files);
        let said = String::from_utf8_lossy(&refused.stdout);
        let name = file.file_name().expect("a name").display();
        assert!(!refused.status.success() && said.contains(&format!("{name}: FAILED")), "{said}");
        change_a_byte(file);
    }
    for ending in ["", ".sig"] {
        change_a_byte(&release.notes(ending));
        assert!(!release.verify(&notes).status.success(), "{ending}");
        change_a_byte(&release.notes(ending));
    }
    well(&release.verify(&notes));
    // Who has only some of the files checks those; who has none has checked nothing.
    let none = format!("mkdir ../some && cp *.md ../some && cd ../some && {files}");
    assert!(!release.verify(&none).status.success());
    let some = format!("cp *.cdx.json ../some && cd ../some && {files}");
    assert_eq!(well(&release.verify(&some)).matches(": OK").count(), 1);
}

fn refuses_other_keys_and_purposes(release: &Release) {
    let [verify, _] = commands(&release.path("signers"));
    for (key, namespace, is_good) in
        [("other", "pippost-release", false), ("key", "file", false), ("key", "pippost-release", true)]
    {
        fs::remove_file(release.notes(".sig")).expect("a signature");
        let mut sign = Command::new("ssh-keygen");
        sign.args(["-q", "-Y", "sign", "-n", namespace, "-f"]).arg(release.path(key)).arg(release.notes(""));
        well(&sign.output().expect("ssh-keygen"));
        assert_eq!(release.verify(&verify).status.success(), is_good, "{key} for {namespace}");
    }
}

#[test]
fn a_version_without_changes_and_a_key_in_the_repository_are_refused_before_anything_is_made() {
    let release = Release::prepared("9.9.9");
    let without_changes = release.make(&release.path("key"));
    let said = String::from_utf8_lossy(&without_changes.stderr);
    assert!(!without_changes.status.success(), "{said}");
    assert!(said.contains(&format!("has no part named {}", version())), "{said}");
    // Any file will do: its place is looked at first.
    let inside = release.make(&root().join("Cargo.toml"));
    let said = String::from_utf8_lossy(&inside.stderr);
    assert!(!inside.status.success() && said.contains("keep the key elsewhere"), "{said}");
    assert!(!release.path("release").exists(), "nothing is made");
}
