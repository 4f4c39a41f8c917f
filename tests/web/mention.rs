//! `/app/mentions`.

use grantor_testkit::db_test;
use serde_json::json;

use super::kit::Browser;
use crate::grant::days;
use crate::license::{Member, text};
use crate::sighting::Watch;
use crate::sighting::part::Parts;
use crate::sighting::picture::Gallery;

/// The address of what was seen of the agency's talent.
async fn seen_once(watch: &Watch) -> String {
    watch.license(json!({ "status": "private" })).await;
    let found = watch.say("https://wire.example/1", "Grâce Hopper <b>was</b> here").await;
    format!("/app/mentions/{}", found[0]["mentionId"].as_str().unwrap())
}

#[db_test]
async fn what_waits_is_decided_on(watch: Watch) {
    let address = seen_once(&watch).await;
    let mut ada = Browser::signed_in(&watch.world.app, "ada@example.com").await;
    ada.get("/app/mentions")
        .await
        .says(200, &["unlicensed", "Grâce Hopper", "It is them", "It is not them"]);
    let form = [("status", "confirmed"), ("back", "/app/mentions")];
    let seen = ada.follow(&format!("{address}/decide"), &form).await;
    seen.says(200, &["No new mentions", "Confirmed:"]);
    ada.get("/app/mentions?status=confirmed").await.says(200, &["unlicensed", "confirmed"]);
    ada.get("/app/mentions?status=all&verdict=licensed").await.says(200, &["No mentions"]);
    ada.get("/app/mentions?status=maybe").await.says(400, &["Status must be one of"]);
}

#[db_test]
async fn who_decided_on_the_last_of_a_page_sees_the_one_before(watch: Watch) {
    let address = seen_once(&watch).await;
    watch.say("https://wire.example/2", "Grâce Hopper came again").await;
    let mut ada = Browser::signed_in(&watch.world.app, "ada@example.com").await;
    let back = "/app/mentions?limit=1&page=2";
    let form = [("status", "confirmed"), ("back", back)];
    let seen = ada.follow(&format!("{address}/decide"), &form).await;
    assert_eq!(seen.location.as_deref(), Some("/app/mentions?limit=1&page=1"), "{}", seen.text);
    ada.get("/app/mentions?limit=1&page=1")
        .await
        .says(200, &["came again"])
        .hides("No new mentions");
}

#[db_test]
async fn a_note_is_kept_and_a_wrong_one_is_not_lost(watch: Watch) {
    let address = seen_once(&watch).await;
    let decide = format!("{address}/decide");
    let mut ada = Browser::signed_in(&watch.world.app, "ada@example.com").await;
    let form = [("status", "dismissed"), ("note", "Our own post"), ("back", &*address)];
    ada.follow(&decide, &form).await.says(200, &["dismissed", "Our own post"]);
    let long = "x".repeat(1_001);
    let seen = ada.post(&decide, &[("status", "maybe"), ("note", &long)]).await;
    seen.says(422, &[&long]).refuses("note", "Must be at most 1000 characters.");
}

#[db_test]
async fn mentions_of_others_are_not_there(watch: Watch) {
    let address = seen_once(&watch).await;
    let mut brand = Browser::signed_in(&watch.world.app, "bea@example.com").await;
    brand.get("/app/mentions").await.says(200, &["No new mentions"]);
    let seen = brand.get(&address).await;
    assert!([403, 404].contains(&seen.status), "{}", seen.text);
    seen.hides("Grâce");
}

#[db_test]
async fn what_was_found_is_shown_beside_the_reference(gallery: Gallery) {
    let found = gallery.push("/copy.jpg", "Look!").await;
    let id = found["mentions"][0]["mentionId"].as_str().unwrap().to_owned();
    let image = gallery.image.as_str().unwrap();
    let address = format!("/app/mentions/{id}");
    let mut ada = Browser::signed_in(&gallery.watch.world.app, "ada@example.com").await;
    let seen = ada.get(&address).await;
    seen.says(200, &["Found and reference", "Download evidence", "Address read"]);
    assert!(!seen.text.contains(image), "nobody reads an id: {}", seen.text);
    assert!(seen.page.contains("data-compare"), "{}", seen.page);
    for kind in ["evidence", "references"] {
        let shown = seen.between(&format!("<img src=\"/objects/{kind}/"), "\"").expect("a picture");
        let shown = format!("/objects/{kind}/{}", shown.replace("&amp;", "&"));
        let shown = ada.get(&shown).await;
        assert_eq!((shown.status, shown.kind.as_deref()), (200, Some("image/jpeg")), "{kind}");
    }
    let zip = ada.get(&format!("{address}/evidence.zip")).await;
    assert_eq!((zip.status, zip.kind.as_deref()), (200, Some("application/zip")));
    let bad = ada.post(&format!("{address}/decide"), &[("status", "maybe")]).await;
    assert!(bad.says(422, &["Found"]).page.contains("data-compare"), "{}", bad.text);
}

