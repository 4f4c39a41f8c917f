//! Offers that an owner makes on a license without being asked.

use grantor_testkit::db_test;

use super::kit::{ADA, Browser, WebFixture};
use super::license::license;

const LICENSE: [(&str, &str); 8] = [
    ("name", "Winter"),
    ("status", "private"),
    ("uses", "advertising"),
    ("territories", "DE"),
    ("expiresAt", "2027-01-01T00:00"),
    ("appearanceFee", "250"),
    ("currency", "EUR"),
    ("feePer", "campaign"),
];

/// The form with a name or address and these uses.
fn form<'a>(licensee: &'a str, usage: &'a str) -> [(&'a str, &'a str); 5] {
    [
        ("licensee", licensee),
        ("terms.uses", usage),
        ("terms.territories", "DE"),
        ("terms.starts_at", "2026-02-01T00:00"),
        ("terms.ends_at", "2026-08-01T00:00"),
    ]
}

/// Mary's license and the path of its offer form.
async fn offered(fixture: &WebFixture) -> (Browser<'_>, String) {
    let mut mary = fixture.stranger().await;
    let id = license(&mut mary, &LICENSE).await;
    let page = mary.get(&format!("/app/licenses/{id}")).await;
    let path = page.says(200, &["Make an offer"]).link(&format!("/app/licenses/{id}/offer"));
    (mary, path)
}

#[db_test]
async fn an_offer_begins_with_the_terms_of_the_license(fixture: WebFixture) {
    let (mut mary, path) = offered(&fixture).await;
    let seen = mary.get(&path).await;
    seen.says(200, &["Make an offer", "Licensee", "License terms", "€250 per campaign"]);
    seen.holds("terms.fee.amount", "250.00").holds("terms.ends_at", "2027-01-01T00:00");
    seen.hides("France").hides("Voice");
    let ticked = "name=\"terms.territories\" value=\"DE\" checked";
    assert!(seen.page.contains(ticked), "{}", seen.page);
}

#[db_test]
async fn an_offer_to_an_address_waits_for_who_has_it(fixture: WebFixture) {
    let (mut mary, path) = offered(&fixture).await;
    let seen = mary.follow(&path, &form(ADA, "advertising")).await;
    seen.says(200, &["Offer sent to ada@example.com", "Winter", "pending"]);
    let request = mary.get("/app/requests").await.link("/app/requests/0");
    let again = mary.post(&path, &form(ADA, "advertising")).await;
    again.says(409, &["View the open request"]).holds("licensee", ADA);
    again.refuses("licensee", "This party already has an open request or offer for this license.");
    assert!(again.page.contains(&format!("href=\"{request}\"")), "{}", again.page);
}

#[db_test]
async fn an_offer_to_a_known_party_is_made_by_name(fixture: WebFixture) {
    let (mut mary, path) = offered(&fixture).await;
    let seen = mary.post(&path, &form("Babbage Talent", "advertising")).await;
    let wrong = "Must be the name of an organization that you can find, or an email address.";
    seen.says(422, &[]).refuses("licensee", wrong);
    let mut ada = fixture.ada().await;
    let other = license(&mut ada, &[("name", "Summer"), ("status", "public")]).await;
    let wish = [
        ("license", &*other),
        ("uses", "voice"),
        ("territories", "DE"),
        ("starts_at", "2026-02-01T00:00"),
        ("purpose", "A campaign"),
    ];
    mary.post("/app/requests/new", &wish).await.made();
    let seen = mary.follow(&path, &form("babbage talent", "advertising")).await;
    seen.says(200, &["Offer sent to Babbage Talent"]);
    ada.get("/app/requests?role=asker").await.says(200, &["Winter", "Somerville & Co", "offered"]);
}

#[db_test]
async fn what_does_not_fit_is_said_at_its_field(fixture: WebFixture) {
    let (mut mary, path) = offered(&fixture).await;
    let seen = mary.post(&path, &[("terms.ends_at", "soon")]).await;
    seen.says(422, &["License terms"]).refuses("licensee", "Is required.").begins_at("licensee");
    seen.refuses("terms.uses", "Choose at least one use.").holds("terms.ends_at", "soon");
    let seen = mary.post(&path, &form(ADA, "voice")).await;
    seen.says(409, &[]).refuses("terms.uses", "Is wider than the license.");
    mary.get("/app/requests").await.says(200, &["No requests yet"]);
}

#[db_test]
async fn only_the_owner_of_a_live_license_makes_offers(fixture: WebFixture) {
    let (mut mary, path) = offered(&fixture).await;
    let draft = license(&mut mary, &[("name", "Draft")]).await;
    let seen = mary.get(&format!("/app/licenses/{draft}")).await;
    seen.says(200, &["Draft"]).hides("Make an offer");
    let seen = mary.get(&format!("/app/licenses/{draft}/offer")).await;
    seen.says(409, &["its status is draft"]);
    let mut ada = fixture.ada().await;
    ada.get(&path).await.says(404, &["Page not found"]);
    let seen = ada.post(&path, &form("mary@example.com", "advertising")).await;
    seen.says(404, &["Page not found"]).hides("Winter");
    let mut reader = fixture.colleague("Team_Member").await;
    reader.get(&path).await.says(403, &["You don't have access"]);
}
