//! The kit itself: that it sees what is there, and that it notices what is wrong.

use axum::Router;
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::response::Html;
use axum::routing::{get, post};
use grantor_testkit::site::{Served, Site};

/// A page with everything the words are for, and nothing wrong.
const SOUND: &str = r#"<!DOCTYPE html><html lang="en"><head><title>Sound</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<style>html { color-scheme: light dark; background: Canvas }</style></head>
<body><main><h1>Sound</h1>
<form method="post" action="/told"><p><label for="email">Email *</label> <input id="email" name="email"></p>
<p><label>Day <input type="date" name="day"></label></p>
<p><label>Color <select name="color"><option>Red</option><option>Blue</option></select></label></p>
<p><label><input type="checkbox" name="agreed" value="yes"> I agree</label></p>
<p><button>Send</button></p></form>
<form method="post" action="/taken" enctype="multipart/form-data">
<p><label>Images <input type="file" name="images" multiple></label></p><p><button>Upload</button></p></form>
<ul><li>Ada <button aria-label="Greet" type="button">&#x1F44B;</button></li>
<li>Bob <a href="/?bob">Greet</a></li></ul>
</main></body></html>"#;

/// The same promises broken, one each.
const BROKEN: &str = r#"<!DOCTYPE html><html lang="en"><head><title>Broken</title>
<link rel="icon" href="data:,"></head>
<body><main><h1>Broken</h1><img src="/nothing.png">
<div style="width: 2000px">Wide</div><p id="two"></p><p id="two"></p>
<script>document.body.append("never")</script></main></body></html>"#;

const POLICY: &str = "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'";

async fn pages() -> Served {
    let strict =
        |page| get(move || async move { ([(CONTENT_SECURITY_POLICY, POLICY)], Html(page)) });
    let told = post(|body: String| async move { Html(format!("<p>You told: {body}</p>")) });
    let taken = post(|body: axum::body::Bytes| async move {
        let files = String::from_utf8_lossy(&body).matches("filename=\"").count();
        Html(format!("<p>{files} files</p>"))
    });
    let refused = get(|| async { (axum::http::StatusCode::UNPROCESSABLE_ENTITY, Html(SOUND)) });
    let pages = Router::new()
        .route("/refused", refused)
        .route("/", strict(SOUND))
        .route("/broken", strict(BROKEN));
    Served::pages(pages.route("/told", told).route("/taken", taken)).await
}

/// Width and height of a PNG file, as its first chunk tells them.
fn size_of(file: &std::path::Path) -> (u32, u32) {
    let bytes = std::fs::read(file).unwrap();
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_there_are_load_without_a_complaint() {
    let site = Site::start().await;
    let browser = site.browser().await;
    browser.open("/docs/").await;
    browser.see("External API").await;
    assert_eq!(browser.console_errors().await, [""; 0]);
    assert_eq!(browser.foreign().await, [""; 0]);
    browser.open("/app/magic?token=x").await;
    assert_eq!((browser.axe().await, browser.console_errors().await), (vec![], vec![]));
    browser.press_near("Click the button", "Sign in").await;
    browser.see("Email me a new link").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sound_page_has_nothing_wrong_in_any_light_or_size() {
    let pages = pages().await;
    let browser = pages.browser().await;
    browser.open("/").await;
    for (width, height) in [(1280, 900), (390, 844)] {
        browser.resize(width, height).await;
        browser.dark().await;
        assert_eq!((browser.axe().await, browser.too_wide().await), (vec![], vec![]));
        browser.light().await;
        assert_eq!((browser.axe().await, browser.console_errors().await), (vec![], vec![]));
    }
    browser.open("/refused").await;
    assert_eq!(browser.console_errors().await, [""; 0], "its own status is not against it");
    assert!((300..3_000).contains(&browser.transferred().await));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_page_is_noticed() {
    let pages = pages().await;
    let browser = pages.browser().await;
    browser.open("/broken").await;
    let complaints = browser.console_errors().await.join("\n");
    assert!(complaints.contains("Content Security Policy"), "{complaints}");
    assert!(complaints.contains("nothing.png"), "{complaints}");
    assert_eq!(browser.doubled_ids().await, ["two"]);
    let found = browser.axe().await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("image-alt (critical): "), "{found:?}");
    browser.resize(390, 844).await;
    assert_eq!(browser.too_wide().await, ["div"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_filled_by_its_labels() {
    let pages = pages().await;
    let browser = pages.browser().await;
    browser.open("/").await;
    browser.fill("Email", "wrong").await;
    browser.fill("Email", "a@b.example").await;
    browser.fill("Day", "2026-02-03").await;
    browser.fill("Color", "Blue").await;
    browser.tick("I agree").await;
    assert_eq!(browser.value("Day").await, "2026-02-03");
    assert_eq!(browser.tab().await, "Send");
    browser.press("Send").await;
    browser.see("You told: email=a%40b.example&day=2026-02-03&color=Blue&agreed=yes").await;
    browser.open("/").await;
    browser.press_near("Bob", "Greet").await;
    browser.arrive("/?bob").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_uploaded() {
    let (pages, folder) = (pages().await, tempfile::tempdir().unwrap());
    let files = ["one.txt", "two.txt"].map(|name| folder.path().join(name));
    for file in &files {
        std::fs::write(file, "text").unwrap();
    }
    let browser = pages.browser().await;
    browser.open("/").await;
    browser.upload("Images", &[&files[0], &files[1]]).await;
    browser.press("Upload").await;
    browser.see("2 files").await;
    browser.gone("Images").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_screenshot_has_the_size_of_the_screen_or_of_the_page() {
    let (pages, folder) = (pages().await, tempfile::tempdir().unwrap());
    let file = folder.path().join("page.png");
    let browser = pages.browser().await;
    browser.resize(390, 200).await;
    browser.open("/").await;
    browser.screenshot(&file).await;
    assert_eq!(size_of(&file), (390, 200));
    browser.full_screenshot(&file).await;
    let (width, height) = size_of(&file);
    assert!(width == 390 && height > 300, "{width} × {height}");
}

#[tokio::test(flavor = "multi_thread")]
#[should_panic(expected = "\"Never\" is not visible\nat http://127.0.0.1:")]
async fn what_never_comes_fails_with_the_page() {
    let pages = pages().await;
    let browser = pages.browser().await.with_timeout(std::time::Duration::from_secs(1));
    browser.open("/").await;
    browser.see("Never").await;
}
