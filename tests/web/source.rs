//! `/app/sources`.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use grantor_service::watching::pod::Pace;
use grantor_service::watching::source;
use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::{db_test, seed};

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
    seen.says(200, &["The first scan starts within seconds.", "No scans yet."]);
    seen.says(200, &["Next scan within seconds"]);
    assert_eq!(site.calls().len(), 2, "robots.txt and the feed, for looking and watching");
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
    seen.says(200, &["A source can be scanned once a minute. Try again in 60 seconds"]);
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
    let calls = site.connections();
    let look = vec![("url", &*url)];
    for (path, form) in [("/app/sources/look", look), ("/app/sources/new", form(&url, &[]))] {
        let again = ada.post(path, &form).await;
        assert_eq!((again.status, again.location.as_deref()), (303, Some(&*page)), "{path}");
        ada.get(&page).await.says(200, &["You already watch this address"]);
    }
    assert_eq!(site.connections(), calls, "nothing is fetched");
}

#[db_test]
async fn a_full_plan_is_said_before_anything_is_fetched(fixture: WebFixture) {
    let (mut ada, site) = (fixture.ada().await, healthy().await);
    watched(&mut ada, &site.url("/feeds/a")).await;
    fixture.run("UPDATE tenant_usage SET sources = 5 WHERE sources = 1".to_owned()).await;
    let calls = site.connections();
    let seen = ada.post("/app/sources/look", &[("url", &*site.url("/feeds/b"))]).await;
    seen.says(409, &["Your plan allows 5 sources; upgrade for more"]);
    assert_eq!(site.connections(), calls);
}

/// Ticks and "all" contradict each other, unless "all" is what was changed.
#[db_test]
async fn ticked_talents_are_not_ignored(fixture: WebFixture) {
    let (mut ada, site) = (fixture.ada().await, healthy().await);
    let grace = talent(&mut ada).await;
    let url = site.url("/feeds/a");
    let hint = "Chosen talents stay chosen when you search";
    ada.post("/app/sources/look", &[("url", &*url)]).await.says(200, &[]).hides(hint);
    let seen = ada.post("/app/sources/new", &form(&url, &[("talents", &*grace)])).await;
    let wrong = "Must not be ticked if you look for all talents: untick them, or choose \
                 &quot;Only the talents below&quot;.";
    seen.says(422, &[]).refuses("talents", wrong);
    assert!(seen.page.contains(&format!("value=\"{grace}\" checked")), "the choice is kept");
    let some = [("url", &*url), ("frequency", "daily"), ("watch", "some"), ("talents", &*grace)];
    let seen = ada.follow("/app/sources/new", &some).await;
    let edit = seen.says(200, &["Looks for Grace Hopper"]).link("/app/sources/0");
    let all = [("name", "One"), ("frequency", "daily"), ("watch", "all"), ("talents", &*grace)];
    ada.follow(&edit, &all).await.says(200, &["Looks for All talents"]);
}

/// A lead manages what is watched for talents of their own teams, and sees no other buttons.
#[db_test]
async fn a_lead_sees_what_they_may_do(fixture: WebFixture) {
    let (mut ada, site) = (fixture.ada().await, healthy().await);
    let page = watched(&mut ada, &site.url("/feeds/a")).await;
    let mut lead = fixture.colleague("Team_Lead").await;
    let seen = lead.get(&page).await;
    seen.says(200, &["News of /feeds/a"]);
    for action in ["/scan", "/status", "/edit", "/delete"] {
        seen.hides(&format!("{page}{action}"));
    }
    lead.get(&format!("{page}/edit")).await.says(403, &[]);
    lead.post(&format!("{page}/scan"), &[]).await.says(403, &[]);
    ada.get(&page).await.says(200, &["Scan now", "Pause", "Edit"]);
}

#[db_test]
async fn an_empty_feed_has_no_newest_items(fixture: WebFixture) {
    let feed = "<rss version='2.0'><channel><title>Quiet</title></channel></rss>";
    let answer = move |call: &Call| match call.path.as_str() {
        "/quiet" => Script::ok(feed.as_bytes()),
        _ => Script::answer(404, b""),
    };
    let (mut ada, site) = (fixture.ada().await, Listener::start(answer).await.unwrap());
    let seen = ada.post("/app/sources/look", &[("url", &*site.url("/quiet"))]).await;
    seen.says(200, &["Title Quiet", "Items 0 items"]).hides("Newest");
}

