//! Packages of the system: looked for, and installed when missing and allowed.

use std::process::{Command, Stdio};

/// Makes sure of a program, from this package when it is missing.
pub(crate) fn program(name: &str, package: &str) -> Result<(), String> {
    let known = || output(name, &["--version"]).is_ok();
    if known() {
        return Ok(());
    }
    install(package)?;
    if known() { Ok(()) } else { Err(format!("{name} is installed, but does not run")) }
}

/// Installs a package where that is allowed, and says what to do where it is not.
pub(crate) fn install(package: &str) -> Result<(), String> {
    let missing = format!(
        "{package} is needed and is not installed: install it, for example with \
         `sudo apt-get install {package}`"
    );
    if output("id", &["-u"])? != "0" || output("apt-get", &["--version"]).is_err() {
        return Err(missing);
    }
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    // A package that starts a service of its own would do so here too: the tests do not need it.
    let install = ["install", "-y", "--no-install-recommends", package];
    if apt(&install) || (apt(&["update"]) && apt(&install)) { Ok(()) } else { Err(missing) }
}

/// What a program prints when it ends well.
pub(crate) fn output(program: &str, arguments: &[&str]) -> Result<String, String> {
    let run = Command::new(program).args(arguments).stderr(Stdio::null()).output();
    match run {
        Ok(run) if run.status.success() => {
            Ok(String::from_utf8_lossy(&run.stdout).trim().to_owned())
        }
        _ => Err(format!("{program} does not run")),
    }
}
