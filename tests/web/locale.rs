//! The language and the time zone of pages.

use std::collections::BTreeSet;
use std::path::Path;

use grantor_domain::admin::AdminRole;
use grantor_messages::Language;
use grantor_testkit::db_test;
use http::Method;

use super::admin::staff;
use super::kit::{Browser, WebFixture};

const SETTINGS: &str = "/app/profile/language";

fn german(key: &'static str) -> &'static str {
    Language::find("de").unwrap().text(key)
}

#[db_test]
async fn a_visitor_reads_the_language_of_the_browser(fixture: WebFixture) {
    for (accepted, code) in [("de-AT,en;q=0.8", "de"), ("fr,en;q=0.8", "en"), ("", "en")] {
        let request = fixture.app.request(Method::GET, "/app/sign-in");
        let answer = request.header("accept-language", accepted).send().await;
        let page = String::from_utf8_lossy(&answer.body).into_owned();
        assert!(page.contains(&format!("<html lang=\"{code}\"")), "{accepted}: {page}");
    }
}

#[db_test]
async fn a_visitor_chooses_another_language(fixture: WebFixture) {
    let mut visitor = fixture.browser();
    let seen = visitor.get("/app/sign-in").await;
    seen.says(200, &["English", "Deutsch"]);
    assert!(seen.page.contains("<html lang=\"en\""));
    let form = [("language", "de"), ("back", "/app/sign-in?next=%2Fapp%2Flogs")];
    let seen = visitor.post("/app/language", &form).await;
    assert_eq!(seen.location.as_deref(), Some("/app/sign-in?next=%2Fapp%2Flogs"));
    let seen = visitor.get("/app/sign-in").await;
    seen.says(200, &[german("view-nav-sign-up")]);
    assert!(seen.page.contains("<html lang=\"de\""));
    // Errors and pages that do not exist, too.
    visitor.get("/app/nothing").await.says(404, &["Seite nicht gefunden"]);
    let seen = visitor.post("/app/sign-in", &[("username", "ada"), ("password", "x")]).await;
    seen.says(401, &["Benutzername oder Passwort ist falsch"]);
    for (language, back) in [("xx", "/app/catalog"), ("de", "https://evil.example")] {
        let seen = visitor.post("/app/language", &[("language", language), ("back", back)]).await;
        let own = if back.starts_with('/') { back } else { "/" };
        assert_eq!((seen.status, seen.location.as_deref()), (303, Some(own)));
    }
    assert!(visitor.get("/app/catalog").await.page.contains("<html lang=\"de\""));
}

#[db_test]
async fn a_person_has_a_language_and_a_time_zone(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    ada.get("/app/profile").await.says(200, &["Pages are in English. Times are in UTC."]);
    let form = [("language", "de"), ("timeZone", "Europe/Berlin")];
    let seen = ada.follow(SETTINGS, &form).await;
    seen.says(200, &["Sprache und Zeitzone aktualisiert"]);
    assert!(seen.page.contains("<html lang=\"de\""));
    // The choice belongs to the person, not to the browser.
    let mut elsewhere = fixture.ada().await;
    let seen = elsewhere.get("/app/profile").await;
    seen.says(200, &["Seiten werden auf Deutsch angezeigt, Uhrzeiten in der Zone Europe/Berlin."]);
    assert!(seen.page.contains(" CET\"") || seen.page.contains(" CEST\""), "{}", seen.page);
    seen.hides(" UTC\"");
    let seen = elsewhere.post("/app/profile", &[("firstname", ""), ("phone", "?")]).await;
    seen.says(422, &["Bitte korrigieren Sie die Felder unten"]);
    seen.refuses("firstname", "Ist erforderlich.");
    let seen = elsewhere.post(SETTINGS, &[("language", "xx"), ("timeZone", "Berlin")]).await;
    seen.refuses("language", "Muss eines von Folgendem sein: de, en.");
    seen.refuses("timeZone", "Muss eine IANA-Zeitzone wie Europe/Berlin sein.");
    // The digest has the same time zone.
    let seen = elsewhere.get("/app/profile/notifications").await;
    assert!(seen.page.contains("<option value=\"Europe/Berlin\" selected>"), "{}", seen.page);
    let seen = ada.follow(SETTINGS, &[("language", ""), ("timeZone", "UTC")]).await;
    assert!(seen.page.contains("<html lang=\"en\""), "as the browser wants");
    let log = ada.get("/app/logs?action=locale.update").await;
    let changes = ["Language: none → Deutsch", "Time zone: UTC → Europe/Berlin"];
    log.says(200, &changes).says(200, &["Language: Deutsch → none", "Europe/Berlin → UTC"]);
    log.says(200, &["Language or time zone changed", "Ada Lovelace"]);
}

#[db_test]
async fn staff_have_a_language_and_a_time_zone(fixture: WebFixture) {
    let mut grace = staff(&fixture, AdminRole::SupportAdmin).await;
    grace.get("/app/admin/language").await.says(200, &["Language and time zone"]);
    let form = [("language", "de"), ("timeZone", "Asia/Tokyo")];
    let seen = grace.follow("/app/admin/language", &form).await;
    seen.says(200, &["Sprache und Zeitzone aktualisiert"]);
    assert!(grace.get("/app/admin").await.page.contains("<html lang=\"de\""));
}

/// A time is shown and entered in the zone of the person.
#[db_test]
async fn a_time_means_the_same_in_every_zone(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    ada.follow(SETTINGS, &[("language", "en"), ("timeZone", "America/New_York")]).await;
    let form = [
        ("name", "Reader"),
        ("environment", "production"),
        ("permissions", "license:read"),
        ("expiresAt", "2099-07-01T08:30"),
    ];
    let client = ada.post("/app/clients/new", &form).await.link("/app/clients/");
    ada.get(&client).await.holds("expiresAt", "2099-07-01T08:30");
    ada.follow(SETTINGS, &[("language", "en"), ("timeZone", "UTC")]).await;
    ada.get(&client).await.holds("expiresAt", "2099-07-01T12:30");
}

/// The English texts of three or more words that are others in German.
fn english_texts() -> BTreeSet<String> {
    let read = |language: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../messages").join(language);
        let files = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
        let pages = files.filter(|it| !it.to_string_lossy().contains("mail"));
        let texts: Vec<String> = pages.map(|it| std::fs::read_to_string(it).unwrap()).collect();
        let lines = texts.iter().flat_map(|it| it.lines());
        let plain = lines.filter(|it| !it.starts_with([' ', '#']) && !it.contains('{'));
        let pairs = plain.filter_map(|it| it.split_once(" = "));
        pairs.map(|(key, text)| (key.to_owned(), text.to_owned())).collect::<Vec<_>>()
    };
    let german: BTreeSet<_> = read("de").into_iter().map(|(_, text)| text).collect();
    let english = read("en").into_iter().map(|(_, text)| text);
    english.filter(|it| it.split(' ').count() >= 3 && !german.contains(it)).collect()
}