/// A hub pushes when there is something new, so nobody is asked how often.
#[db_test]
async fn what_is_only_pushed_has_no_frequency(fixture: WebFixture) {
    let (mut ada, site) = (fixture.ada().await, healthy().await);
    let page = watched(&mut ada, &site.url("/feeds/a")).await;
    ada.get(&page).await.says(200, &["How often Every day"]);
    fixture.run("UPDATE watched_feeds SET push_only = TRUE".to_owned()).await;
    let seen = ada.get(&page).await;
    seen.says(200, &["Next scan When something new is published"]).hides("How often");
    let edit = format!("{page}/edit");
    ada.get(&edit).await.says(200, &["Edit source"]).hides("How often");
    let form = [("name", "Pushed"), ("frequency", "daily"), ("watch", "all")];
    ada.follow(&edit, &form).await.says(200, &["Source updated", "Pushed"]);
    let found = [("url", "https://a.example/"), ("found.push", "true"), ("step", "search")];
    ada.post("/app/sources/new", &found).await.says(200, &["Start watching"]).hides("How often");
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
async fn a_source_says_whether_its_hub_pushes(fixture: WebFixture) {
    let feed = "<feed xmlns='http://www.w3.org/2005/Atom'><title>News</title>
        <link rel='hub' href='https://hub.example/'/><link rel='self' href='/hub'/></feed>";
    let answer = move |call: &Call| match call.path.as_str() {
        "/hub" => Script::ok(feed.as_bytes()),
        "/plain" => Script::ok(b"<rss version='2.0'><channel><title>Old</title></channel></rss>"),
        _ => Script::answer(404, b""),
    };
    let (mut ada, site) = (fixture.ada().await, Listener::start(answer).await.unwrap());
    let plain = watched(&mut ada, &site.url("/plain")).await;
    let none = "Pushes off Not subscribed: the address names no hub that can be subscribed to.";
    ada.get(&plain).await.says(200, &[none]);
    let page = watched(&mut ada, &site.url("/hub")).await;
    let pending = "Not subscribed: the hub has not confirmed the subscription yet.";
    ada.get(&page).await.says(200, &["Pushes pending", pending, "Hub: hub.example."]);
    // The hub confirms for ten days.
    let confirmed = "UPDATE websub_subscriptions SET status = 'active', \
                     lease_ends_at = 1768089600000000";
    seed::run(&fixture.app.database.options, confirmed.to_owned()).await;
    let active = "Pushes active Subscribed until Jan 11, 2026. Hub: hub.example.";
    ada.get(&page).await.says(200, &[active]);
    let seen = ada.follow(&format!("{page}/status"), &[("status", "paused")]).await;
    seen.says(200, &["Pushes off Not subscribed: the source is not running."]);
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

#[db_test]
async fn a_deleted_source_comes_back_with_its_mentions(fixture: WebFixture) {
    let (mut ada, site) = (fixture.ada().await, healthy().await);
    talent(&mut ada).await;
    let page = watched(&mut ada, &site.url("/feeds/a")).await;
    assert_eq!(scan(&fixture).await, 1);
    ada.get(&page).await.says(200, &["In town Grace Hopper", "Mentions found 1"]);
    let undo = async |ada: &mut Browser<'_>, path: &str, form: &[(&str, &str)]| {
        let seen = ada.follow(path, form).await;
        let token = seen.between("name=\"token\" value=\"", "\"").expect("an undo");
        ada.follow("/app/undo", &[("token", &token), ("back", &page)]).await
    };
    let paused = undo(&mut ada, &format!("{page}/status"), &[("status", "paused")]).await;
    paused.says(200, &["A change of a source was undone", "running"]);
    let back = undo(&mut ada, &format!("{page}/delete"), &[]).await;
    back.says(200, &["A deleted source was restored", "In town Grace Hopper", "Mentions found 1"]);
    let history = ada.get(&back.link("/app/logs/records/")).await;
    history.says(
        200,
        &["Status: Running → Paused", "Status: Paused → Running", "Undid: Source deleted"],
    );
}
