//! Offers: what they change, what keeps them from being accepted, and what comes of them.

use std::time::Duration;

use grantor_testkit::db_test;

use super::kit::WebFixture;
use super::license::license;
use super::request::{Parties, TERMS, WISH};
use crate::console::account;

#[db_test]
async fn the_first_offer_is_compared_with_the_request(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let mut wish = WISH.to_vec();
    wish.push(("territories", "US"));
    let request = parties.ask(&wish).await;
    let page = format!("/app/requests/{request}");
    let seen = parties.mary.get(&format!("{page}/offer")).await;
    seen.says(200, &["Requested", "Purpose A winter campaign", "Channels Instagram, TV"]);
    parties.offer(&request, "1500").await;
    let changes = [
        "Territories: Germany, United States → Germany",
        "Channels: Instagram, TV → Not limited",
        "Fee: budget €2,000 → €1,500 per campaign (below the budget)",
        "Conditions, added: No alcohol.",
    ];
    for path in [page.clone(), format!("{page}/accept")] {
        let seen = parties.ada.get(&path).await;
        seen.says(200, &["Changes from your request:"]).says(200, &changes);
        seen.hides("Starts:").hides("Ends:").hides("Credit line:");
    }
    let seen = parties.mary.get(&page).await;
    seen.says(200, &["Changes from the request:"]).says(200, &changes);
    let mut same = WISH.map(|(name, value)| (format!("terms.{name}"), value)).to_vec();
    same.retain(|(name, _)| !name.starts_with("terms.budget") && name != "terms.purpose");
    let fee = [("amount", "2000"), ("currency", "EUR"), ("per", "campaign")];
    same.extend(fee.map(|(name, value)| (format!("terms.fee.{name}"), value)));
    same.push(("terms.territories".to_owned(), "US"));
    let same: Vec<_> = same.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    fixture.app.clock.advance(Duration::from_millis(1));
    parties.mary.follow(&format!("{page}/offer"), &same).await.says(200, &["Offer sent"]);
    let seen = parties.ada.get(&format!("{page}/accept")).await;
    seen.says(200, &["Uses, territories, dates and channels are as requested."]);
}

#[db_test]
async fn a_price_and_duties_are_compared_with_the_request(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let page = format!("/app/requests/{}", parties.ask(&WISH).await);
    for (amount, currency, per, change) in [
        ("2500", "EUR", "campaign", "€2,500 per campaign (above the budget)"),
        ("2500", "EUR", "month", "€2,500 per month (above the budget)"),
        ("1500", "EUR", "month", "€1,500 per month"),
        ("2500", "USD", "campaign", "$2,500 per campaign"),
    ] {
        let mut terms = TERMS.to_vec();
        terms.extend([("terms.fee.amount", amount), ("terms.fee.currency", currency)]);
        terms.extend([("terms.fee.per", per), ("terms.credit_line", "Photo: Grace")]);
        terms.push(("terms.exclusive", "true"));
        fixture.app.clock.advance(Duration::from_millis(1));
        parties.mary.follow(&format!("{page}/offer"), &terms).await.says(200, &["Offer sent"]);
        let seen = parties.ada.get(&format!("{page}/accept")).await;
        let end = "Exclusive: No → Yes Credit line: None → Photo: Grace Conditions, added: No";
        seen.says(200, &[&format!("Fee: budget €2,000 → {change} {end}")]);
    }
}

