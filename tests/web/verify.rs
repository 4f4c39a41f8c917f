//! Public verification: of a pasted or chosen receipt, and by links that the licensee shares.

use std::time::Duration;

use grantor_testkit::db_test;
use serde_json::json;

use super::kit::{Seen, WebFixture};
use super::request::Parties;
use crate::console::account;

const NUMBER: &str = "GR-2026-000001";
const TALENT: &str = "Grace Hopper";
const LICENSEE: &str = "Babbage Talent";

/// The page of a new grant.
async fn grant_page(parties: &mut Parties<'_>) -> String {
    format!("/app/grants/{}", parties.grant().await)
}

/// Lets the grant start.
fn start(fixture: &WebFixture) {
    fixture.app.clock.advance(Duration::from_hours(24 * 40));
}

/// The path of the first shared link on the page.
fn shared(seen: &Seen) -> String {
    seen.between("data-copy=\"https://grantor.test", "\"").expect("a shared link")
}

#[db_test]
async fn anybody_verifies_a_receipt(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let page = grant_page(&mut parties).await;
    let receipt = parties.ada.get(&format!("{page}/receipt")).await.text;
    let mut guest = fixture.browser();
    guest.get("/verify").await.says(200, &["Verify a receipt", "Receipt or shared link"]);
    let seen = guest.post("/verify", &[("receipt", &receipt)]).await;
    seen.says(200, &["Not valid yet: starts Feb 1, 2026", "The grant has not started yet."]);
    seen.says(200, &["allows nothing before then", "Receipt issued Jan 1, 2026"]);
    seen.hides("✕").hides("Do not rely");
    start(&fixture);
    // As mail programs break lines.
    let broken = receipt.replace('.', ".\n ");
    let seen = guest.post("/verify", &[("receipt", &broken)]).await;
    let texts = ["✓ Valid", NUMBER, TALENT, LICENSEE, "Somerville & Co", "Advertising", "Germany"];
    seen.says(200, &texts).hides("Not disclosed");
    seen.says(200, &["May use the likeness of Grace Hopper"]);
    let texts = ["Feb 1, 2026, 00:00:00 UTC", "Aug 1, 2026, 00:00:00 UTC", "No alcohol."];
    seen.says(200, &texts).says(200, &["€1,500 per campaign", "Winter", "Checked Feb 10, 2026"]);
    let seen = guest.upload("/verify", &[("receipt", "")], &[receipt.as_bytes()]).await;
    seen.says(200, &["✓ Valid", NUMBER]);
    let mut mary = fixture.signed_in("mary@example.com").await;
    let form = [("reason", "The fee was not paid"), ("confirm", "true")];
    mary.follow(&format!("{page}/revoke"), &form).await.says(200, &["revoked"]);
    let seen = mary.post("/verify", &[("receipt", &receipt)]).await;
    seen.says(200, &["✕ Not valid", "The licensor revoked the grant.", NUMBER, "Sign out"]);
    seen.says(200, &["authentic, but the grant is not in effect."]).hides("Do not rely");
    seen.says(200, &["Was allowed to use the likeness of Grace Hopper"]).hides("May use");
}

#[db_test]
async fn what_is_no_receipt_is_refused_in_plain_words(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let page = grant_page(&mut parties).await;
    let receipt = parties.ada.get(&format!("{page}/receipt")).await.text;
    let mut guest = fixture.browser();
    let seen = guest.post("/verify", &[("receipt", &receipt[1..])]).await;
    seen.says(200, &["✕ Not valid", "Do not rely", "not signed by this issuer."]).hides(TALENT);
    let cut = &receipt[..receipt.len() - 2];
    let seen = guest.post("/verify", &[("receipt", cut)]).await;
    seen.says(200, &["Not valid", "A disclosed part was altered"]).hides(TALENT);
    let seen = guest.post("/verify", &[("receipt", " ")]).await;
    seen.refuses("receipt", "Is required if you don't choose a file.").begins_at("receipt");
    seen.says(422, &["Receipt or shared link is required if you don't choose a file."]);
    let long = "x".repeat(65_537);
    let seen = guest.post("/verify", &[("receipt", &long)]).await;
    seen.says(422, &[]).refuses("receipt", "Must be at most 64 KiB long.");
    let seen = guest.upload("/verify", &[], &[b"%PDF-1.7"]).await;
    let wrong = "Is a PDF; scan the QR code of the certificate, open the link below it, or save \
        its attachment receipt.sd-jwt and choose that file.";
    seen.says(422, &[]).refuses("file", wrong);
    let seen = guest.post("/verify", &[("receipt", "https://evil.test/verify/x")]).await;
    let wrong = "Is a link to another website; open the link in your browser instead.";
    seen.says(422, &[]).refuses("receipt", wrong);
    guest.post_from_afar("/verify", &[("receipt", "x")]).await.says(403, &[]);
}

