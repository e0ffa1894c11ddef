//! Builds the packages of clients, and installs each into an empty folder as its package manager does.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::tools::{folder, node_modules, node_program, python_program, succeeds};

/// A package in an empty folder.
pub struct Installed {
    folder: TempDir,
    readme: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder in which this test was built: what all builds need alike is compiled once.
fn target_folder() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_pippost"));
    program.parent().and_then(Path::parent).expect("a folder of a profile in the target folder").to_owned()
}

/// The one file of `folder` whose name begins and ends so.
fn file_in(folder: &Path, begin: &str, end: &str) -> PathBuf {
    let files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("an entry").path());
    let fits = |file: &PathBuf| {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        name.starts_with(begin) && name.ends_with(end)
    };
    let [file]: [PathBuf; 1] = files.filter(fits).collect::<Vec<_>>().try_into().expect("one file");
    file
}

impl Installed {
    fn new(package: &str, readme: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut build = Command::new(root().join(".ci/build-clients"));
        build.arg(folder.path().join("built")).arg(package).env("PIPPOST_CONTRACT_TOOLS", self::folder());
        succeeds(build.env("CARGO_TARGET_DIR", target_folder()));
        let readme = fs::read_to_string(root().join(readme)).expect("a README");
        Self { folder, readme }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// The blocks of the README that begin so, joined.
    pub fn blocks(&self, beginning: &str) -> String {
        let beginning = format!("```{beginning}\n");
        let blocks = self.readme.split(&beginning).skip(1);
        let blocks: Vec<&str> = blocks.map(|rest| rest.split("```").next().expect("a beginning")).collect();
        assert!(!blocks.is_empty(), "the README has {beginning:?}");
        blocks.join("\n\n")
    }

    /// The wheel, whose dependencies are those of the tools.
    pub fn python() -> Self {
        let installed = Self::new("python", "examples/clients/python/README.md");
        let mut install = python_program("pip");
        install.args([
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--no-index",
            "--target",
        ]);
        install.arg(installed.path("site")).arg(file_in(&installed.path("built"), "pippost-", ".whl"));
        succeeds(&mut install);
        // What the wheel says that it needs is there.
        succeeds(python_program("pip").args(["check"]).env("PYTHONPATH", installed.path("site")));
        installed
    }

    /// A Python program with the package.
    pub fn python_run(&self, file: &str) -> Command {
        let mut run = python_program("python");
        run.env("PYTHONPATH", self.path("site")).arg("-u").arg(self.path(file));
        run
    }

    /// Strict pyright accepts the programs and the package itself.
    pub fn check_python(&self, files: &[&str]) {
        let include = [files, &["site/pippost"]].concat();
        let settings = serde_json::json!({
            "typeCheckingMode": "strict", "include": include, "extraPaths": ["site"],
            // In generated code unused names are nobody's mistake.
            "ignore": ["site/pippost/types.py"],
        });
        self.write("pyrightconfig.json", &settings.to_string());
        let mut check = node_program("pyright");
        check.arg("--pythonpath").arg(python_program("python").get_program());
        succeeds(check.current_dir(self.folder.path()));
    }

    /// The tarball, whose dependencies are those of the tools.
    pub fn typescript() -> Self {
        let installed = Self::new("typescript", "examples/clients/typescript/README.md");
        installed.write("package.json", r#"{"private": true, "type": "module"}"#);
        let mut install = Command::new("npm");
        install.args(["install", "--offline", "--silent", "--no-audit", "--no-fund"]).arg(file_in(
            &installed.path("built"),
            "pippost-",
            ".tgz",
        ));
        for dependency in ["jose", "openapi-fetch"] {
            install.arg(node_modules().join(dependency));
        }
        succeeds(install.current_dir(installed.folder.path()));
        installed
    }

    /// Compiles TypeScript programs strictly.
    pub fn compile_typescript(&self, files: &[&str]) {
        let settings = serde_json::json!({"files": files, "compilerOptions": {
            "target": "es2022", "module": "nodenext", "strict": true, "noUncheckedIndexedAccess": true,
            "noImplicitReturns": true, "types": ["node"], "typeRoots": [node_modules().join("@types")],
        }});
        self.write("tsconfig.json", &settings.to_string());
        succeeds(node_program("tsc").current_dir(self.folder.path()));
    }

    /// A program of Node.js with the package.
    pub fn node_run(&self, file: &str) -> Command {
        let mut run = Command::new("node");
        run.arg(self.path(file));
        run
    }

    /// The crates, unpacked beside an empty package that has programs of these names and sources.
    pub fn rust(programs: impl Fn(&Self) -> Vec<(&'static str, String)>) -> Self {
        let installed = Self::new("rust", "crates/client/README.md");
        let mut dependencies = Vec::new();
        for name in ["pippost-record", "pippost-client"] {
            let mut unpack = Command::new("tar");
            unpack.arg("-xzf").arg(file_in(&installed.path("built"), name, ".crate"));
            succeeds(unpack.current_dir(installed.folder.path()));
            let unpacked = file_in(installed.folder.path(), name, "0");
            dependencies.push(format!("{name} = {{ path = {:?} }}", unpacked.display().to_string()));
        }
        let manifest = format!(
            "[workspace]\n[package]\nname = \"installed\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\n\
             pippost-client = \"*\"\nserde_json = \"1\"\ntokio = {{ version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }}\n\
             uuid = \"1\"\n[patch.crates-io]\n{}\n[profile.dev]\ndebug = false\n",
            dependencies.join("\n"),
        );
        installed.write("Cargo.toml", &manifest);
        fs::copy(root().join("Cargo.lock"), installed.path("Cargo.lock")).expect("a copy");
        for (name, source) in programs(&installed) {
            installed.write(&format!("src/bin/{name}.rs"), &source);
        }
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--offline", "--bins"]).env("CARGO_TARGET_DIR", target_folder());
        succeeds(build.current_dir(installed.folder.path()));
        installed
    }

    /// One of the programs.
    pub fn rust_run(name: &str) -> Command {
        Command::new(target_folder().join("debug").join(name))
    }
}
