//! `/app/cases`, the case of a mention, and the evidence that letters link to.

use grantor_testkit::{db_test, seed};

use super::kit::{Browser, WebFixture};

const MENTION: &str = "0190a5e4-7b3c-7def-8123-00000000ca5e";

/// Creates a confirmed mention; gives the address of its page.
async fn mention(fixture: &WebFixture, ada: &mut Browser<'_>) -> String {
    let talent = ada.post("/app/talents/new", &[("fullname", "Grace Hopper")]).await.made();
    let form = [
        ("talent", &*talent),
        ("name", "Winter"),
        ("type", "advertising"),
        ("status", "private"),
        ("canCrawl", "true"),
    ];
    let license = ada.upload("/app/licenses/new", &form, &[]).await.made();
    let options = &fixture.app.database.options;
    let [mention, license_id] = [MENTION, &license].map(|it| seed::id(options, it));
    let script = format!(
        "{}
         INSERT INTO mentions (mention_id, talent_id, tenant_id, url, url_key, title, excerpt,
           media_type, match, verdict, verdict_reason, status, first_seen_at, last_seen_at, revision)
         SELECT {mention}, talent_id, tenant_id, 'https://wire.example/1', 'wire.example/1', 'The news',
           'Grace Hopper was there', 'text',
           '{{\"kind\":\"name\",\"term\":\"Grace Hopper\",\"confidence\":0.98}}', 'unlicensed', 'why',
           'confirmed', 0, 0, 1
         FROM licenses WHERE license_id = {license_id}",
        seed::list_all_mentions(options, &license)
    );
    fixture.run(script).await;
    format!("/app/mentions/{MENTION}")
}

#[db_test]
async fn a_case_is_opened_worked_on_and_closed(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let page = mention(&fixture, &mut ada).await;
    ada.get("/app/cases").await.says(200, &["Nothing is waiting"]);
    ada.get(&page).await.says(200, &["Open a case to send letters about this use"]);
    let here = format!("{page}/case");
    let opened = ada.follow(&here, &[]).await;
    opened.says(200, &["Case opened", "The news", "Ada Lovelace", "No letter was sent yet."]);
    ada.get("/app/cases").await.says(200, &["The news", "Grace Hopper", "Open"]);
    ada.get(&page).await.says(200, &["Ada Lovelace works on it.", "View case"]);

    let refused = ada.post(&format!("{here}/comments"), &[("text", " ")]).await;
    refused.says(422, &[]).refuses("text", "Is required.");
    let said = ada.follow(&format!("{here}/comments"), &[("text", "Called them.")]).await;
    said.says(200, &["Comment added", "Called them."]);
    let status = format!("{here}/status");
    let form = [("status", "disputed"), ("assignee_id", "")];
    ada.follow(&status, &form).await.says(200, &["Case updated", "Disputed", "Assignee Nobody"]);
    ada.follow(&status, &[("status", "closed")]).await.says(200, &["The link ended"]);
    ada.get("/app/cases").await.says(200, &["Nothing is waiting"]);
    ada.get("/app/cases?status=closed").await.says(200, &["The news"]);
    let refused = ada.post(&status, &[("status", "sent"), ("assignee_id", "")]).await;
    refused.says(409, &["A case that is closed cannot become sent. It can become open."]);
}

#[db_test]
async fn a_letter_is_written_from_a_template_and_its_link_opens_for_anybody(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let here = format!("{}/case", mention(&fixture, &mut ada).await);
    let opened = ada.follow(&here, &[]).await;
    let link = opened.between("/evidence/", "\"").or_else(|| opened.between("/evidence/", "<"));
    let link = format!("/evidence/{}", link.unwrap().split('<').next().unwrap());
    let written = ada.get(&format!("{here}/letter?template=license_offer")).await;
    written.says(200, &["Write a letter", "We could not find a license for this use."]);
    written.holds("subject", "A license for your use of Grace Hopper");
    let letter = format!("{here}/letter");
    let form = [("to", "nobody"), ("subject", "Hello"), ("text", "Please")];
    ada.post(&letter, &form).await.says(422, &["Please"]).begins_at("to");
    let form = [("to", "legal@wire.example"), ("subject", "Hello"), ("text", "Please")];
    ada.follow(&letter, &form).await.says(200, &["Letter sent", "to legal@wire.example"]);
    let mail = fixture.app.newest_mail("legal@wire.example").await;
    assert!(mail.contains("Reply-To: ada@example.com\r\n"), "{mail}");

    let shown = fixture.browser().get(&link).await;
    shown.says(200, &["Grace Hopper on wire.example", "Recorded for Babbage Talent.", "The news"]);
    shown.hides("legal@wire.example");
    fixture.browser().get("/evidence/nothing").await.says(404, &["Page not found"]);
}

#[db_test]
async fn templates_are_edited_and_restored(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let list = "/app/organization/letters";
    ada.get(list).await.says(200, &["Takedown request", "License offer", "Built-in"]);
    let edit = format!("{list}/takedown");
    ada.get(&edit).await.says(200, &["{evidence_link}", "The link to the evidence"]);
    let form = [("subject", "Hello"), ("text", "No link")];
    ada.post(&edit, &form).await.says(422, &[]).refuses("text", "Must contain {evidence_link}.");
    let form = [("subject", "Hello {talent}"), ("text", "{evidence_link}")];
    ada.follow(&edit, &form).await.says(200, &["Changed by your organization", "Hello {talent}"]);
    ada.follow(&format!("{edit}/restore"), &[]).await.says(200, &["Built-in text restored"]);
    ada.get(list).await.hides("Changed by your organization");
    ada.get(&format!("{list}/other")).await.says(404, &[]);
    let mut colleague = fixture.colleague("Organization_User").await;
    assert_eq!(colleague.get(list).await.status, 403);
}

#[db_test]
async fn a_stranger_finds_no_case(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let here = format!("{}/case", mention(&fixture, &mut ada).await);
    ada.follow(&here, &[]).await.says(200, &["Case opened"]);
    let mut mary = fixture.stranger().await;
    mary.get(&here).await.says(404, &[]).hides("The news");
    mary.post(&format!("{here}/comments"), &[("text", "Mine")]).await.says(404, &[]);
    mary.get("/app/cases").await.says(200, &["Nothing is waiting"]);
}