#[db_test]
async fn what_is_not_a_receipt_at_all_is_not_a_bad_one(fixture: WebFixture) {
    let mut guest = fixture.browser();
    let number = "This is the number of a grant, not a receipt: open the shared link or scan the \
        QR code on the certificate.";
    let other = "This is not a receipt. A receipt is a long text that starts with “ey”.";
    for (text, wrong) in [(NUMBER, number), ("gr-2026-000001", number), ("hello", other)] {
        let seen = guest.post("/verify", &[("receipt", text)]).await;
        seen.says(422, &[]).refuses("receipt", wrong).hides("Not valid").hides("Do not rely");
        seen.says(422, &[&format!("Receipt or shared link: {wrong}")]);
    }
    let seen = guest.upload("/verify", &[("receipt", "")], &[b"hello"]).await;
    seen.says(422, &[]).refuses("file", other).hides("Not valid");
    let code = "AAAAAAAAAAAAAAAAAAAAAA";
    let seen = guest.post("/verify", &[("receipt", code)]).await;
    let link = format!("/verify/{code}");
    assert_eq!((seen.status, seen.location.as_deref()), (303, Some(link.as_str())));
}

#[db_test]
async fn the_page_and_the_api_share_a_limit(fixture: WebFixture) {
    let mut guest = fixture.browser();
    for _ in 0..30 {
        let answer = fixture.app.post("/receipts/verify", &json!({ "receipt": "x" })).await;
        assert_eq!(answer.status, 200);
        guest.post("/verify", &[("receipt", "x")]).await.says(422, &["not a receipt"]);
    }
    let seen = guest.post("/verify", &[("receipt", "Kept")]).await;
    seen.says(429, &["Too many requests", "Verify a receipt"]);
    assert!(seen.page.contains(">Kept</textarea>"), "the text is kept: {}", seen.page);
    guest.get("/verify/AAAAAAAAAAAAAAAAAAAAAA").await.says(429, &["Too many requests"]);
    guest.get("/verify").await.says(200, &["Verify a receipt"]);
}

#[db_test]
async fn a_link_shows_only_what_it_discloses(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let page = grant_page(&mut parties).await;
    let seen = parties.ada.get(&page).await;
    seen.says(200, &["Shared links", "No links are shared.", "Share a link"]);
    let links = format!("{page}/links");
    let seen = parties.ada.follow(&links, &[("disclosed", "talent")]).await;
    seen.says(200, &["Link shared. Copy its address below.", "Discloses: Talent", "just now"]);
    let link = shared(&seen);
    start(&fixture);
    let answer = fixture.app.get(&link).await;
    assert_eq!(answer.header("x-robots-tag"), Some("noindex, nofollow"));
    let mut guest = fixture.browser();
    let seen = guest.get(&link).await;
    let texts = ["✓ Valid", NUMBER, TALENT, "Licensee Not disclosed", "Fee Not disclosed"];
    // The receipt of a link is issued whenever somebody looks.
    seen.says(200, &texts).hides(LICENSEE).hides("Receipt issued");
    let pasted = format!(" https://grantor.test{link}\n");
    let seen = guest.post("/verify", &[("receipt", &pasted)]).await;
    assert_eq!((seen.status, seen.location.as_deref()), (303, Some(link.as_str())));
    let seen = guest.get(&format!("{link}/receipt")).await;
    assert_eq!(seen.kind.as_deref(), Some("application/dc+sd-jwt"));
    let body = json!({ "receipt": seen.text });
    let found = fixture.app.post("/receipts/verify", &body).await.json();
    let claims = found["claims"].as_object().unwrap();
    assert_eq!((&found["valid"], &claims["talent"]["name"]), (&json!("yes"), &json!(TALENT)));
    assert!(!claims.contains_key("licensee") && !claims.contains_key("license"));
    let seen = guest.post("/verify", &[("receipt", &seen.text)]).await;
    seen.says(200, &["✓ Valid", "Licensee Not disclosed"]);
}

