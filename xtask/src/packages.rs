//! Finds programs and installs missing system packages, as root on Debian and Ubuntu.

use std::process::{Command, Stdio};

/// Installs the package unless the program runs already.
pub(crate) fn program(name: &str, package: &str) -> Result<(), String> {
    let runs = || output(name, &["--version"]).is_ok();
    if runs() {
        return Ok(());
    }
    install(package)?;
    if runs() { Ok(()) } else { Err(format!("{name} is installed, but does not run")) }
}

/// Installs a package. The error says how to install it by hand.
pub(crate) fn install(package: &str) -> Result<(), String> {
    let missing =
        format!("{package} is required but not installed; try `sudo apt-get install {package}`");
    if output("id", &["-u"])? != "0" || output("apt-get", &["--version"]).is_err() {
        return Err(missing);
    }
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let install = ["install", "-y", "--no-install-recommends", package];
    if apt(&install) || (apt(&["update"]) && apt(&install)) { Ok(()) } else { Err(missing) }
}

/// The output of a program that succeeds.
pub(crate) fn output(program: &str, arguments: &[&str]) -> Result<String, String> {
    let run = Command::new(program).args(arguments).stderr(Stdio::null()).output();
    match run {
        Ok(run) if run.status.success() => {
            Ok(String::from_utf8_lossy(&run.stdout).trim().to_owned())
        }
        _ => Err(format!("{program} does not run")),
    }
}
