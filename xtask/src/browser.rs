//! A browser for the tests, its driver, and axe-core, which looks for what keeps people out of a
//! page. The browser is Debian's; axe-core comes from its npm package and is never committed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::packages::{install, output, program};

const AXE: &str = "axe-core@4.14.0";
/// Of `axe.min.js`: what was not read before is not run.
const AXE_SHA256: &str = "20c09fe157a8a34a30e241aaa1fcdade657734f08ab379ecfbeb7d45cc46e878";

/// Makes sure of all three; gives where axe-core is. Asks the network only for what is missing.
pub(crate) fn prepare() -> Result<PathBuf, String> {
    if major("chromium").is_err() || major("chromedriver").is_err() {
        // The driver's package brings the browser of its own version.
        install("chromium-driver")?;
    }
    let (browser, driver) = (major("chromium")?, major("chromedriver")?);
    if browser != driver {
        return Err(format!(
            "chromium is version {browser} and chromedriver {driver}: they must be the same, for \
             example by `sudo apt-get install chromium chromium-driver`"
        ));
    }
    axe()
}

/// `Chromium 148.0.7778.167 built on …` and `ChromeDriver 148.0.7778.167 (…)` are version 148.
fn major(name: &str) -> Result<String, String> {
    let told = output(name, &["--version"])?;
    let version = told.split(' ').find_map(|word| word.split_once('.')).map(|(major, _)| major);
    version.map(str::to_owned).ok_or_else(|| format!("{name} does not tell its version: {told}"))
}

fn axe() -> Result<PathBuf, String> {
    let folder = target()?.join(AXE.replace('@', "-"));
    let script = folder.join("axe.min.js");
    if !script.is_file() {
        fetch(&folder)?;
    }
    let sum = output("sha256sum", &[&script.display().to_string()])?;
    if sum.split(' ').next() != Some(AXE_SHA256) {
        let place = script.display();
        return Err(format!("{place} is not the {AXE} that was chosen: delete it and try again"));
    }
    Ok(script)
}

/// Where the workspace builds.
pub(crate) fn target() -> Result<PathBuf, String> {
    // This program was built there: `target/debug/grantor-xtask`.
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    own.ancestors().nth(2).map(Path::to_path_buf).ok_or_else(|| "no target folder".to_owned())
}

fn fetch(folder: &Path) -> Result<(), String> {
    program("npm", "npm")?;
    // Unpacked beside its place, so that whoever finds the folder finds it whole.
    let half = folder.with_extension(std::process::id().to_string());
    std::fs::create_dir_all(&half).map_err(|error| format!("{}: {error}", half.display()))?;
    let fetched = run(&half, "npm", &["pack", "--silent", AXE]);
    let package = format!("{}.tgz", AXE.replace('@', "-"));
    let strip = ["--strip-components=1", "package/axe.min.js", "package/LICENSE"];
    let unpacked = fetched
        .and_then(|()| run(&half, "tar", &[&["-xzf", &package], &strip[..]].concat()))
        .map_err(|error| format!("{AXE} is needed by the tests and could not be fetched: {error}"));
    // Another run may have been first: then its folder stays.
    let placed = unpacked.map(|()| std::fs::rename(&half, folder).is_ok());
    let _ = std::fs::remove_dir_all(&half);
    placed.map(|_| ())
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new(program);
    let status = command.args(arguments).current_dir(folder).stdout(Stdio::null()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("`{program} {}` failed", arguments.join(" "))),
    }
}
