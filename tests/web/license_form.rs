//! The license form: territories by region, money as people type it, terms, pictures that are kept,
//! and the preview.

use std::time::Duration;

use grantor_service::operations::retention::{Retention, sweep};
use grantor_testkit::{db_test, seed};
use http::Method;

use super::kit::{Browser, Seen, WebFixture};
use super::license::{license, talent};
use crate::picture::png;

const HOUR: Duration = Duration::from_hours(1);
const GONE: &str = "Were kept for an hour, which is over: choose them again.";

#[db_test]
async fn territories_are_chosen_by_region(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let more = [
        ("name", "Winter"),
        ("territories", "region:dach"),
        ("territories", "JP"),
        ("territories", "DE"),
    ];
    let id = license(&mut ada, &more).await;
    let page = format!("/app/licenses/{id}");
    ada.get(&page).await.says(200, &["Territories DACH, Japan"]);
    let form = ada.get(&format!("{page}/edit")).await;
    form.says(200, &["4 countries", "European Union", "Nordics", "Worldwide", "Africa"]);
    for chosen in ["value=\"region:dach\" checked", "value=\"JP\" checked"] {
        assert!(form.page.contains(chosen), "{chosen}: {}", form.page);
    }
    let edit = |territory| {
        [
            ("version", "1-draft"),
            ("name", "Winter"),
            ("type", "advertising"),
            ("status", "draft"),
            ("territories", territory),
        ]
    };
    let seen = ada.post(&format!("{page}/edit"), &edit("region:moon")).await;
    let wrong = "Must contain only ISO 3166-1 alpha-2 codes such as US, or WORLD.";
    seen.says(422, &["None chosen"]).refuses("territories", wrong);
    let seen = ada.follow(&format!("{page}/edit"), &edit("region:benelux")).await;
    seen.says(200, &["Territories Benelux"]);
    ada.get("/app/licenses/new").await.says(200, &["None chosen", "Benelux"]);
}

#[db_test]
async fn money_is_read_and_shown_as_people_write_it(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    for (amount, currency, shown) in [
        ("1,500", "USD", "License created. The amount was read as $1,500."),
        ("1,500", "USD", "Fee $1,500 per month"),
        ("1.500,00", "EUR", "Fee €1,500 per month"),
        ("1 500,50 €", "EUR", "Fee €1,500.50 per month"),
        ("1'500", "CHF", "Fee CHF 1,500 per month"),
        ("0", "EUR", "Fee Free"),
        ("¥1.500", "JPY", "Fee ¥1,500 per month"),
        ("1.5", "KWD", "Fee KWD 1.500 per month"),
        ("€99", "", "Fee €99 per month"),
    ] {
        let more = [
            ("name", "Winter"),
            ("appearanceFee", amount),
            ("currency", currency),
            ("feePer", "month"),
        ];
        let id = license(&mut ada, &more).await;
        ada.get(&format!("/app/licenses/{id}")).await.says(200, &[shown]);
    }
    let more =
        [("name", "Winter"), ("appearanceFee", "1500"), ("currency", "USD"), ("feePer", "use")];
    let id = license(&mut ada, &more).await;
    let seen = ada.get(&format!("/app/licenses/{id}")).await;
    seen.says(200, &["License created"]).hides("was read as");
    let id = license(&mut ada, &[("name", "Winter"), ("appearanceFee", "0")]).await;
    ada.get(&format!("/app/licenses/{id}")).await.says(200, &["Fee Free"]);
    let form = [("appearanceFee", "99.50"), ("currency", "JPY"), ("feePer", "use")];
    let seen = ada.post("/app/licenses/new", &form).await;
    seen.says(422, &[]).refuses("appearanceFee", "Must be a whole number in this currency.");
    seen.holds("appearanceFee", "99.50");
    let seen = ada.post("/app/licenses/new", &[("appearanceFee", "$5"), ("currency", "EUR")]).await;
    seen.refuses("appearanceFee", "Names another currency than the selected one.");
    seen.refuses("feePer", "Is required for a fee.");
}

#[db_test]
async fn money_follows_the_language_of_the_browser(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let more = [
        ("name", "Winter"),
        ("status", "public"),
        ("appearanceFee", "1500.50"),
        ("currency", "EUR"),
        ("feePer", "month"),
    ];
    let id = license(&mut ada, &more).await;
    let path = format!("/app/catalog/{id}");
    for (language, shown) in [
        ("en-US,en;q=0.9", "€1,500.50 per month"),
        ("de-DE,de;q=0.9", "1.500,50\u{A0}€ pro Monat"),
        ("de-CH,de;q=0.9", "€\u{A0}1’500.50 pro Monat"),
        ("fr", "€1,500.50 per month"),
    ] {
        let request = fixture.app.request(Method::GET, &path);
        let answer = request.header("accept-language", language).send().await;
        let page = String::from_utf8_lossy(&answer.body).into_owned();
        assert!(page.contains(shown), "{language}: {page}");
    }
    // What the form shows is read as the same amount.
    let path = format!("/app/licenses/{id}/edit");
    ada.get(&path).await.holds("appearanceFee", "1,500.50").holds("version", "1-public");
}

