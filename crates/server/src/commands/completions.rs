//! `grantor completions` and `grantor man`.

use std::path::Path;

use clap_complete::Shell;

use crate::cli;

/// The completions for a shell.
pub(crate) fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut cli::command(), "grantor", &mut script);
    String::from_utf8_lossy(&script).trim_end().to_owned()
}

/// The manual page, or what was written to a directory.
pub(crate) fn manual(folder: Option<&Path>) -> Result<String, String> {
    let Some(folder) = folder else {
        let mut page = Vec::new();
        let rendered = clap_mangen::Man::new(cli::command()).render(&mut page);
        rendered.map_err(|error| error.to_string())?;
        return Ok(String::from_utf8_lossy(&page).trim_end().to_owned());
    };
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(cli::command(), folder));
    written.map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(format!("The manual pages are in {}.", folder.display()))
}
