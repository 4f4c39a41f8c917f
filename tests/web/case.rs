//! `/app/cases`, the case of a mention, and the evidence that letters link to.

use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::kit::{Browser, Seen, WebFixture};
use super::undo::undo;
use crate::license::text;
use crate::sighting::picture::Gallery;

const MENTION: &str = "0190a5e4-7b3c-7def-8123-00000000ca5e";

/// Creates a confirmed mention; gives the address of its page.
pub(super) async fn mention(fixture: &WebFixture, ada: &mut Browser<'_>) -> String {
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
           media_type, match, verdict, verdict_reason, status, allowed, first_seen_at, last_seen_at,
           revision)
         SELECT {mention}, talent_id, tenant_id, 'https://wire.example/1', 'wire.example/1', 'The news',
           'Grace Hopper was there', 'text',
           '{{\"kind\":\"name\",\"term\":\"Grace Hopper\",\"confidence\":0.98}}', 'unlicensed', 'why',
           'confirmed', FALSE, 0, 0, 1
         FROM licenses WHERE license_id = {license_id}",
        seed::list_all_mentions(options, &license)
    );
    fixture.run(script).await;
    format!("/app/mentions/{MENTION}")
}

/// The link to the evidence that a page shows.
fn evidence(seen: &Seen) -> String {
    let code = seen.between("/evidence/", "\"").expect("a link");
    format!("/evidence/{}", code.split('<').next().unwrap())
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
    opened.says(200, &["Last look Not yet Next look"]).hides("Not specified");
    ada.get("/app/cases").await.says(200, &["The news", "Grace Hopper", "Open"]);
    let closes = "Another decision closes the case, and its evidence link stops working.";
    ada.get(&page).await.says(200, &["Ada Lovelace works on it.", "View case", closes]);

    let refused = ada.post(&format!("{here}/comments"), &[("text", " ")]).await;
    refused.says(422, &[]).refuses("text", "Is required.");
    let said = ada.follow(&format!("{here}/comments"), &[("text", "Called them.")]).await;
    said.says(200, &["Comment added", "Called them."]);
    let status = format!("{here}/status");
    let form = [("status", "disputed"), ("assignee_id", "")];
    ada.follow(&status, &form).await.says(200, &["Case updated", "Disputed", "Assignee Nobody"]);
    let closed = ada.follow(&status, &[("status", "closed")]).await;
    closed.says(200, &["The link ended", "Status closed New status"]).hides("We look at the page");
    ada.get(&page).await.says(200, &["View case"]).hides("works on it").hides(closes);
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
    let link = evidence(&opened);
    let written = ada.get(&format!("{here}/letter?template=license_offer")).await;
    written.says(200, &["Write a letter", "We could not find a license for this use."]);
    written.holds("subject", "A license for your use of Grace Hopper");
    let letter = format!("{here}/letter");
    let form = [("to", "nobody"), ("subject", "Hello"), ("text", "Please")];
    ada.post(&letter, &form).await.says(422, &["Please"]).begins_at("to");
    let form = [("to", "legal@wire.example"), ("subject", "Hello"), ("text", "Please")];
    let asked = ada.post(&letter, &form).await;
    asked.says(200, &["Send this letter to legal@wire.example?", "Please", "can't be taken back"]);
    ada.get(&here).await.says(200, &["No letter was sent yet."]);
    let edited: Vec<_> = form.into_iter().chain([("step", "edit")]).collect();
    ada.post(&letter, &edited).await.says(200, &["Write a letter"]).holds("subject", "Hello");
    let once = asked.once();
    let form: Vec<_> = form.into_iter().chain([("step", "send"), ("once", &*once)]).collect();
    for _ in 0..2 {
        let seen = ada.follow(&letter, &form).await;
        seen.says(200, &["Letter sent", "Status letter sent New status"]);
        assert_eq!(seen.text.matches("to legal@wire.example").count(), 1, "{}", seen.text);
    }
    let mail = fixture.app.newest_mail("legal@wire.example").await;
    assert!(mail.contains("Reply-To: ada@example.com\r\n"), "{mail}");

    let shown = fixture.browser().get(&link).await;
    shown.says(200, &["Grace Hopper on wire.example", "Recorded for Babbage Talent.", "The news"]);
    shown.hides("legal@wire.example");
    fixture.browser().get("/evidence/nothing").await.says(404, &["Page not found"]);
}

