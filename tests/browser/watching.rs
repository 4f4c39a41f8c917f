//! Watching in a real browser: an agency pastes the address of a site, sees what was found there,
//! gets mentions of its talents, decides about one, writes a letter, is told by email and in a
//! digest, and sees that the post was taken down.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use grantor_demo::site::{self, SitePage};
use grantor_domain::limit::Limits;
use grantor_service::notices;
use grantor_service::watching::pod::Pace;
use grantor_service::watching::{case, source};
use grantor_testkit::app::TestConfig;
use grantor_testkit::browser::Browser;
use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::site::Site;
use serde_json::json;

/// No waiting between requests.
pub(super) const AT_ONCE: Pace = Pace { pause: Duration::ZERO };
/// The posts of the site: one shows a talent, one names a talent, and one is about bread.
pub(super) const SHOWN: &str = "Above the clouds";
const NAMED: &str = "A piano in the station";
const UNRELATED: &str = "How we bake our bread";
const NAME: &str = "A café's blog";
const NOTE: &str = "The calendar was never licensed";
const PUBLISHER: &str = "owner@corner-table.example";

pub(super) async fn start() -> Site {
    let allowed = "127.0.0.0/8".parse().expect("a network");
    Site::with_config(TestConfig { limits: Limits::off(), allowed, ..TestConfig::default() }).await
}

/// Somebody's site, with three posts in its feed.
pub(super) struct Blog {
    pub(super) listener: Listener,
    pages: Arc<Mutex<Vec<SitePage>>>,
}

impl Blog {
    pub(super) async fn start(at: &Site) -> Self {
        let pages: Arc<Mutex<Vec<SitePage>>> = Arc::default();
        let shown = Arc::clone(&pages);
        let answer = move |call: &Call| page(&shown.lock().unwrap(), call);
        let listener = Listener::start(answer).await.expect("a site");
        let origin = format!("http://{}", listener.address());
        let drawn = site::pages(&origin, at.app.app.clock.now()).expect("pages");
        *pages.lock().unwrap() = drawn;
        Self { listener, pages }
    }

    fn take_down(&self, path: &str) {
        self.pages.lock().unwrap().retain(|it| it.path != path);
    }
}

fn page(pages: &[SitePage], call: &Call) -> Script {
    let Some(SitePage { content_type, body, .. }) = pages.iter().find(|it| it.path == call.path)
    else {
        return Script::answer(404, b"");
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ncontent-length: {}\r\n\
         connection: close\r\n\r\n",
        body.len()
    );
    Script::Raw([head.as_bytes(), body.as_slice()].concat())
}

/// Pastes the address, reads what was found and starts watching. Returns the path of the source.
async fn watch(agency: &Browser, address: &str) -> String {
    agency.open("/app/sources").await;
    agency.press("Watch an address").await;
    agency.fill("Address", address).await;
    agency.press("Look at it").await;
    agency.see("What was found").await;
    for found in ["The Corner Table", "3 items", "/sample-site/feed.atom", SHOWN, NAMED, UNRELATED]
    {
        agency.see(found).await;
    }
    agency.fill("Name", NAME).await;
    agency.fill("How often", "Every hour").await;
    agency.press("Start watching").await;
    agency.see("The address is watched from now on.").await;
    agency.see("The first scan starts within seconds.").await;
    agency.path().await
}

/// Reads the mentions that the first scan found.
async fn read(agency: &Browser, source: &str) {
    agency.open(source).await;
    agency.see(SHOWN).await;
    agency.see(NAMED).await;
    agency.see("Every hour").await;
    let text = agency.text().await;
    assert!(!text.contains(UNRELATED), "{text}");
}

/// Opens the mention with the picture, compares it with the reference image, and decides.
async fn decide(agency: &Browser) {
    agency.press(SHOWN).await;
    for shown in ["Zoë Lindqvåg", "unlicensed", "A reference image appears on a site", NAME] {
        agency.see(shown).await;
    }
    agency.see("Found and reference").await;
    agency.see("SHA-256 of the picture").await;
    agency.see("Nobody has decided yet.").await;
    agency.press("It is them").await;
    agency.see(&format!("Confirmed: {SHOWN}")).await;
    agency.press("Not allowed").await;
    agency.see("It is them, and the use is not allowed.").await;
    agency.fill("Note", NOTE).await;
    agency.press("Save note").await;
    agency.see("Note saved").await;
    assert_eq!(agency.value("Note").await, NOTE);
}

