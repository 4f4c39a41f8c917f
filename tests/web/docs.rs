//! `/docs`: the documentation as HTML, as Markdown and as results of a search, and what it shows of
//! its reader.

use std::io::Read as _;

use flate2::read::GzDecoder;
use grantor_docs::{API_KEY, ASSETS, PAGES};
use grantor_testkit::app::TestApp;
use grantor_testkit::{Engine, Fixture as _, db_test};
use http::Method;

use super::kit::{Browser, WebFixture};

const QUICK_START: &str = "/docs/quick-start";

/// Creates an API client in an environment, and returns its key and its secret.
async fn client(browser: &mut Browser<'_>, environment: &str) -> (String, String) {
    let form =
        [("name", environment), ("environment", environment), ("permissions", "license:read")];
    let seen = browser.post("/app/clients/new", &form).await;
    let shown = |label: &str| seen.between(&format!("{label}\"><code>"), "<").expect("a value");
    (shown("API key"), shown("API secret"))
}

#[tokio::test]
async fn every_page_is_html_and_markdown() {
    let app = TestApp::on(Engine::Sqlite).await;
    let mut browser = Browser::on(&app);
    for page in PAGES {
        let seen = browser.get(page.path).await;
        seen.says(200, &[page.title, "This page as Markdown", "API reference"]);
        assert!(seen.page.contains("<html lang=\"en\""), "{}", page.slug);
        let policy = seen.policy.unwrap();
        assert!(policy.contains("script-src 'self'; style-src 'self';"), "{policy}");
        let markdown = browser.get(&format!("/docs/{}.md", page.slug)).await;
        assert_eq!(markdown.kind.as_deref(), Some("text/markdown; charset=utf-8"));
        assert!(markdown.page.contains(&format!("# {}\n", page.title)), "{}", page.slug);
    }
    for missing in ["/docs/nothing", "/docs/nothing.md", "/docs/architecture", "/docs/index/x"] {
        assert_eq!(browser.get(missing).await.status, 404, "{missing}");
    }
    let start = browser.get("/docs/.md").await;
    assert_eq!(start.page, browser.get("/docs/index.md").await.page);
    let reference = browser.get("/docs/reference.md").await;
    let document = Some("/openapi/external.json");
    assert_eq!((reference.status, reference.location.as_deref()), (303, document));
    let start = browser.get("/docs").await;
    assert_eq!((start.status, start.location.as_deref()), (308, Some("/docs/")));
}

#[tokio::test]
async fn pages_load_only_what_this_server_has() {
    let app = TestApp::on(Engine::Sqlite).await;
    for path in ["/docs/", QUICK_START, "/docs/search?q=webhook", "/docs/reference"] {
        let page = String::from_utf8(app.get(path).await.body).unwrap();
        let (scripts, links) = (page.split("<script src=\""), page.split("<link rel=\""));
        let scripts = scripts.skip(1).map(|it| it.split('"').next().unwrap());
        let links = links.skip(1).filter_map(|it| it.split(" href=\"").nth(1)?.split('"').next());
        let loaded: Vec<_> = scripts.chain(links).collect();
        assert!(loaded.len() >= 3, "{path}: {loaded:?}");
        for address in loaded {
            assert_eq!(app.get(address).await.status, 200, "{path}: {address}");
        }
    }
    let policy = app.get("/docs/reference").await;
    let policy = policy.header("content-security-policy").unwrap();
    let strict = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';";
    assert!(policy.starts_with(strict) && policy.contains("connect-src 'self';"), "{policy}");
}

#[tokio::test]
async fn files_are_kept_by_browsers_and_sent_compressed() {
    let app = TestApp::on(Engine::Sqlite).await;
    for asset in ASSETS {
        let plain = app.get(asset.path).await;
        let request = app.request(Method::GET, asset.path).header("accept-encoding", "gzip");
        let gzip = request.send().await;
        assert_eq!((plain.status.as_u16(), gzip.status.as_u16()), (200, 200), "{}", asset.name);
        assert_eq!(plain.header("content-encoding"), None);
        assert_eq!(gzip.header("content-encoding"), Some("gzip"));
        assert_eq!(gzip.header("content-type"), Some(asset.content_type));
        assert_eq!(gzip.header("cache-control"), Some("public, max-age=31536000, immutable"));
        let mut content = vec![];
        GzDecoder::new(gzip.body.as_slice()).read_to_end(&mut content).unwrap();
        assert_eq!(content, plain.body, "{}", asset.name);
        let other = format!("/docs/assets/0/{}", asset.name);
        assert_eq!(app.get(&other).await.status, 404);
    }
}