#[db_test]
async fn terms_have_fields_and_the_rest_is_kept(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let more = [
        ("name", "Winter"),
        ("status", "private"),
        ("exclusive", "true"),
        ("channels", "TV\nInstagram"),
        ("approval", "each_use"),
        ("creditLine", "Photo: Grace"),
        ("conditions", "No alcohol."),
        ("terms", "Copies: 500"),
        ("termsJson", "{\"rates\": [1, 2]}"),
    ];
    let id = license(&mut ada, &more).await;
    let page = format!("/app/licenses/{id}");
    let shown = "Terms Exclusive: Yes Channels: Instagram, TV Approval: Before each use Credit line: \
        Photo: Grace rates: [1,2] Copies: 500 Conditions: No alcohol.";
    ada.get(&page).await.says(200, &[shown]);
    let form = ada.get(&format!("{page}/edit")).await;
    form.says(200, &["Terms", "Advanced", "No alcohol."]).holds("creditLine", "Photo: Grace");
    assert!(form.page.contains("&quot;rates&quot;"), "{}", form.page);
    // An offer starts with them.
    let offer = ada.get(&format!("{page}/offer")).await;
    offer.says(200, &["The talent must approve each use before it is published."]);
    offer.holds("terms.credit_line", "Photo: Grace");
    let edit = [
        ("version", "1-private"),
        ("name", "Winter"),
        ("type", "advertising"),
        ("status", "private"),
        ("conditions", "No tobacco."),
    ];
    let seen = ada.follow(&format!("{page}/edit"), &edit).await;
    // A form without the part for developers leaves it alone.
    seen.says(200, &["Terms rates: [1,2] Conditions: No tobacco."]);
    let mut wrong = edit.to_vec();
    wrong[0] = ("version", "2-private");
    wrong.extend([("termsJson", "[1]"), ("approval", "maybe"), ("creditLine", "Kept")]);
    let seen = ada.post(&format!("{page}/edit"), &wrong).await;
    seen.says(422, &[]).refuses("approval", "Must be one of not_needed, once, each_use.");
    seen.refuses("termsJson", "Must be a JSON object such as {&quot;copies&quot;: 500}.");
    seen.holds("creditLine", "Kept");
}

/// The fields of a license form, with what is missing.
fn form<'a>(talent: &'a str, name: &'a str) -> Vec<(&'static str, &'a str)> {
    vec![("talent", talent), ("name", name), ("type", "voice")]
}

/// The IDs of the kept pictures on a page.
fn kept(seen: &Seen) -> Vec<String> {
    let parts = seen.page.split("name=\"kept\" value=\"").skip(1);
    parts.map(|it| it.split('"').next().unwrap().to_owned()).collect()
}

/// Sends the form without a name, with pictures, and returns their IDs.
async fn refused(ada: &mut Browser<'_>, talent: &str, files: &[&[u8]]) -> Vec<String> {
    let seen = ada.upload("/app/licenses/new", &form(talent, ""), files).await;
    seen.says(422, &["Images chosen before"]).refuses("name", "Is required.");
    kept(&seen)
}

#[db_test]
async fn pictures_survive_a_refused_form(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let talent = talent(&mut ada, "Grace Hopper").await;
    let path = "/app/licenses/new";
    let files: [&[u8]; 3] = [&png(40, 30), b"no picture", b"\x89PNG\r\n\x1A\n"];
    let seen = ada.upload(path, &form(&talent, ""), &files).await;
    seen.says(422, &["Images chosen before"]).refuses("name", "Is required.");
    let wrong = "“b.jpg” must be a JPEG, PNG or WebP image; “c.jpg” is incomplete or damaged.";
    seen.refuses("images", wrong);
    let ids = kept(&seen);
    let [first] = &ids[..] else { panic!("{}", seen.page) };
    assert!(seen.page.contains("alt=\"Image 1, 40 × 30\""), "{}", seen.page);
    let thumbnail = seen.between("src=\"/objects/thumbnail", "\"").unwrap().replace("&amp;", "&");
    let opened = fixture.app.get(&format!("/objects/thumbnail{thumbnail}")).await;
    assert_eq!(opened.status, 200);
    // Another one joins it. What stays unchecked is left out.
    let mut more = form(&talent, "");
    more.push(("kept", first.as_str()));
    let both = kept(&ada.upload(path, &more, &[&png(50, 30)]).await);
    assert_eq!((both.len(), &both[0]), (2, first));
    let mut last = form(&talent, "Winter");
    last.push(("kept", both[1].as_str()));
    let made = ada.post(path, &last).await.made();
    let seen = ada.get(&format!("/app/licenses/{made}")).await;
    assert!(seen.page.contains("50 × 30") && !seen.page.contains("40 × 30"), "{}", seen.page);
    // A picture becomes the image of one license only.
    ada.post(path, &last).await.says(422, &[]).refuses("images", GONE);
}

