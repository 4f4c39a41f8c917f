//! Licenses: listed, made, changed, published, deleted.

use grantor_testkit::db_test;
use image::{ImageFormat, RgbImage};

use super::kit::{Browser, WebFixture};
use crate::picture::{middle, png, saved, scene};

/// Adds a talent; gives their id.
pub(super) async fn talent(browser: &mut Browser<'_>, name: &str) -> String {
    browser.post("/app/talents/new", &[("fullname", name)]).await.made()
}

/// Makes a license over a new talent; gives its id.
pub(super) async fn license(browser: &mut Browser<'_>, more: &[(&str, &str)]) -> String {
    let talent = talent(browser, "Grace Hopper").await;
    let mut form = vec![("talent", talent.as_str()), ("type", "advertising")];
    form.extend(more);
    browser.post("/app/licenses/new", &form).await.made()
}

#[db_test]
async fn a_new_license_is_watched_unless_the_box_is_cleared(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    talent(&mut ada, "Ada Byron").await;
    let seen = ada.get("/app/licenses/new").await;
    let tag = seen.between(" name=\"canCrawl\"", ">").expect("a box");
    assert!(tag.contains("value=\"true\" checked"), "{tag}");
}

#[db_test]
async fn a_draft_is_watched_once_it_is_private_or_public(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = license(&mut ada, &[("name", "Winter"), ("canCrawl", "true")]).await;
    let page = format!("/app/licenses/{id}");
    ada.get(&page).await.says(200, &["Monitoring Not while it is a draft."]);
    let publish = [("status", "public"), ("version", "1-draft")];
    let seen = ada.follow(&format!("{page}/status"), &publish).await;
    seen.says(200, &["Monitoring On: sources and connected platforms are scanned for uses"]);
    ada.get("/app/licenses/new").await.says(200, &["platforms. Drafts are not watched."]);
}

#[db_test]
async fn a_license_is_made_shown_and_listed(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = license(
        &mut ada,
        &[
            ("name", "Winter"),
            ("description", "Coats"),
            ("appearanceFee", "250"),
            ("currency", "EUR"),
            ("feePer", "month"),
            ("uses", "advertising"),
            ("uses", "voice"),
            ("territories", "DE"),
            ("territories", "US"),
            ("expiresAt", "2035-01-02T10:20"),
            ("canCrawl", "true"),
            ("externalId", "W-1"),
            ("terms", "Copies: 500\nRegion: EU: west"),
            ("status", "private"),
        ],
    )
    .await;
    let seen = ada.get(&format!("/app/licenses/{id}")).await;
    let texts = [
        "License created",
        "Winter",
        "Grace Hopper · Advertising",
        "Coats",
        "€250 per month",
        "Advertising, Voice",
        "Germany, United States",
        "Until Jan 2, 2035",
        "W-1",
        "Copies: 500 Region: EU: west",
        "private",
        "Publish",
    ];
    seen.says(200, &texts);
    ada.get("/app/licenses").await.says(200, &["Winter", "W-1", "Grace Hopper", "private"]);
    ada.get("/app/licenses?search=coats&type=advertising&status=private&sort=title")
        .await
        .says(200, &["Winter"]);
    ada.get("/app/licenses?search=summer").await.says(200, &["No licenses found"]);
}

#[db_test]
async fn a_list_says_what_to_do_next_and_what_was_asked_wrong(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    ada.get("/app/licenses").await.says(200, &["No licenses yet", "New license"]);
    ada.get("/app/licenses/new").await.says(200, &["Add a talent first"]);
    ada.get("/app/licenses?page=0&status=odd").await.says(400, &["Page must", "Status must"]);
}

#[db_test]
async fn what_does_not_fit_is_said_beside_its_field(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    talent(&mut ada, "Grace Hopper").await;
    let form = [
        ("talent", ""),
        ("name", ""),
        ("type", "odd"),
        ("appearanceFee", "much"),
        ("currency", "EURO"),
        ("feePer", "use"),
        ("territories", "DE"),
        ("territories", "XX"),
        ("expiresAt", "soon"),
        ("externalId", "a b"),
        ("terms", "No alcohol"),
        ("status", "expired"),
        ("uses", "custom"),
    ];
    let seen = ada.post("/app/licenses/new", &form).await;
    seen.says(422, &["Please fix the fields below", "Must be one of draft, private, public."]);
    seen.refuses("talent", "Is required.").refuses("name", "Is required.");
    seen.refuses("appearanceFee", "Must be an amount such as 1,500 or 1.500,00.");
    seen.refuses("currency", "Must be an ISO 4217 currency code such as USD.");
    seen.refuses("terms", "Must have a name, a colon and a value in each line.")
        .holds("externalId", "a b")
        .holds("expiresAt", "soon");
    for field in ["type", "territories", "expiresAt", "externalId", "uses"] {
        assert!(seen.page.contains(&format!("id=\"{field}-wrong\"")), "{field}: {}", seen.text);
    }
    seen.holds("appearanceFee", "much");
    for kept in ["value=\"EURO\" selected", "name=\"territories\" value=\"DE\" checked"] {
        assert!(seen.page.contains(kept), "{kept}: {}", seen.page);
    }
}

