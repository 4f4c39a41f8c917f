//! `/app/sources`.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use grantor_service::watching::pod::Pace;
use grantor_service::watching::source;
use grantor_testkit::db_test;
use grantor_testkit::listener::{Call, Listener, Script};

use super::kit::{Browser, WebFixture};

/// No waiting in tests.
const AT_ONCE: Pace = Pace { pause: Duration::ZERO };

/// A site whose feeds answer with this status. Every path below `/feeds/` is a feed of its own.
async fn site(status: Arc<Mutex<u16>>) -> Listener {
    let answer = move |call: &Call| {
        let status = *status.lock().unwrap();
        let feed = format!(
            "<rss version='2.0'><channel><title>News of {}</title>
             <item><title>In town</title><link>/posts/1</link>
             <description>Grace Hopper is here.</description></item></channel></rss>",
            call.path
        );
        if call.path.starts_with("/feeds/") {
            Script::answer(status, feed.as_bytes())
        } else {
            Script::answer(404, b"")
        }
    };
    Listener::start(answer).await.unwrap()
}

async fn healthy() -> Listener {
    site(Arc::new(Mutex::new(200))).await
}

/// What the second form returns unchanged.
fn form<'a>(url: &'a str, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut form = vec![("url", url), ("frequency", "daily"), ("watch", "all")];
    form.extend(more);
    form
}

/// Watches an address; gives the address of the source's page.
async fn watched(browser: &mut Browser<'_>, url: &str) -> String {
    format!("/app/sources/{}", browser.post("/app/sources/new", &form(url, &[])).await.made())
}

/// Creates a talent with a watched license.
async fn talent(browser: &mut Browser<'_>) -> String {
    let id = browser.post("/app/talents/new", &[("fullname", "Grace Hopper")]).await.made();
    let form = [
        ("talent", &*id),
        ("name", "Winter"),
        ("type", "advertising"),
        ("status", "private"),
        ("canCrawl", "true"),
    ];
    assert_eq!(browser.upload("/app/licenses/new", &form, &[]).await.status, 303);
    id
}

async fn scan(fixture: &WebFixture) -> u64 {
    source::scan_due(&fixture.app.app, AT_ONCE).await.unwrap()
}

#[db_test]
async fn an_address_is_looked_at_before_it_is_watched(fixture: WebFixture) {
    let (mut ada, site) = (fixture.ada().await, healthy().await);
    let id = talent(&mut ada).await;
    let teaches = ["Watch your first address", "You don't have to own it"];
    ada.get("/app/sources").await.says(200, &teaches);
    ada.get("/app/sources/new").await.says(200, &["Paste the address of anything public"]);
    let url = site.url("/feeds/a");
    let seen = ada.post("/app/sources/look", &[("url", &*url)]).await;
    seen.says(200, &["What was found", "Title News of /feeds/a", "What is read Feed", "1 item"]);
    seen.says(200, &["In town", "All talents, including those you add later", "Grace Hopper"]);
    seen.holds("name", "News of /feeds/a").holds("url", &url).hides("No sources");
    assert!(!seen.text.contains(&id), "nobody reads an id: {}", seen.text);
    ada.get("/app/sources").await.says(200, &["Watch your first address"]);

    let seen = ada.follow("/app/sources/new", &form(&url, &[("name", "The News")])).await;
    seen.says(200, &["The address is watched from now on.", "The News", "Looks for All talents"]);
    seen.says(200, &["The first scan starts within seconds.", "No scans yet.", "Next scan now"]);
    assert_eq!(scan(&fixture).await, 1);
    let list = ada.get("/app/sources").await;
    list.says(200, &["The News", "1 item read, 1 new or changed, 1 new mention."]);
    let page = ada.get(&list.link("/app/sources/0")).await;
    page.says(200, &["In town Grace Hopper needs review new", "Mentions found 1"]);
    assert!(page.page.contains("data-live=\"source\""), "{}", page.text);
    assert!(list.page.contains("data-live=\"sources\""), "{}", list.text);
}

#[db_test]
async fn what_cannot_be_watched_is_said_at_the_field(fixture: WebFixture) {
    let (mut ada, site) = (fixture.ada().await, healthy().await);
    ada.post("/app/sources/look", &[]).await.says(422, &[]).refuses("url", "Is required.");
    for url in ["https://www.instagram.com/ada", &site.url("/nothing"), "not an address"] {
        let seen = ada.post("/app/sources/look", &[("url", url)]).await;
        seen.says(422, &["Watch an address"]).holds("url", url).begins_at("url");
    }
    let url = site.url("/feeds/a");
    let long = "x".repeat(121);
    let more =
        [("name", &*long), ("found.title", "News"), ("found.kind", "feed"), ("watch", "some")];
    let mut wrong = form(&url, &more);
    wrong.retain(|it| *it != ("watch", "all"));
    let seen = ada.post("/app/sources/new", &wrong).await;
    seen.says(422, &["What was found", "Title News"]).holds("name", &long);
    seen.refuses("talents", "Must contain at least one talent.");
}