#[tokio::test]
async fn a_search_needs_no_script() {
    let app = TestApp::on(Engine::Sqlite).await;
    let mut browser = Browser::on(&app);
    let seen = browser.get("/docs/search?q=verify+signature").await;
    let found = seen.says(200, &["Results for “verify signature”", "Verify the signature"]);
    assert!(found.page.contains("href=\"/docs/webhooks#verify-the-signature\""));
    let seen = browser.get("/docs/search?q=POST+/decisions").await;
    let operation = "/docs/reference#external/tag/decisions/POST/decisions";
    assert!(seen.page.contains(&format!("href=\"{operation}\"")), "{}", seen.text);
    let seen = browser.get("/docs/search?q=%3Cscript%3Ezzz").await;
    seen.says(200, &["Nothing was found"]).hides("<script>zzz");
    browser.get("/docs/search").await.says(200, &["Enter a word"]);
    let long = format!("/docs/search?q={}", "a".repeat(201));
    for wrong in [long.as_str(), "/docs/search?q=%FF"] {
        browser.get(wrong).await.says(400, &["Search for a text of at most 200 characters."]);
    }
}

#[tokio::test]
async fn programs_find_every_page_in_a_list() {
    let app = TestApp::on(Engine::Sqlite).await;
    let list = app.get("/llms.txt").await;
    assert_eq!(list.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(list.body, app.get("/docs/llms.txt").await.body);
    let text = String::from_utf8(list.body).unwrap();
    let addresses = text.split("](https://grantor.test").skip(1);
    let addresses: Vec<_> = addresses.map(|it| it.split(')').next().unwrap()).collect();
    assert_eq!(addresses.len(), PAGES.len() + 2);
    for address in addresses {
        assert_eq!(app.get(address).await.status, 200, "{address}");
    }
}

#[db_test]
async fn examples_show_this_server_and_the_test_key_of_the_reader(fixture: WebFixture) {
    let seen = fixture.browser().get(QUICK_START).await;
    seen.says(200, &["Sign in to see your own test key", API_KEY, "https://grantor.test"]);
    assert!(seen.text.contains("export GRANTOR_URL=https://grantor.test"), "{}", seen.text);
    assert!(!seen.text.contains("127.0.0.1:8080"), "{}", seen.text);
    let mut ada = fixture.ada().await;
    let (live, _) = client(&mut ada, "production").await;
    let seen = ada.get(QUICK_START).await;
    seen.says(200, &["Create an API client", API_KEY]).hides(&live);
    let (key, secret) = client(&mut ada, "development").await;
    let seen = ada.get(QUICK_START).await;
    let shown = format!("export GRANTOR_API_KEY={key}");
    seen.says(200, &["The examples show the key of your API client development"]);
    let plain = seen.page.replace("<i class=\"k\">", "").replace("</i>", "");
    assert!(plain.contains(&shown), "{plain}");
    seen.hides(API_KEY).hides(&secret);
    let markdown = ada.get("/docs/quick-start.md").await;
    markdown.says(200, &[&shown]).hides(&secret);
    fixture.stranger().await.get(QUICK_START).await.says(200, &[API_KEY]).hides(&key);
    let mut colleague = fixture.colleague("Team_Member").await;
    let seen = colleague.get(QUICK_START).await;
    seen.says(200, &[API_KEY])
        .hides(&key)
        .hides("your own test key")
        .hides("/app/clients/new\">Create");
}

#[tokio::test]
async fn a_key_that_no_longer_works_is_not_shown() {
    let fixture = WebFixture::on(Engine::Sqlite).await;
    let mut ada = fixture.ada().await;
    let (key, _) = client(&mut ada, "staging").await;
    ada.get(QUICK_START).await.says(200, &[&key]);
    fixture.run("UPDATE clients SET status = 'inactive'".to_owned()).await;
    ada.get(QUICK_START).await.says(200, &["Create an API client", API_KEY]).hides(&key);
}

#[tokio::test]
async fn readers_come_from_the_console_and_go_back() {
    let fixture = WebFixture::on(Engine::Sqlite).await;
    let mut ada = fixture.ada().await;
    assert!(ada.get("/app").await.page.contains("href=\"/docs/\""));
    assert!(ada.get("/docs/").await.page.contains("href=\"/app\""));
    assert!(ada.get("/docs/reference").await.page.contains("href=\"/app\""));
    let seen = ada.follow("/app/theme", &[("theme", "dark"), ("back", QUICK_START)]).await;
    assert!(
        seen.page.contains("data-theme=\"dark\"") && seen.page.contains("<h1>Quick start</h1>")
    );
    // The documentation is in English, whatever the language of the console.
    ada.post("/app/language", &[("language", "de"), ("back", "/")]).await;
    let seen = ada.get(QUICK_START).await;
    assert!(seen.page.contains("<html lang=\"en\"") && seen.page.contains("Skip to content"));
    // Who signs in for the key comes back.
    let mut browser = fixture.browser();
    let form = [("username", "ada@example.com"), ("password", crate::console::PASSWORD)];
    let form = [form.as_slice(), &[("next", QUICK_START)]].concat();
    let seen = browser.post("/app/sign-in", &form).await;
    assert_eq!(seen.location.as_deref(), Some(QUICK_START));
}
