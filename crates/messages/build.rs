//! Lists the message files of all languages, so that a new folder is a new language.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

#[expect(clippy::disallowed_methods, reason = "Cargo tells build scripts where to write")]
fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../messages").canonicalize()?;
    println!("cargo::rerun-if-changed={}", root.display());
    let mut list = "&[\n".to_owned();
    for language in sorted(&root)? {
        let code = name(&language);
        for file in sorted(&language)? {
            // Writing to a string cannot fail.
            let path = file.to_string_lossy();
            let _ = writeln!(list, "({code:?}, {:?}, include_str!({path:?})),", name(&file));
        }
    }
    list.push(']');
    let target = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    fs::write(target.join("files.rs"), list)
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found: Vec<_> =
        fs::read_dir(folder)?.map(|it| it.map(|it| it.path())).collect::<Result<_, _>>()?;
    found.sort();
    Ok(found)
}

fn name(path: &Path) -> String {
    path.file_stem().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default()
}
