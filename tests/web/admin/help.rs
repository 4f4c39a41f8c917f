//! Requests for help, from the question to the answer.

use grantor_domain::admin::AdminRole::{Admin, SupportAdmin};
use grantor_testkit::db_test;

use super::staff;
use crate::web::kit::{ADA, WebFixture};

const QUESTION: &str = "How do I share a license with two brands?";
const ANSWER: &str = "Open the license and share it twice.";

#[db_test]
async fn a_question_is_answered_by_email(fixture: WebFixture) {
    let mut admin = staff(&fixture, Admin).await;
    let mut ada = fixture.ada().await;
    ada.get("/app/help").await.says(200, &["Ask for help", "No questions yet"]);
    let seen = ada.follow("/app/help", &[("message", QUESTION)]).await;
    seen.says(200, &["Sent. The answer comes by email", QUESTION, "pending"]);
    let mail = fixture.app.newest_mail("Admin@grantor.test").await;
    admin.get("/app/admin").await.says(200, &["Requests for help 1"]);
    let list = admin.get("/app/admin/help").await;
    list.says(200, &[QUESTION, "Ada Lovelace", "Babbage Talent", "open"]);
    let path = list.link("/app/admin/help/");
    let organization = list.link("/app/admin/organizations/");
    admin.get(&organization).await.says(200, &["Babbage Talent", ADA, "View as"]);
    for part in [QUESTION, "Ada Lovelace (ada@example.com)", &*path, &*organization] {
        assert!(mail.contains(part), "{part}: {mail}");
    }
    let seen = admin.post(&path, &[("answer", "")]).await;
    seen.says(422, &[QUESTION]).refuses("answer", "Must be 1 to 5000 characters.");
    let seen = admin.follow(&path, &[("answer", ANSWER)]).await;
    seen.says(200, &["Answer sent", "No requests for help"]);
    let mail = fixture.app.newest_mail(ADA).await;
    assert!(mail.contains(QUESTION) && mail.contains(ANSWER), "{mail}");
    ada.get("/app/help").await.says(200, &[QUESTION, ANSWER]).hides("pending");
    admin.post(&path, &[("answer", ANSWER)]).await.says(409, &["already answered"]);
    admin.get("/app/admin/help?all=true").await.says(200, &[QUESTION, "answered"]);
}

#[db_test]
async fn a_question_has_bounds_and_stays_in_the_organization(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let seen = ada.post("/app/help", &[("message", "Help")]).await;
    seen.says(422, &[]).refuses("message", "Must be 10 to 2000 characters.");
    for _ in 0..10 {
        ada.follow("/app/help", &[("message", QUESTION)]).await.says(200, &[QUESTION]);
    }
    let seen = ada.post("/app/help", &[("message", QUESTION)]).await;
    seen.says(409, &["10 requests of your organization wait for an answer"]);
    fixture.stranger().await.get("/app/help").await.says(200, &["No questions yet"]);
}

#[db_test]
async fn support_reads_and_does_not_answer(fixture: WebFixture) {
    fixture.ada().await.post("/app/help", &[("message", QUESTION)]).await;
    let mut support = staff(&fixture, SupportAdmin).await;
    let path = support.get("/app/admin/help").await.link("/app/admin/help/");
    support.get(&path).await.says(200, &[QUESTION]).hides("Send answer");
    assert_eq!(support.post(&path, &[("answer", ANSWER)]).await.status, 403);
}