/// Opens a case and sends a letter from the template. Returns the path of the case.
async fn write_letter(site: &Site, agency: &Browser) -> String {
    agency.press("Open case").await;
    agency.see("Case opened").await;
    agency.press("Write takedown request").await;
    agency.fill("To", PUBLISHER).await;
    let subject = agency.value("Subject").await;
    assert!(!subject.is_empty());
    agency.press("Send letter").await;
    agency.see(&format!("Send this letter to {PUBLISHER}?")).await;
    agency.press("Send letter").await;
    agency.see("Letter sent").await;
    let case = agency.path().await;
    let mail = site.app.newest_mail(PUBLISHER).await;
    assert!(mail.contains("/evidence/"), "it links to the evidence: {mail}");
    agency.open("/app/dev/mail").await;
    agency.see(PUBLISHER).await;
    agency.see(&subject).await;
    case
}

/// A platform with a permission publishes something, which nobody needs to know at once.
async fn publish_licensed(site: &Site) {
    let (platform, place) = (&site.sample.accounts[2], &site.sample.sites[0]);
    let signed_in = site.app.sign_in(&platform.email, platform.password.expose()).await;
    let token = signed_in["accessToken"].as_str().expect("a token");
    let item = json!({
        "url": "https://loopwell.example/clips/90001", "title": "Ropes, part two",
        "text": "Zoë Lindqvåg ties another knot.",
    });
    let path = format!("/v1.0.1/console/pax/{}/content", place.pax);
    let request = site.app.request(http::Method::POST, &path).console(token);
    assert_eq!(request.json(&json!({ "items": [item] })).send().await.status, 201);
}

/// The emails of today and the digest of tomorrow are in the mailbox, and the bell has all of it.
async fn be_told(site: &Site, agency: &Browser, host: &str) {
    let shown = format!("Zoë Lindqvåg was found on {host} (unlicensed)");
    let named = format!("Олена Ясновець was found on {host} (needs review)");
    publish_licensed(site).await;
    site.app.send_mails().await;
    agency.open("/app/dev/mail").await;
    agency.see(&shown).await;
    agency.see(&named).await;
    assert!(!agency.text().await.contains("digest"), "it is not time yet");
    let tomorrow = site.app.app.clock.now().plus(Duration::from_hours(48));
    notices::compose_due(&site.app.app, tomorrow).await.expect("a digest is composed");
    site.app.app.mailer.send_due(100).await.expect("mails are sent");
    agency.open("/app/dev/mail").await;
    // Others who see the license have a digest too.
    let own = &site.sample.accounts[0].email;
    agency.press_near(own, "Your daily digest: 1 notification").await;
    agency.see("Zoë Lindqvåg was found on loopwell.example (licensed)").await;
    agency.open("/app/notices").await;
    agency.see(&named).await;
    agency.press(&shown).await;
    agency.see(SHOWN).await;
    assert_eq!(agency.value("Note").await, NOTE);
}

/// Watches no longer. The mentions stay.
async fn stop(agency: &Browser, source: &str) {
    agency.open(source).await;
    agency.press("Pause").await;
    agency.see("Source paused").await;
    agency.see("Not scanned until you resume it.").await;
    agency.open("/app/mentions?status=all").await;
    agency.see(SHOWN).await;
}

/// The next look at the post notices that it was taken down.
async fn see_it_removed(site: &Site, agency: &Browser, case: &str) {
    let looks = case::look_due(&site.app.app, AT_ONCE).await.expect("looks");
    assert_eq!(looks, 2, "this case, and the open one of the sample");
    agency.open(case).await;
    agency.see("removed").await;
    agency.see("The page does not exist any more.").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn from_an_address_to_a_post_that_was_taken_down() {
    let site = start().await;
    let blog = Blog::start(&site).await;
    let agency = site.browser_of(0).await;
    let source = watch(&agency, &blog.listener.url("/sample-site/")).await;
    let scanned = source::scan_due(&site.app.app, AT_ONCE).await.expect("a scan");
    assert_eq!(scanned, 1, "the sample's own source is paused");
    read(&agency, &source).await;
    decide(&agency).await;
    let case = write_letter(&site, &agency).await;
    be_told(&site, &agency, &blog.listener.address().to_string()).await;
    stop(&agency, &source).await;
    blog.take_down("/sample-site/posts/above-the-clouds");
    see_it_removed(&site, &agency, &case).await;
    assert_eq!(agency.console_errors().await, [""; 0]);
    assert_eq!(agency.foreign().await, [""; 0]);
}