#[db_test]
async fn an_exclusive_grant_in_the_way_is_named_before_an_offer(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let page = format!("/app/requests/{}", parties.ask(&WISH).await);
    let mut terms = TERMS.to_vec();
    terms.push(("terms.exclusive", "true"));
    parties.mary.follow(&format!("{page}/offer"), &terms).await.says(200, &["Offer sent"]);
    let seen = parties.ada.get(&format!("{page}/accept")).await;
    let hash = seen.between("name=\"terms_hash\" value=\"", "\"").expect("a hash");
    let form = [("terms_hash", hash.as_str()), ("accept", "true")];
    let grant = parties.ada.post(&format!("{page}/accept"), &form).await.made();
    let grant = format!("/app/grants/{grant}");
    let page = format!("/app/requests/{}", parties.ask(&WISH).await);
    let seen = parties.mary.get(&page).await;
    let told = "overlaps with grant GR-2026-000001, which is exclusive until Aug 1, 2026 \
        (Advertising; Germany). Offer other uses, territories or dates.";
    assert_eq!(seen.says(200, &[told]).link("/app/grants/"), grant);
    parties.ada.get(&page).await.says(200, &["Request"]).hides("overlaps");
    let seen = parties.mary.post(&format!("{page}/offer"), &TERMS).await;
    let refused = "The terms overlap with grant GR-2026-000001, and one of the two is exclusive.";
    seen.says(409, &[refused, "dates. View the grant"]).hides("Grant number");
    assert_eq!(seen.link("/app/grants/"), grant);
    let form = seen.between(&format!("action=\"{page}/offer\""), "</form>").expect("the form");
    assert!(form.contains(&grant), "the way out is in it: {form}");
}

#[db_test]
async fn a_withdrawn_offer_fills_in_the_next_one(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let request = parties.ask(&WISH).await;
    let page = format!("/app/requests/{request}");
    parties.offer(&request, "1750").await;
    parties.mary.follow(&format!("{page}/withdraw"), &[]).await.says(200, &["Offer withdrawn"]);
    let seen = parties.mary.get(&format!("{page}/offer")).await;
    seen.says(200, &["Make an offer", "No alcohol."]).holds("terms.fee.amount", "1,750.00");
    seen.holds("terms.starts_at", "2026-02-01T00:00").holds("expires_at", "2026-01-15T00:00");
}

#[db_test]
async fn a_blocked_offer_says_so_to_both_parties(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let request = parties.ask(&WISH).await;
    let page = format!("/app/requests/{request}");
    parties.offer(&request, "1500").await;
    let hash = parties.terms_hash(&request).await;
    // Somebody else gets an exclusive grant for the same.
    account(&fixture.app, "eve@example.com", "Eve Brands").await;
    let mut eve = fixture.signed_in("eve@example.com").await;
    let mut wish = vec![("license", parties.license.as_str())];
    wish.extend(WISH);
    let other = format!("/app/requests/{}", eve.post("/app/requests/new", &wish).await.made());
    let mut terms = TERMS.to_vec();
    terms.push(("terms.exclusive", "true"));
    parties.mary.follow(&format!("{other}/offer"), &terms).await.says(200, &["Offer sent"]);
    let seen = eve.get(&format!("{other}/accept")).await;
    let exclusive = seen.between("name=\"terms_hash\" value=\"", "\"").expect("a hash");
    let form = [("terms_hash", exclusive.as_str()), ("accept", "true")];
    let grant = eve.post(&format!("{other}/accept"), &form).await.made();

    let seen = parties.mary.get(&page).await;
    let texts = ["it overlaps with grant GR-2026-000001, and one of the two is exclusive."];
    seen.says(200, &texts).says(200, &["Replace the offer with other terms, or withdraw it."]);
    assert_eq!(seen.link("/app/grants/"), format!("/app/grants/{grant}"));
    let blocked = ["it overlaps with another grant of the talent.", "Write a message to Some"];
    let accept = format!("{page}/accept");
    let form = [("terms_hash", hash.as_str()), ("accept", "true")];
    let refused = parties.ada.post(&accept, &form).await;
    refused.says(409, &["This offer overlaps with another grant of the talent"]);
    let seen = [parties.ada.get(&page).await, parties.ada.get(&accept).await, refused];
    for seen in &seen {
        seen.says(seen.status, &blocked).hides("GR-2026").hides("Eve Brands");
        assert_eq!(seen.link(&format!("{page}#")), format!("{page}#message"));
    }
    for seen in &seen[1..] {
        seen.hides("I accept these terms");
    }
    seen[0].says(200, &["Send message", "View terms"]).hides("Review and accept");
    assert!(seen[0].page.contains("id=\"message\""), "the link leads to the field");
    // It can be accepted as soon as nothing is in the way.
    let revoke = [("reason", "Not paid"), ("confirm", "true")];
    parties.mary.follow(&format!("/app/grants/{grant}/revoke"), &revoke).await.says(200, &[]);
    parties.mary.get(&page).await.says(200, &["Replace the offer"]).hides("overlaps");
    parties.ada.get(&page).await.says(200, &["Review and accept"]).hides("View terms");
    parties.ada.post(&accept, &form).await.made();
}

