//! The browser and driver for the tests, and axe-core, which checks the accessibility of pages. The
//! browser is Debian's; axe-core comes from its npm package and is never committed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::packages::{install, output, program};

const AXE: &str = "axe-core@4.14.0";
/// The checksum of `axe.min.js`. A file that differs is not run.
const AXE_SHA256: &str = "20c09fe157a8a34a30e241aaa1fcdade657734f08ab379ecfbeb7d45cc46e878";

/// The variable that tells tests the program.
pub(crate) const VARIABLE: &str = "GRANTOR_TEST_BROWSER";

/// What tests of pages need.
pub(crate) struct Browser {
    /// The program to start.
    pub(crate) program: &'static str,
    /// The path of axe-core.
    pub(crate) axe: PathBuf,
}

/// Chromium, and the same without anything to show a window, which takes half the time.
const PROGRAMS: [&str; 2] = ["chromium-headless-shell", "chromium"];

/// Installs whatever is missing.
pub(crate) fn prepare() -> Result<Browser, String> {
    let [shell, whole] = PROGRAMS;
    if major("chromedriver").is_err() || PROGRAMS.iter().all(|it| major(it).is_err()) {
        // The driver's package depends on the browser of the same version.
        install("chromium-driver")?;
    }
    // Not every system has it as a package.
    let _ = major(shell).or_else(|_| install(shell).map(|()| String::new()));
    let driver = major("chromedriver")?;
    let program = PROGRAMS.into_iter().find(|it| major(it).is_ok_and(|it| it == driver));
    let program = program.ok_or_else(|| {
        format!(
            "chromedriver has version {driver}, and neither {shell} nor {whole} has: \
             try `sudo apt-get install {whole} chromium-driver`"
        )
    })?;
    Ok(Browser { program, axe: axe()? })
}

/// The major version: 148 for `Chromium 148.0.7778.167 built on …`.
fn major(name: &str) -> Result<String, String> {
    let printed = output(name, &["--version"])?;
    let version = printed.split(' ').find_map(|word| word.split_once('.')).map(|(major, _)| major);
    version.map(str::to_owned).ok_or_else(|| format!("{name} printed no version: {printed}"))
}

fn axe() -> Result<PathBuf, String> {
    let folder = target()?.join(AXE.replace('@', "-"));
    let script = folder.join("axe.min.js");
    if !script.is_file() {
        fetch(&folder)?;
    }
    let sum = output("sha256sum", &[&script.display().to_string()])?;
    if sum.split(' ').next() != Some(AXE_SHA256) {
        let path = script.display();
        return Err(format!("{path} does not match the checksum of {AXE}: delete it and retry"));
    }
    Ok(script)
}

/// The target directory of the workspace.
pub(crate) fn target() -> Result<PathBuf, String> {
    // This program is `target/debug/grantor-xtask`.
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    own.ancestors().nth(2).map(Path::to_path_buf).ok_or_else(|| "no target directory".to_owned())
}

fn fetch(folder: &Path) -> Result<(), String> {
    program("npm", "npm")?;
    // Unpacked into a temporary directory and renamed, so that the directory is always complete.
    let draft = folder.with_extension(std::process::id().to_string());
    std::fs::create_dir_all(&draft).map_err(|error| format!("{}: {error}", draft.display()))?;
    let fetched = run(&draft, "npm", &["pack", "--silent", AXE]);
    let package = format!("{}.tgz", AXE.replace('@', "-"));
    let strip = ["--strip-components=1", "package/axe.min.js", "package/LICENSE"];
    let unpacked = fetched
        .and_then(|()| run(&draft, "tar", &[&["-xzf", &package], &strip[..]].concat()))
        .map_err(|error| format!("the tests need {AXE}, which could not be fetched: {error}"));
    // If another run was faster, its directory stays.
    let renamed = unpacked.map(|()| std::fs::rename(&draft, folder).is_ok());
    let _ = std::fs::remove_dir_all(&draft);
    renamed.map(|_| ())
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new(program);
    let status = command.args(arguments).current_dir(folder).stdout(Stdio::null()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("`{program} {}` failed", arguments.join(" "))),
    }
}