/// The texts of a page: those between its tags, and the values of attributes.
fn pieces(page: &str) -> impl Iterator<Item = String> {
    let parts = page.split(['<', '>', '"']).map(str::trim).filter(|it| it.contains(' '));
    let plain = |it: &str| it.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    parts.map(move |it| plain(it).replace("&amp;", "&"))
}

#[db_test]
async fn german_pages_have_no_english_texts(fixture: WebFixture) {
    let english = english_texts();
    assert!(english.len() > 1_000, "{}", english.len());
    let mut visitor = fixture.browser();
    let (mut ada, mut grace) = (fixture.ada().await, staff(&fixture, AdminRole::SuperAdmin).await);
    let form = [("language", "de"), ("back", "/")];
    for browser in [&mut visitor, &mut ada, &mut grace] {
        assert_eq!(browser.post("/app/language", &form).await.status, 303);
    }
    let mut seen = 0;
    // The pages of developers show emails as they were sent.
    let pages = grantor_web::pages();
    let pages = pages.iter().filter(|it| !it.contains('{') && !it.starts_with("/app/dev/"));
    for path in pages {
        let of_staff = path.starts_with("/app/admin");
        seen += look(&mut visitor, path, &english).await;
        seen += look(if of_staff { &mut grace } else { &mut ada }, path, &english).await;
    }
    assert!(seen > 80, "{seen}");
}

/// Opens a page and returns 1 if there is one.
async fn look(browser: &mut Browser<'_>, path: &str, english: &BTreeSet<String>) -> u32 {
    let seen = browser.get(path).await;
    if seen.status != 200 || !seen.page.starts_with("<!DOCTYPE") {
        return 0;
    }
    assert!(seen.page.contains("<html lang=\"de\""), "{path}");
    let found: Vec<_> = pieces(&seen.page).filter(|it| english.contains(it)).collect();
    assert!(found.is_empty(), "{path}: {found:?}");
    1
}