/// The evidence is for those who review the mention, and others are told so.
#[db_test]
async fn viewers_are_told_who_sees_the_evidence(gallery: Gallery) {
    let found = gallery.push("/copy.jpg", "Look!").await;
    let address = format!("/app/mentions/{}", text(&found["mentions"][0]["mentionId"]));
    let world = &gallery.watch.world;
    let cara = Member::join(&world.app, "cara@example.com", Some("Brand")).await;
    let organization = json!({ "organizationId": cara.organization });
    world.grant_to(&gallery.license, organization, "viewer").await;
    let seen = Browser::signed_in(&world.app, cara.email).await.get(&address).await;
    let told = "Only those who own the license or act for the talent see the picture";
    seen.says(200, &[told]).hides("No copy of the picture was kept").hides("Download evidence");
    assert!(!seen.page.contains("data-compare"), "{}", seen.page);
}

/// The page was opened before somebody decided.
#[db_test]
async fn a_note_from_an_old_page_leaves_the_decision(watch: Watch) {
    let address = seen_once(&watch).await;
    let decide = format!("{address}/decide");
    let mut ada = Browser::signed_in(&watch.world.app, "ada@example.com").await;
    let old = ada.get(&address).await;
    let form = [("status", "confirmed"), ("allowed", "no"), ("back", &*address)];
    ada.follow(&decide, &form).await.says(200, &["It is them, and the use is not allowed."]);
    let form = old.page.split("<form").find(|it| it.contains("Save note")).expect("the form");
    assert!(!form.contains("name=\"status\""), "the form sends nothing but the note: {form}");
    let seen = ada.follow(&decide, &[("note", "Ours"), ("back", &*address)]).await;
    seen.says(200, &["Note saved", "It is them, and the use is not allowed.", "Ours"]);
}

#[db_test]
async fn not_allowed_alone_is_taken_back(watch: Watch) {
    let address = seen_once(&watch).await;
    let decide = format!("{address}/decide");
    let mut ada = Browser::signed_in(&watch.world.app, "ada@example.com").await;
    let form = [("status", "confirmed"), ("allowed", "no"), ("back", &*address)];
    let seen = ada.follow(&decide, &form).await;
    seen.says(200, &["What was found", "Take back “not allowed”"]).hides("Found and reference");
    let form = [("status", "confirmed"), ("allowed", "unset"), ("back", &*address)];
    let seen = ada.follow(&decide, &form).await;
    seen.says(200, &["It is them. Decided by Ada Lovelace"]).hides("Take back");
}

#[db_test]
async fn a_page_shows_the_newest_revisions(watch: Watch) {
    let address = seen_once(&watch).await;
    for number in 2..=102 {
        watch.say("https://wire.example/1", &format!("Grâce Hopper was here, {number}")).await;
    }
    let mut ada = Browser::signed_in(&watch.world.app, "ada@example.com").await;
    let seen = ada.get(&address).await;
    seen.says(200, &["Revision 101,", "Revision 3,", "The download has all revisions."]);
    seen.hides("Revision 2,");
}

#[db_test]
async fn the_matched_words_are_marked(watch: Watch) {
    let address = seen_once(&watch).await;
    let mut ada = Browser::signed_in(&watch.world.app, "ada@example.com").await;
    let seen = ada.get(&address).await;
    assert!(seen.page.contains("<mark>Grâce Hopper</mark> was here"), "{}", seen.page);
    assert!(!seen.page.contains("data-compare"), "there is no picture: {}", seen.page);
}

#[db_test]
async fn a_decision_says_who_made_it_and_is_undone(watch: Watch) {
    let address = seen_once(&watch).await;
    let decide = format!("{address}/decide");
    let mut ada = Browser::signed_in(&watch.world.app, "ada@example.com").await;
    ada.get(&address).await.says(200, &["Nobody has decided yet.", "It is them"]).hides("Undo");
    let form = [("status", "confirmed"), ("back", &*address)];
    let seen = ada.follow(&decide, &form).await;
    seen.says(200, &["It is them.", "Decided by ", "Not allowed", "Undo", "Clear the decision"]);
    let form = [("status", "confirmed"), ("allowed", "no"), ("back", &*address)];
    let seen = ada.follow(&decide, &form).await;
    seen.says(200, &["It is them, and the use is not allowed.", "Not allowed:"]);
    let form = [("status", "confirmed"), ("allowed", "yes"), ("back", &*address)];
    let seen = ada.follow(&decide, &form).await;
    seen.says(200, &["It is them, and the use is allowed.", "Allowed:"]);
    let form = [("status", "new"), ("back", &*address)];
    let seen = ada.follow(&decide, &form).await;
    seen.says(200, &["Nobody has decided yet.", "Not decided:"]).hides("Decided by");
    let refused = ada.post(&decide, &[("status", "dismissed"), ("allowed", "yes")]).await;
    refused.says(422, &["can only be set for a confirmed mention"]);
}

