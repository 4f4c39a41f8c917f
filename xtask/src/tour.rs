//! Screenshots of the pages: builds the server and the tour program, and runs the tour.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::browser;
use crate::packages::{install, output, program};

/// The font of the pages and one for the sample's Japanese names: a pattern and its package.
const FONTS: [(&str, &str); 2] =
    [("Liberation Sans", "fonts-liberation"), (":lang=ja", "fonts-ipafont-gothic")];

/// Takes the screenshots for the documentation, or with `--all` those of every page in every theme
/// and size.
pub(crate) fn run(arguments: &[&str]) -> Result<ExitCode, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("");
    let documented = root.join("docs/tour").display().to_string();
    let arguments = if arguments.is_empty() { &[documented.as_str()] } else { arguments };
    let browser = browser::prepare()?;
    fonts()?;
    build(&root, &["--package", "grantor-server"])?;
    // Together with the tests, so that shared crates are built once.
    build(&root, &["--package=grantor-tests", "--package=grantor-testkit", "--bin=grantor-tour"])?;
    let tour = browser::target()?.join("debug/grantor-tour");
    let mut command = Command::new(&tour);
    let status = command.args(arguments).env(browser::VARIABLE, browser.program).status();
    let status = status.map_err(|error| format!("{}: {error}", tour.display()))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn build(root: &Path, what: &[&str]) -> Result<(), String> {
    let mut cargo = Command::new("cargo");
    let status = cargo.args(["build", "--quiet"]).args(what).current_dir(root).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        _ => Err("the build failed: see its message above".to_owned()),
    }
}

fn fonts() -> Result<(), String> {
    program("fc-list", "fontconfig")?;
    for (pattern, package) in FONTS {
        if output("fc-list", &[pattern])?.is_empty() {
            install(package)?;
        }
    }
    Ok(())
}
