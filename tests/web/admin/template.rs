//! The mails that are sent.

use grantor_domain::admin::AdminRole::Admin;
use grantor_domain::template::MailKind;
use grantor_testkit::db_test;

use super::staff;
use crate::web::kit::WebFixture;

const PAGE: &str = "/app/admin/mail/registration";
const TEXT: [(&str, &str); 2] =
    [("subject", "Your code"), ("body", "Hi, <b>you</b>:\r\n\r\n{{code}}")];

#[db_test]
async fn every_mail_is_listed(fixture: WebFixture) {
    let mut admin = staff(&fixture, Admin).await;
    let list = admin.get("/app/admin/mail").await;
    for kind in MailKind::ALL {
        list.says(200, &[kind.purpose()]);
        let page = admin.get(&format!("/app/admin/mail/{}", kind.name())).await;
        page.says(200, &["This template uses the built-in text.", "{{"]);
    }
}

#[db_test]
async fn a_text_is_written_replaced_and_reverted(fixture: WebFixture) {
    let mut admin = staff(&fixture, Admin).await;
    let written = admin.follow(PAGE, &TEXT).await;
    written
        .says(200, &["Email template updated", "customized by staff"])
        .holds("subject", "Your code");
    admin.get("/app/admin/mail").await.says(200, &["Your code customized"]);
    let other = [("subject", "Another"), TEXT[1]];
    admin.follow(PAGE, &other).await.says(200, &["Subject: “Another”"]);
    let back = admin.follow(&format!("{PAGE}/revert"), &[]).await;
    back.says(200, &["Built-in text restored"]).holds("subject", "{{code}} is your Grantor code");
    // There is nothing left to go back from, and that is fine.
    assert_eq!(admin.post(&format!("{PAGE}/revert"), &[]).await.status, 303);
}

#[db_test]
async fn a_text_that_is_of_no_use_is_refused(fixture: WebFixture) {
    let mut admin = staff(&fixture, Admin).await;
    let form = [("subject", "Hi {{nobody}}"), ("body", "No <i>code</i>")];
    let seen = admin.post(PAGE, &form).await;
    seen.says(422, &["No <i>code</i>"]).holds("subject", "Hi {{nobody}}");
    seen.refuses("body", "Must contain {{code}}.");
    admin.get("/app/admin/mail").await.says(200, &[]).hides("customized");
}

#[db_test]
async fn a_preview_is_a_document_that_can_do_nothing(fixture: WebFixture) {
    let mut admin = staff(&fixture, Admin).await;
    let policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'";
    let shown = admin.get(&format!("{PAGE}/preview")).await;
    assert_eq!((shown.status, shown.policy.as_deref()), (200, Some(policy)));
    assert!(shown.page.contains("012345"));
    let tried = admin.post(&format!("{PAGE}/preview"), &TEXT).await;
    assert!(tried.page.contains("Hi, &lt;b&gt;you&lt;/b&gt;:") && tried.policy == shown.policy);
    let text = admin.post(&format!("{PAGE}/preview?part=text"), &TEXT).await;
    assert_eq!(text.page, "Subject: Your code\n\nHi, <b>you</b>:\n\n    012345\n");
    assert_eq!(text.kind.as_deref(), Some("text/plain; charset=utf-8"));
    let wrong = admin.post(&format!("{PAGE}/preview"), &[("subject", "x")]).await;
    assert_eq!(
        (wrong.status, wrong.page),
        (422, "This template is not valid.\n\nThe body is required.\n".to_owned())
    );
    let page = admin.get(PAGE).await;
    assert!(
        page.page.contains("sandbox=\"\"") && page.policy.unwrap().contains("script-src 'self'")
    );
}