#[db_test]
async fn pictures_come_and_go(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let talent = talent(&mut ada, "Grace Hopper").await;
    let form = [("talent", talent.as_str()), ("name", "Winter"), ("type", "voice")];
    let made = ada.upload("/app/licenses/new", &form, &[&png(40, 30)]).await.made();
    let page = format!("/app/licenses/{made}");
    let told = ["Remove", "License created", "a.jpg: Too plain to be recognized"];
    ada.get(&page).await.says(200, &told).link("/objects/image");
    let images = format!("{page}/images");
    assert_eq!(ada.upload(&images, &[], &[&png(50, 30)]).await.status, 303);
    let seen = ada.get(&page).await;
    seen.says(200, &["Image added"]);
    assert_eq!(seen.page.matches("/remove\"").count(), 2, "{}", seen.page);
    ada.get("/app/licenses").await.link("/app/licenses/new");
    let image = seen.between(&format!("{images}/"), "/remove").unwrap();
    let gone = ada.follow(&format!("{images}/{image}/remove"), &[]).await;
    assert_eq!(gone.page.matches("/remove\"").count(), 1, "{}", gone.text);
    assert_eq!(ada.post(&format!("{images}/{image}/remove"), &[]).await.status, 404);
}

#[db_test]
async fn what_is_no_picture_is_refused(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = license(&mut ada, &[("name", "Winter")]).await;
    let path = format!("/app/licenses/{id}/images");
    ada.upload(&path, &[], &[]).await.says(422, &["Winter"]).refuses("images", "Is required.");
    let empty = ada.upload(&path, &[], &[&png(8, 8), b""]).await;
    empty.says(422, &["Winter"]).refuses("images", "“b.jpg” is empty.");
    let seen = ada.upload(&path, &[], &[b"<script>"]).await;
    assert!(seen.status == 422 && seen.page.contains("images-wrong"), "{}", seen.text);
    let large = vec![0; 10 * 1024 * 1024 + 1];
    let seen = ada.upload(&path, &[], &[&large]).await;
    seen.says(422, &["Winter"]).refuses("images", "“a.jpg” must be at most 10 MiB.");
    let seen = ada.upload(&path, &[], &[&png(40, 30), b"text", b"more"]).await;
    seen.says(422, &[]).refuses("images", "“b.jpg” must be a JPEG, PNG or WebP image.");
}

#[db_test]
async fn a_change_takes_away_what_is_left_empty_and_keeps_seconds(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let more = [
        ("name", "Winter"),
        ("description", "Coats"),
        ("expiresAt", "2035-01-02T10:20:30"),
        ("canCrawl", "true"),
        ("uses", "voice"),
        ("externalId", "W-1"),
    ];
    let id = license(&mut ada, &more).await;
    let path = format!("/app/licenses/{id}/edit");
    let form = ada.get(&path).await;
    form.holds("name", "Winter").holds("expiresAt", "2035-01-02T10:20").holds("version", "1-draft");
    let new = [
        ("version", "1-draft"),
        ("name", "Spring"),
        ("type", "voice"),
        ("status", "private"),
        ("expiresAt", "2035-01-02T10:20"),
    ];
    let seen = ada.follow(&path, &new).await;
    seen.says(
        200,
        &["License updated", "Spring", "Grace Hopper · Voice", "private", "Monitoring Off"],
    );
    seen.hides("Coats").hides("W-1");
    assert!(seen.page.contains("2035-01-02T10:20:30"), "{}", seen.page);
    let wrong = ada.post(&path, &[("version", "2-private"), ("name", ""), ("type", "voice")]).await;
    wrong.says(422, &[]).holds("version", "2-private");
    assert!(wrong.page.contains("name-wrong"), "{}", wrong.text);
}

