//! Asks for values on the terminal, or reads them from standard input.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
use secrecy::{ExposeSecret as _, SecretString};

/// Reads a line. If standard input is a terminal, a label says what is asked for.
pub(super) fn ask(label: &str) -> Result<String, String> {
    show(label);
    let line = line(label)?;
    Ok(line.expose_secret().to_owned())
}

/// Like [`ask`], without showing what is typed.
pub(super) fn ask_secret(label: &str) -> Result<SecretString, String> {
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        return line(label);
    }
    let failed = |error: rustix::io::Errno| format!("the terminal cannot hide the input: {error}");
    let before = tcgetattr(&stdin).map_err(failed)?;
    let mut quiet = before.clone();
    quiet.local_modes.remove(LocalModes::ECHO);
    // The line break is shown, so that the next line starts below.
    quiet.local_modes.insert(LocalModes::ECHONL);
    show(label);
    tcsetattr(&stdin, OptionalActions::Now, &quiet).map_err(failed)?;
    let line = line(label);
    tcsetattr(&stdin, OptionalActions::Now, &before).map_err(failed)?;
    line
}

fn show(label: &str) {
    if io::stdin().is_terminal() {
        let mut err = io::stderr();
        let _ = write!(err, "{label}: ").and_then(|()| err.flush());
    }
}

/// The next line of standard input, without blanks around it.
fn line(label: &str) -> Result<SecretString, String> {
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line);
    read.map_err(|error| format!("standard input: {error}"))?;
    let text = line.trim();
    if text.is_empty() { Err(format!("{label}: nothing was given")) } else { Ok(text.into()) }
}