#[db_test]
async fn kept_pictures_belong_to_their_session_for_an_hour(fixture: WebFixture) {
    let (mut ada, mut other) = (fixture.ada().await, fixture.ada().await);
    let talent = talent(&mut ada, "Grace Hopper").await;
    let ids = refused(&mut ada, &talent, &[&png(40, 30)]).await;
    assert_eq!(ids.len(), 1);
    let mut filled = form(&talent, "Winter");
    filled.push(("kept", ids[0].as_str()));
    let seen = other.post("/app/licenses/new", &filled).await;
    seen.says(422, &[]).refuses("images", GONE).hides("/objects/thumbnail");
    let query = "SELECT sha256 FROM kept_images";
    let rows = async || seed::rows(&fixture.app.database.options, query).await;
    let day = Duration::from_hours(24);
    let retention = Retention { events: day, access: day, audit: day, evidence: day };
    fixture.app.clock.advance(HOUR);
    sweep(&fixture.app.app, retention).await.unwrap();
    assert_eq!(rows().await.len(), 1);
    fixture.app.clock.advance(Duration::from_micros(1));
    ada.post("/app/licenses/new", &filled).await.says(422, &[]).refuses("images", GONE);
    sweep(&fixture.app.app, retention).await.unwrap();
    assert_eq!(rows().await.len(), 0);
    let folder = fixture.app.object_folder();
    for kind in ["images", "thumbnails"] {
        assert_eq!(std::fs::read_dir(folder.join(kind)).unwrap().count(), 0, "{kind}");
    }
}

#[db_test]
async fn a_form_has_at_most_ten_pictures_and_a_person_thirty(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let talent = talent(&mut ada, "Grace Hopper").await;
    let (small, large) = (png(4, 4), png(5, 4));
    let ids = refused(&mut ada, &talent, &[&small[..]; 10]).await;
    assert_eq!(ids.len(), 10);
    let mut more = form(&talent, "");
    more.extend(ids.iter().map(|it| ("kept", it.as_str())));
    let seen = ada.upload("/app/licenses/new", &more, &[&large]).await;
    seen.says(422, &[]).refuses("images", "Must be at most 10 per upload.");
    assert_eq!(kept(&seen).len(), 10);
    for _ in 0..3 {
        fixture.app.clock.advance(Duration::from_millis(1));
        refused(&mut ada, &talent, &[&large[..]; 10]).await;
    }
    let query = "SELECT CAST(width AS text) FROM kept_images WHERE width = 4";
    assert!(seed::rows(&fixture.app.database.options, query).await.is_empty());
    let thumbnails = fixture.app.object_folder().join("thumbnails");
    assert_eq!(std::fs::read_dir(thumbnails).unwrap().count(), 30);
}

#[db_test]
async fn the_preview_shows_what_is_not_saved(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let talent = talent(&mut ada, "Grace Hopper").await;
    let mut filled = form(&talent, "Winter");
    filled.extend([("territories", "region:nordics"), ("act", "preview")]);
    let seen = ada.upload("/app/licenses/new", &filled, &[&png(40, 30)]).await;
    let texts = ["Nothing is saved yet.", "Winter", "Grace Hopper", "Babbage Talent", "Nordics"];
    seen.says(200, &texts).holds("name", "Winter");
    assert_eq!(kept(&seen).len(), 1, "{}", seen.page);
    ada.get("/app/licenses").await.says(200, &["No licenses yet"]);
    let mut wrong = form(&talent, "");
    wrong.push(("act", "preview"));
    let seen = ada.post("/app/licenses/new", &wrong).await;
    seen.says(422, &[]).refuses("name", "Is required.").hides("Nothing is saved yet.");
    let id = license(&mut ada, &[("name", "Winter")]).await;
    let path = format!("/app/licenses/{id}/edit");
    let edit = [
        ("version", "1-draft"),
        ("name", "Spring"),
        ("type", "voice"),
        ("status", "draft"),
        ("act", "preview"),
    ];
    let seen = ada.post(&path, &edit).await;
    seen.says(200, &["Nothing is saved yet.", "Spring", "Voice"]).holds("version", "1-draft");
    ada.get(&format!("/app/licenses/{id}")).await.says(200, &["Winter"]).hides("Spring");
}

#[db_test]
async fn required_fields_are_marked_also_those_required_for_some(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    talent(&mut ada, "Grace Hopper").await;
    let seen = ada.get("/app/licenses/new").await;
    let texts = [
        "Fields marked with * are required.",
        "Who and what",
        "Where and when",
        "Price",
        "Terms",
        "Pictures",
        "Watching",
        "Talent *",
        "Name *",
        "Type *",
        "Currency (required with a fee)",
        "Fee per (required with a fee)",
    ];
    seen.says(200, &texts);
}