#[db_test]
async fn whoever_wrote_on_an_older_version_is_told(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = license(&mut ada, &[("name", "Winter")]).await;
    let path = format!("/app/licenses/{id}/edit");
    let form = |version, name| {
        [("version", version), ("name", name), ("type", "advertising"), ("status", "draft")]
    };
    ada.follow(&path, &form("1-draft", "Spring")).await.says(200, &["Spring"]);
    let seen = ada.post(&path, &form("1-draft", "Autumn")).await;
    seen.says(412, &["Someone else changed this license while you were editing", "Name: Spring"]);
    seen.holds("name", "Autumn").holds("version", "2-draft");
    ada.follow(&path, &form("2-draft", "Autumn")).await.says(200, &["Autumn"]);
}

#[db_test]
async fn a_status_is_a_button_as_far_as_it_may_change(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = license(&mut ada, &[("name", "Winter")]).await;
    let (page, path) = (format!("/app/licenses/{id}"), format!("/app/licenses/{id}/status"));
    ada.get(&page).await.says(200, &["Publish", "Make private"]).hides("Expire");
    let press = |status, version| [("status", status), ("version", version)];
    ada.follow(&path, &press("public", "1-draft")).await.says(200, &["License is now public"]);
    ada.post(&path, &press("private", "1-draft")).await.says(412, &["has changed since", "Winter"]);
    ada.post(&path, &press("draft", "2-public")).await.says(409, &["from public to draft"]);
    ada.post(&path, &press("odd", "2-public")).await.says(422, &["must be one of"]);
    let seen = ada.follow(&path, &press("expired", "2-public")).await;
    seen.says(200, &["This license has ended", "Publish"]).hides("Expire…");
}

#[db_test]
async fn its_history_and_its_preview_are_shown(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = license(&mut ada, &[("name", "Winter"), ("externalId", "W-1")]).await;
    let path = format!("/app/licenses/{id}");
    ada.post(&format!("{path}/status"), &[("status", "public"), ("version", "1-draft")]).await;
    let seen = ada.get(&format!("{path}/history?of=activity")).await;
    seen.says(
        200,
        &["History of Winter", "License created", "License updated", "Ada Lovelace", "Status"],
    );
    let seen = ada.get(&format!("{path}/preview")).await;
    seen.says(200, &["This license is public", "Winter", "Grace Hopper", "Babbage Talent"])
        .hides("W-1");
}

#[db_test]
async fn a_license_is_deleted(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = license(&mut ada, &[("name", "Winter")]).await;
    let gone = ada.follow(&format!("/app/licenses/{id}/delete"), &[]).await;
    gone.says(200, &["License deleted", "No licenses yet"]);
    ada.get(&format!("/app/licenses/{id}")).await.says(404, &["Page not found"]);
}

#[db_test]
async fn an_upload_tells_of_plain_and_similar_pictures(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = license(&mut ada, &[("name", "Winter")]).await;
    let page = format!("/app/licenses/{id}");
    let upload = format!("{page}/images");
    ada.upload(&upload, &[], &[&png(40, 30)]).await.made();
    ada.get(&page).await.says(200, &["Image added", "Too plain: at most whole copies"]);
    let whole = saved(&scene(1), ImageFormat::Png);
    ada.upload(&upload, &[], &[&whole]).await.made();
    ada.get(&page).await.says(200, &["Image added"]).hides("Winter”");
    ada.upload(&upload, &[], &[&whole]).await.made();
    let same = "a.jpg: The same file is already an image of “Winter”.";
    ada.get(&page).await.says(200, &["Image added", same]);
    ada.upload(&upload, &[], &[&saved(&middle(&scene(1)), ImageFormat::Png)]).await.made();
    ada.get(&page).await.says(200, &["a.jpg: Looks like an image of “Winter”."]);
}

#[db_test]
async fn an_upload_tells_of_each_of_its_files(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = license(&mut ada, &[("name", "Winter")]).await;
    let page = format!("/app/licenses/{id}");
    let upload = format!("{page}/images");
    let [one, other] = [1, 2].map(|it| saved(&scene(it), ImageFormat::Png));
    let flat = saved(&RgbImage::new(300, 200), ImageFormat::Png);
    ada.upload(&upload, &[], &[&one]).await.made();
    ada.upload(&upload, &[], &[&other, &one, &flat]).await.made();
    let same = "b.jpg: The same file is already an image of “Winter”.";
    let plain = "c.jpg: Too plain to be recognized: it has too little detail.";
    ada.get(&page).await.says(200, &["3 images added", same, plain]).hides("a.jpg:");
    ada.upload(&upload, &[], &[&flat[..]; 8]).await.made();
    let seen = ada.get(&page).await;
    let both = "The same file is already an image of “Winter”. Too plain to be recognized";
    let told = [format!("a.jpg: {both}"), format!("e.jpg: {both}")];
    seen.says(200, &["8 images added", &told[0], &told[1], "and 3 more"]);
    seen.hides("f.jpg:");
}
