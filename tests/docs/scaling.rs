//! `docs/scaling.md` quotes the figures of `cargo xtask cells`.

use std::path::Path;

#[path = "../../xtask/src/cells.rs"]
mod cells;

#[test]
fn the_page_quotes_what_the_simulation_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/scaling.md");
    let page = std::fs::read_to_string(path).unwrap();
    let quoted = format!("```console\n$ cargo xtask cells\n{}```\n", cells::report());
    assert!(page.contains(&quoted), "docs/scaling.md must contain:\n{quoted}");
}