#[db_test]
async fn an_accepted_request_says_what_became_of_its_grant(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let revoked = format!("/app/grants/{}", parties.grant().await);
    let request = parties.ada.get(&revoked).await.link("/app/requests/");
    parties.ada.get(&request).await.says(200, &["The offer was accepted. View the grant"]);
    let form = [("reason", "Not paid"), ("confirm", "true")];
    parties.mary.follow(&format!("{revoked}/revoke"), &form).await.says(200, &[]);
    let told = "The offer was accepted. The grant was revoked on Jan 1, 2026. View the grant";
    for browser in [&mut parties.ada, &mut parties.mary] {
        browser.get(&request).await.says(200, &[told]);
    }
    let ended = format!("/app/grants/{}", parties.grant().await);
    let request = parties.ada.get(&ended).await.link("/app/requests/");
    fixture.app.clock.advance(Duration::from_hours(24 * 220));
    let seen = fixture.ada().await.get(&request).await;
    seen.says(200, &["The offer was accepted. The grant ended on Aug 1, 2026. View the grant"]);
}

#[db_test]
async fn an_individual_is_named_once(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let rename = "UPDATE tenants SET name = 'Ada Lovelace' WHERE name = 'Babbage Talent'";
    fixture.run(rename.to_owned()).await;
    let request = parties.ask(&WISH).await;
    let page = format!("/app/requests/{request}");
    let form = [("message", "Is June free?")];
    let seen = parties.ada.follow(&format!("{page}/messages"), &form).await;
    seen.says(200, &["Ada Lovelace just now"]).hides("Ada Lovelace · ");
    let seen = parties.ada.follow(&format!("{page}/withdraw"), &[]).await;
    seen.says(200, &["Withdrawn by Ada Lovelace just now"]);
    let request = parties.ask(&WISH).await;
    parties.offer(&request, "1500").await;
    let seen = parties.ada.get(&format!("/app/requests/{request}")).await;
    seen.says(200, &["Ada Lovelace, Somerville & Co · just now"]);
}

#[db_test]
async fn the_end_of_the_license_is_named_before_and_after(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let new = format!("/app/requests/new?license={}", parties.license);
    let seen = parties.ada.get(&new).await;
    seen.says(200, &["The license ends Jan 1, 2027, 00:00:00 UTC; an offer can't last longer."]);
    seen.says(200, &["Uses * (required)", "Territories * (required)", "Purpose *"]);
    let request = parties.ask(&WISH).await;
    let path = format!("/app/requests/{request}/offer");
    let seen = parties.mary.get(&path).await;
    seen.says(200, &["At the latest Jan 1, 2027, 00:00:00 UTC, when the license ends."]);
    let mut terms = TERMS;
    terms[3] = ("terms.ends_at", "2027-02-01T00:00");
    let seen = parties.mary.post(&path, &terms).await;
    let wrong = "Must be Jan 1, 2027, 00:00:00 UTC or earlier, when the license ends.";
    seen.says(409, &["The terms are wider than the license"]).refuses("terms.ends_at", wrong);
}

#[db_test]
async fn what_a_license_leaves_no_choice_about_is_checked(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let more = [("name", "Spring"), ("status", "public"), ("uses", "voice"), ("territories", "FR")];
    let only = license(&mut parties.mary, &more).await;
    for (license, checked) in [(only.as_str(), true), (parties.license.as_str(), false)] {
        let seen = parties.ada.get(&format!("/app/requests/new?license={license}")).await;
        assert_eq!(seen.page.contains("value=\"voice\" checked"), checked, "{}", seen.text);
        let place = |code: &str| seen.page.contains(&format!("value=\"{code}\" checked"));
        assert_eq!(place("DE") || place("FR"), checked, "{}", seen.text);
    }
}
