//! `cargo xtask tour`: screenshots of the pages of the real program with sample data.

#![expect(clippy::expect_used, clippy::panic, reason = "a tour that cannot be taken fails loudly")]

mod pages;
mod palette;

use std::path::{Path, PathBuf};

use grantor_testkit::browser::Browser;
use grantor_testkit::print_figure;
use grantor_testkit::server::{GrantorProcess, Installation};
use serde_json::Value;

use self::pages::{PAGES, PHONE, Row, WIDE, Who};

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (all, folder) = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--all", folder] => (true, PathBuf::from(folder)),
        [folder] if !folder.starts_with('-') => (false, PathBuf::from(folder)),
        _ => panic!("usage: grantor-tour [--all] FOLDER"),
    };
    std::fs::create_dir_all(&folder).expect("a folder for the pictures");
    let home = Installation::default().with("GRANTOR_LIMITS", "off");
    let sample = home.run("demo --json").await.ok();
    let sample: Value = serde_json::from_str(&sample).expect("a sample in JSON");
    let server = home.serve().await;
    for who in [Who::Nobody, Who::Person, Who::Host, Who::Admin] {
        let rows: Vec<&Row> =
            PAGES.iter().filter(|it| it.2 == who && (all || !it.3.is_empty())).collect();
        if !rows.is_empty() {
            let browser = enter(&server, &sample, who).await;
            for row in rows {
                visit(&browser, &sample, row, all, &folder).await;
            }
        }
    }
}

async fn enter(server: &GrantorProcess, sample: &Value, who: Who) -> Browser {
    let browser = Browser::start(&format!("http://{}", server.address())).await;
    match who {
        Who::Nobody => {}
        Who::Person => {
            let (email, password) = ("{/console/email}", "{/console/password}");
            browser.sign_in(&filled(email, sample), &filled(password, sample)).await;
        }
        Who::Host => {
            let (email, password) = ("{/accounts/2/email}", "{/accounts/2/password}");
            browser.sign_in(&filled(email, sample), &filled(password, sample)).await;
        }
        Who::Admin => browser.sign_in_as_staff(&filled("{/admin/token}", sample)).await,
    }
    browser
}

async fn visit(browser: &Browser, sample: &Value, row: &Row, all: bool, folder: &Path) {
    let (name, address, _, shown) = *row;
    let screens = if all { &[WIDE, PHONE] } else { shown };
    for (width, height, screen) in screens {
        browser.resize(*width, *height).await;
        browser.light().await;
        browser.open(&filled(address, sample)).await;
        let light = if *screen == WIDE.2 { String::new() } else { format!("-{screen}") };
        picture(browser, &folder.join(format!("{name}{light}.png"))).await;
        if all {
            browser.dark().await;
            picture(browser, &folder.join(format!("{name}{light}-dark.png"))).await;
        }
    }
}

async fn picture(browser: &Browser, file: &Path) {
    browser.settle().await;
    browser.full_screenshot(file).await;
    palette::shrink(file);
    let bytes = std::fs::metadata(file).expect("the picture").len();
    print_figure(&format!("{} {} KB", file.display(), bytes.div_ceil(1_000)));
}

/// Replaces what is in braces with values from the sample data.
fn filled(text: &str, sample: &Value) -> String {
    let Some((before, rest)) = text.split_once('{') else { return text.to_owned() };
    let (pointer, after) = rest.split_once('}').expect("a closing brace");
    let found = sample.pointer(pointer).and_then(Value::as_str);
    let found = found.unwrap_or_else(|| panic!("the sample has no {pointer}"));
    format!("{before}{found}{}", filled(after, sample))
}