/// The sentence of the refusal is not ended twice.
#[db_test]
async fn a_letter_that_is_refused_says_why(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let here = format!("{}/case", mention(&fixture, &mut ada).await);
    ada.follow(&here, &[]).await.says(200, &["Case opened"]);
    let closed = [("status", "closed"), ("assignee_id", "")];
    ada.follow(&format!("{here}/status"), &closed).await.says(200, &["Status closed"]);
    let form =
        [("to", "a@wire.example"), ("subject", "Hello"), ("text", "Please"), ("step", "send")];
    let seen = ada.post(&format!("{here}/letter"), &form).await;
    let why = "The case is closed. Set its status to open before you send a letter.";
    seen.says(409, &[why]).hides("letter..");
}

#[db_test]
async fn a_removal_that_is_undone_is_not_told(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let here = format!("{}/case", mention(&fixture, &mut ada).await);
    ada.follow(&here, &[]).await.says(200, &["Case opened"]);
    fixture.colleague("Organization_Admin").await;
    let options = &fixture.app.database.options;
    let told = async || {
        let query = "SELECT summary FROM notices WHERE kind = 'mention_removed'";
        seed::rows(options, query).await.concat()
    };
    let form = [("status", "removed"), ("assignee_id", "")];
    let removed = ada.follow(&format!("{here}/status"), &form).await;
    removed.says(200, &["Status removed", "Marked the mention as removed.", "Undo"]);
    assert_eq!(told().await, ["Ada Lovelace marked Grace Hopper as removed from wire.example"]);
    let undone = undo(&mut ada, &removed, &here).await;
    undone.says(200, &["Status open", "Marked the mention as not removed."]);
    assert_eq!(told().await, Vec::<String>::new());
}

#[db_test]
async fn a_removal_that_was_read_is_corrected_when_it_is_undone(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let here = format!("{}/case", mention(&fixture, &mut ada).await);
    ada.follow(&here, &[]).await.says(200, &["Case opened"]);
    let mut colleague = fixture.colleague("Organization_Admin").await;
    let form = [("status", "removed"), ("assignee_id", "")];
    let removed = ada.follow(&format!("{here}/status"), &form).await;
    colleague.get(&here).await.says(200, &["Status removed"]);
    undo(&mut ada, &removed, &here).await.says(200, &["Status open"]);
    let lines = ["says that Grace Hopper was not", "marked Grace Hopper as"]
        .map(|it| format!("Ada Lovelace {it} removed from wire.example"));
    let [corrected, told] = &lines;
    colleague.get("/app/notices").await.says(200, &[corrected, told]);
    ada.get("/app/notices").await.says(200, &[]).hides("Grace Hopper");
}

/// The pictures end with the link, also for somebody who has opened the page before.
#[db_test]
async fn the_pictures_of_the_evidence_end_with_its_link(gallery: Gallery) {
    let id = text(&gallery.push("/copy.jpg", "Look!").await["mentions"][0]["mentionId"]);
    let world = &gallery.watch.world;
    let send = async |method: Method, what: &str, body: Value| {
        let path = format!("/mentions/{id}{what}");
        world.agency.external(&world.app, method, &path, Some(body)).await.json()
    };
    send(Method::PATCH, "", json!({ "status": "confirmed", "allowed": false })).await;
    let opened = send(Method::POST, "/case", json!({})).await;
    let link = text(&opened["evidence_url"]).replace(&world.app.app.public_url, "");
    let mut anybody = Browser::on(&world.app);
    let page = anybody.get(&link).await;
    page.says(200, &["Found picture", "Reference image"]).hides("/objects/");
    let pictures = ["found.jpg", "reference.jpg"].map(|it| format!("{link}/{it}"));
    for picture in &pictures {
        assert!(page.page.contains(&format!("<img src=\"{picture}\"")), "{}", page.page);
        let seen = world.app.get(picture).await;
        let kind = (seen.header("content-type"), seen.header("cache-control"));
        assert_eq!((seen.status.as_u16(), kind), (200, (Some("image/jpeg"), Some("no-store"))));
    }
    assert_eq!(world.app.get(&format!("{link}/other.jpg")).await.status, 404);
    send(Method::PATCH, "/case", json!({ "status": "closed" })).await;
    for ended in &pictures {
        assert_eq!(world.app.get(ended).await.status, 404, "{ended}");
    }
    let why = "The case was closed, so its evidence can no longer be opened with this link.";
    let ended = anybody.get(&link).await;
    ended.says(410, &["This link no longer works", why]).hides("Look!").hides("Hopper");
    assert_eq!(world.app.get(&link).await.header("x-robots-tag"), Some("noindex, nofollow"));
    send(Method::PATCH, "/case", json!({ "status": "open" })).await;
    anybody.get(&link).await.says(200, &["Found picture"]);
}