#[db_test]
async fn the_whole_history_of_decisions_is_shown(watch: Watch) {
    let address = seen_once(&watch).await;
    let decide = format!("{address}/decide");
    let mut ada = Browser::signed_in(&watch.world.app, "ada@example.com").await;
    ada.get(&address).await.says(200, &["Nobody has decided yet."]).hides("History");
    for (status, allowed) in [("confirmed", ""), ("confirmed", "no"), ("new", "")] {
        let form = [("status", status), ("allowed", allowed), ("back", &*address)];
        ada.follow(&decide, &form).await.says(200, &["History"]);
        watch.world.app.clock.advance(std::time::Duration::from_mins(1));
    }
    // A note is no decision.
    let form = [("status", "new"), ("note", "To be discussed"), ("back", &*address)];
    let seen = ada.follow(&decide, &form).await;
    seen.says(
        200,
        &[
            "1 min ago Ada Lovelace It is them, not allowed Not decided",
            "2 min ago Ada Lovelace It is them It is them, not allowed",
            "3 min ago Ada Lovelace Not decided It is them",
        ],
    );
    let seen = ada.get(&format!("{address}?limit=2&page=2")).await;
    seen.says(200, &["3 min ago Ada Lovelace", "Page 2 of 2 · 3 total"]).hides("2 min ago");
    ada.get(&format!("{address}?limit=2&page=3")).await.says(400, &["must be at most 2"]);
}

#[db_test]
async fn only_those_who_review_see_the_history(watch: Watch) {
    let license = watch.license(json!({ "status": "private" })).await;
    let found = watch.say("https://wire.example/1", "Grâce Hopper was here").await;
    let address = format!("/app/mentions/{}", text(&found[0]["mentionId"]));
    let mut ada = Browser::signed_in(&watch.world.app, "ada@example.com").await;
    let form = [("status", "confirmed"), ("back", &*address)];
    ada.follow(&format!("{address}/decide"), &form).await.says(200, &["History"]);
    let cara = Member::join(&watch.world.app, "cara@example.com", Some("Brand")).await;
    let organization = json!({ "organizationId": cara.organization });
    watch.world.grant_to(&license, organization, "viewer").await;
    let seen = Browser::signed_in(&watch.world.app, cara.email).await.get(&address).await;
    seen.says(200, &["Decided by Ada Lovelace"]).hides("History");
}

#[db_test]
async fn one_mention_is_not_many(watch: Watch) {
    seen_once(&watch).await;
    let mut ada = Browser::signed_in(&watch.world.app, "ada@example.com").await;
    let address = ada.get("/app/licenses").await.link("/app/licenses/0");
    ada.get(&address).await.says(200, &["View 1 mention"]);
    watch.say("https://wire.example/2", "Grâce Hopper again").await;
    ada.get(&address).await.says(200, &["View 2 mentions"]);
}

#[db_test]
async fn the_parties_of_a_grant_find_it_by_its_number(mut watch: Watch) {
    let (license, grant) = watch.granted().await;
    let cara = Member::join(&watch.world.app, "cara@example.com", Some("Brand")).await;
    let organization = json!({ "organizationId": cara.organization });
    watch.world.grant_to(&license, organization, "trustee").await;
    watch.world.pass(days(31)).await;
    let found = watch.publish("https://wire.example/1", None).await;
    let address = format!("/app/mentions/{}", text(&found["mentionId"]));
    let link = format!("/app/grants/{}", text(&grant["id"]));
    for email in ["ada@example.com", "bea@example.com"] {
        let seen = Browser::signed_in(&watch.world.app, email).await.get(&address).await;
        seen.says(200, &["licensed by grant GR-2026-000001", "View grant"]);
        assert!(seen.page.contains(&link), "{}", seen.page);
    }
    let seen = Browser::signed_in(&watch.world.app, cara.email).await.get(&address).await;
    seen.says(200, &["licensed by a grant"]).hides("GR-2026");
    assert!(!seen.page.contains(&link), "{}", seen.page);
}

#[db_test]
async fn the_part_that_was_recognized_is_outlined(parts: Parts) {
    let found = parts.push("/inset.png").await;
    let address = format!("/app/mentions/{}", text(&found[0]["mentionId"]));
    let confidence = found[0]["match"]["confidence"].as_f64().unwrap();
    let mut ada = Browser::signed_in(&parts.watch.world.app, "ada@example.com").await;
    let seen = ada.get(&address).await;
    seen.says(
        200,
        &[
            "A part of the picture shows the reference image.",
            "Part of an image",
            "Parts of the picture (local features)",
            &format!("Confidence {:.0}% likely to be right", confidence * 100.0),
        ],
    );
    assert!(seen.page.contains("<polygon points=\""), "{}", seen.page);
    assert!(!seen.page.contains("data-compare"), "a part does not lie over the whole");
}