#[db_test]
async fn talents_are_chosen_by_name(fixture: WebFixture) {
    let (mut ada, site) = (fixture.ada().await, healthy().await);
    let grace = talent(&mut ada).await;
    let mary = ada.post("/app/talents/new", &[("fullname", "Mary Somerville")]).await.made();
    let url = site.url("/feeds/a");
    let chosen = [("watch", "some"), ("talents", &*grace), ("step", "search"), ("search", "mary")];
    let mut search = form(&url, &chosen);
    search.retain(|it| *it != ("watch", "all"));
    let seen = ada.post("/app/sources/new", &search).await;
    seen.says(200, &["Grace Hopper", "Mary Somerville"]).holds("search", "mary");
    assert!(seen.page.contains(&format!("value=\"{grace}\" checked")), "the choice is kept");
    assert!(!seen.page.contains(&format!("value=\"{mary}\" checked")));
    search.retain(|it| it.0 != "step" && it.0 != "search");
    let seen = ada.follow("/app/sources/new", &search).await;
    seen.says(200, &["Looks for Grace Hopper"]).hides("All talents");
    let edit = seen.link("/app/sources/0");
    let seen = ada.get(&edit).await;
    assert!(seen.page.contains(&format!("value=\"{grace}\" checked")), "{}", seen.text);
    let change = [("name", "Two"), ("frequency", "weekly"), ("watch", "some"), ("talents", &*mary)];
    let seen = ada.follow(&edit, &change).await;
    seen.says(200, &["Source updated", "Two", "Every week", "Looks for Mary Somerville"]);
    ada.post(&edit, &[("watch", "all")]).await.says(422, &[]).refuses("name", "Is required.");
}

#[db_test]
async fn a_source_is_paused_scanned_and_deleted(fixture: WebFixture) {
    let (mut ada, site) = (fixture.ada().await, healthy().await);
    let page = watched(&mut ada, &site.url("/feeds/a")).await;
    scan(&fixture).await;
    ada.follow(&format!("{page}/scan"), &[]).await.says(200, &["Scan requested."]);
    assert_eq!(scan(&fixture).await, 1);
    let seen = ada.follow(&format!("{page}/scan"), &[]).await;
    seen.says(200, &["A source can be scanned once a minute"]);
    let seen = ada.follow(&format!("{page}/status"), &[("status", "paused")]).await;
    seen.says(200, &["Source paused", "Not scanned until you resume it.", "Resume"]);
    seen.hides("Scan now");
    ada.get("/app/sources?status=running").await.says(200, &["No sources found"]);
    let seen = ada.follow(&format!("{page}/status"), &[("status", "running")]).await;
    seen.says(200, &["Source resumed", "Pause"]);
    ada.post(&format!("{page}/status"), &[("status", "off")]).await.says(422, &["must be one of"]);
    let seen = ada.follow(&format!("{page}/delete"), &[]).await;
    seen.says(200, &["Source deleted", "Watch your first address"]);
    ada.get(&page).await.says(404, &[]);
}

#[db_test]
async fn an_address_that_is_watched_already_leads_to_its_source(fixture: WebFixture) {
    let (mut ada, site) = (fixture.ada().await, healthy().await);
    let url = site.url("/feeds/a");
    let page = watched(&mut ada, &url).await;
    let again = ada.post("/app/sources/new", &form(&url, &[])).await;
    assert_eq!((again.status, again.location.as_deref()), (303, Some(&*page)));
    ada.get(&page).await.says(200, &["You already watch this address"]);
}

#[db_test]
async fn a_failing_source_says_since_when_and_why(fixture: WebFixture) {
    let status = Arc::new(Mutex::new(200));
    let (mut ada, site) = (fixture.ada().await, site(Arc::clone(&status)).await);
    let page = watched(&mut ada, &site.url("/feeds/a")).await;
    *status.lock().unwrap() = 500;
    assert_eq!(scan(&fixture).await, 1);
    let seen = ada.get(&page).await;
    seen.says(200, &["failing", "Scans have been failing since just now.", "Last error:", "500"]);
    ada.get("/app/sources").await.says(200, &["failing", "Failing since just now."]);
}

#[db_test]
async fn others_see_nothing_of_a_source(fixture: WebFixture) {
    let (mut ada, site) = (fixture.ada().await, healthy().await);
    let page = watched(&mut ada, &site.url("/feeds/a")).await;
    let mut mary = fixture.stranger().await;
    mary.get(&page).await.says(404, &[]).hides("/feeds/a");
    mary.get(&format!("{page}/edit")).await.says(404, &[]);
    let form = [("name", "Mine"), ("frequency", "daily"), ("watch", "all"), ("status", "paused")];
    for action in ["/edit", "/status", "/scan", "/delete"] {
        mary.post(&format!("{page}{action}"), &form).await.says(404, &[]);
    }
    let mut colleague = fixture.colleague("Team_Member").await;
    colleague.get(&page).await.says(200, &["News of /feeds/a"]).hides("/delete").hides("Scan now");
    colleague.get("/app/sources").await.says(200, &["News of"]).hides("/app/sources/new");
    for path in ["/app/sources/new", &format!("{page}/edit")] {
        colleague.get(path).await.says(403, &[]);
    }
    colleague.post(&format!("{page}/scan"), &[]).await.says(403, &[]);
}

#[db_test]
async fn only_accounts_with_talents_have_sources(fixture: WebFixture) {
    fixture.becomes("Brand").await;
    let mut ada = fixture.ada().await;
    ada.get("/app/sources").await.says(403, &["Brand accounts cannot view sources"]);
    ada.get("/app").await.says(200, &[]).hides("href=\"/app/sources\"");
}