#[db_test]
async fn the_case_and_its_link_come_back_with_the_decision(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let page = mention(&fixture, &mut ada).await;
    let here = format!("{page}/case");
    let link = evidence(&ada.follow(&here, &[]).await);
    let form = [("to", "legal@wire.example"), ("subject", "Hello"), ("text", "Please")];
    let form: Vec<_> = form.into_iter().chain([("step", "send")]).collect();
    ada.follow(&format!("{here}/letter"), &form).await.says(200, &["Status letter sent"]);
    fixture.browser().get(&link).await.says(200, &["The news"]);
    let form = [("status", "new"), ("back", &*page)];
    let cleared = ada.follow(&format!("{page}/decide"), &form).await;
    cleared.says(200, &["Nobody has decided yet.", "Undo"]);
    fixture.browser().get(&link).await.says(410, &["This link no longer works"]);
    undo(&mut ada, &cleared, &page).await.says(200, &["It is them, and the use is not allowed."]);
    ada.get(&here).await.says(200, &["Status letter sent", "was undone, so the case was reopened"]);
    fixture.browser().get(&link).await.says(200, &["The news"]);
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
async fn built_in_letters_are_in_the_language_of_the_writer(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let here = format!("{}/case", mention(&fixture, &mut ada).await);
    ada.follow(&here, &[]).await.says(200, &["Case opened"]);
    let languages = [
        ("de", "Bitte entfernen Sie Grace Hopper von Ihrer Seite", "Guten Tag,"),
        ("en", "Please remove Grace Hopper from your page", "Hello,"),
    ];
    for (language, subject, greeting) in languages {
        let chosen = format!(
            "DELETE FROM notice_settings;
             INSERT INTO notice_settings (person_id, language) SELECT user_id, '{language}' FROM users"
        );
        fixture.run(chosen).await;
        // A new session, because a session knows the language of its person.
        let mut ada = fixture.ada().await;
        let written = ada.get(&format!("{here}/letter?template=takedown")).await;
        written.says(200, &[greeting]).holds("subject", subject);
        let list = ada.get("/app/organization/letters/takedown").await;
        list.says(200, &[greeting]);
    }
}

#[db_test]
async fn the_navigation_counts_open_cases(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let here = format!("{}/case", mention(&fixture, &mut ada).await);
    let seen = ada.get("/app").await;
    assert!(seen.page.contains("href=\"/app/cases\""), "{}", seen.page);
    assert!(!seen.text.contains("Cases 1 open"), "{}", seen.text);
    ada.follow(&here, &[]).await.says(200, &["Case opened", "Cases 1 open"]);
    let seen = ada.get("/app/cases").await;
    seen.says(200, &["Cases 1 open"]);
    assert!(seen.page.contains("href=\"/app/cases\" aria-current=\"page\""), "{}", seen.page);
    let mut mary = fixture.stranger().await;
    assert!(!mary.get("/app").await.text.contains("1 open"), "others have none");
    ada.follow(&format!("{here}/status"), &[("status", "disputed")]).await.says(200, &["Disputed"]);
    let seen = ada.get("/app").await;
    assert!(!seen.text.contains("1 open"), "nobody has to act: {}", seen.text);
}

#[db_test]
async fn an_outdated_form_is_refused_with_what_changed(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let here = format!("{}/case", mention(&fixture, &mut ada).await);
    ada.follow(&here, &[]).await.says(200, &["Case opened"]).holds("version", "1");
    let status = format!("{here}/status");
    let form = [("version", "1"), ("status", "disputed"), ("assignee_id", "")];
    ada.follow(&status, &form).await.says(200, &["Case updated"]);
    let late = [("version", "1"), ("status", "answered"), ("assignee_id", "")];
    let seen = ada.post(&status, &late).await;
    let told = ["Someone else changed this case", "Status: Disputed", "Assignee: Nobody"];
    seen.says(412, &told);
    ada.get(&here).await.says(200, &["Status disputed New status"]);
    let version = seen.between("name=\"version\" value=\"", "\"").expect("a version");
    let again = [("version", &*version), ("status", "answered"), ("assignee_id", "")];
    ada.follow(&status, &again).await.says(200, &["Case updated", "Answered"]);
}

/// What the user left alone is as it is now, and what they changed is as they want it.
#[db_test]
async fn an_outdated_form_keeps_only_what_was_changed(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let here = format!("{}/case", mention(&fixture, &mut ada).await);
    let seen = ada.follow(&here, &[]).await;
    let own = seen.between("name=\"seen.assignee_id\" value=\"", "\"").expect("an assignee");
    let status = format!("{here}/status");
    let form = [("version", "1"), ("status", "disputed"), ("assignee_id", &*own)];
    ada.follow(&status, &form).await.says(200, &["Case updated"]);
    let late = [
        ("version", "1"),
        ("seen.status", "open"),
        ("seen.assignee_id", &*own),
        ("seen.comments", "0"),
        ("seen.letters", "0"),
        ("status", "open"),
        ("assignee_id", ""),
    ];
    let seen = ada.post(&status, &late).await;
    seen.says(412, &["Someone else changed this case", "Changed meanwhile: Status: Disputed"]);
    seen.hides("Assignee: ").hides("Last comment");
    for chosen in ["value=\"disputed\" selected>Disputed<", "value=\"\" selected>Nobody<"] {
        assert!(seen.page.contains(chosen), "no {chosen} in: {}", seen.page);
    }
    seen.holds("seen.status", "disputed").holds("seen.assignee_id", &own);
    let version = seen.between("name=\"version\" value=\"", "\"").expect("a version");
    let again = [("version", &*version), ("status", "disputed"), ("assignee_id", "")];
    let saved = ada.follow(&status, &again).await;
    saved.says(200, &["Case updated", "Status disputed New status", "Assignee Nobody"]);
}

#[db_test]
async fn a_use_that_is_licensed_by_now_is_said_before_a_letter_is_sent(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let page = mention(&fixture, &mut ada).await;
    let here = format!("{page}/case");
    ada.follow(&here, &[]).await.says(200, &["Case opened"]).hides("licensed by now");
    let licensed =
        "UPDATE mentions SET verdict = 'licensed', verdict_reason = 'They got a license'";
    fixture.run(licensed.to_owned()).await;
    let told =
        "The use is licensed by now: They got a license. Check this before you send a letter.";
    for path in [&page, &here, &format!("{here}/letter")] {
        ada.get(path).await.says(200, &[told]);
    }
}

#[db_test]
async fn a_case_is_for_what_is_not_allowed(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let page = mention(&fixture, &mut ada).await;
    fixture.run("UPDATE mentions SET allowed = NULL".to_owned()).await;
    let first = "A case is for a use that is not allowed. Mark it as not allowed first.";
    let seen = ada.get(&page).await;
    seen.says(200, &[first, "Mark as not allowed"]).hides("Open case");
    let led = ada.post(&format!("{page}/case"), &[]).await;
    assert_eq!((led.status, led.location.as_deref()), (303, Some(&*page)), "to decide it there");
    let form = [("status", "confirmed"), ("allowed", "no"), ("back", &*page)];
    ada.follow(&format!("{page}/decide"), &form).await.says(200, &["Open case"]);
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