#[db_test]
async fn a_link_can_be_withdrawn(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let page = grant_page(&mut parties).await;
    let links = format!("{page}/links");
    let all = ["license", "talent", "licensee", "fee", "conditions", "channels"];
    let seen = parties.ada.follow(&links, &all.map(|it| ("disclosed", it))).await;
    let link = shared(&seen);
    let mut guest = fixture.browser();
    guest.get(&link).await.says(200, &[NUMBER, LICENSEE]).hides("Not disclosed");
    let withdraw = seen.between(&format!("action=\"{links}/"), "\"").expect("a form");
    let withdraw = format!("{links}/{withdraw}");
    parties.mary.post(&withdraw, &[]).await.says(403, &["Only the licensee can share links"]);
    let seen = parties.ada.follow(&withdraw, &[]).await;
    seen.says(200, &["Link withdrawn", "No links are shared."]);
    for gone in [link.as_str(), "/verify/AAAAAAAAAAAAAAAAAAAAAA", "/verify/x"] {
        for path in [gone.to_owned(), format!("{gone}/receipt")] {
            let answer = fixture.app.get(&path).await;
            assert_eq!(answer.header("x-robots-tag"), Some("noindex, nofollow"));
            let seen = guest.get(&path).await;
            seen.says(404, &["Page not found", "Verify a receipt"]).hides(LICENSEE);
        }
    }
    parties.ada.post(&withdraw, &[]).await.says(404, &["Shared link not found"]);
    let seen = parties.ada.post(&links, &[("disclosed", "everything")]).await;
    seen.says(422, &[]).refuses("disclosed", "Must contain only the listed parts.");
}

#[db_test]
async fn only_who_binds_the_licensee_shares_links(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let page = grant_page(&mut parties).await;
    let links = format!("{page}/links");
    parties.mary.get(&page).await.says(200, &[NUMBER]).hides("Shared links");
    let seen = parties.mary.post(&links, &[("disclosed", "talent")]).await;
    seen.says(403, &["Only the licensee can share links to a receipt"]);
    let mut member = fixture.colleague("Team_Member").await;
    member.get(&page).await.says(200, &["Shared links"]).hides("Share a link");
    member.post(&links, &[("disclosed", "talent")]).await.says(403, &[]);
    account(&fixture.app, "eve@example.com", "Eve Agency").await;
    let mut eve = fixture.signed_in("eve@example.com").await;
    eve.post(&links, &[("disclosed", "talent")]).await.says(404, &["Page not found"]);
    for _ in 0..20 {
        assert_eq!(parties.ada.post(&links, &[]).await.status, 303);
    }
    let seen = parties.ada.post(&links, &[]).await;
    seen.says(409, &["A grant can have 20 shared links at most; withdraw one first"]);
}

#[db_test]
async fn the_certificate_is_downloaded(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let page = grant_page(&mut parties).await;
    let path = format!("{page}/certificate.pdf");
    for browser in [&mut parties.ada, &mut parties.mary] {
        browser.get(&page).await.says(200, &["Download certificate"]);
        let seen = browser.get(&path).await;
        assert_eq!((seen.status, seen.kind.as_deref()), (200, Some("application/pdf")));
        assert!(seen.page.starts_with("%PDF"));
    }
    let seen = parties.ada.get(&page).await;
    seen.says(200, &["The QR code of the certificate leads to this link."]);
    seen.says(200, &["Discloses: License, Talent, Licensee, Conditions, Channels"]);
    let seen = fixture.browser().get(&shared(&seen)).await;
    seen.says(200, &[NUMBER, LICENSEE, "Fee Not disclosed"]);
    account(&fixture.app, "eve@example.com", "Eve Agency").await;
    let mut eve = fixture.signed_in("eve@example.com").await;
    eve.get(&path).await.says(404, &["Page not found"]);
}
