//! Mails that were written to files, read back.

use std::time::Duration;

use grantor_domain::Result;
use grantor_domain::mail::Mail;
use grantor_service::mail::{Mailbox, SavedMail, SavedMailSummary};
use grantor_testkit::app::TestApp;
use grantor_testkit::db_test;

/// Sends a mail of this subject, a second after the one before.
async fn send(app: &TestApp, subject: &str, html: Option<&str>) -> Mailbox {
    app.clock.advance(Duration::from_secs(1));
    let mail = Mail {
        to: "bea@example.com".to_owned(),
        subject: subject.to_owned(),
        text: "Your code: 314159 — grüße".to_owned(),
        html: html.map(str::to_owned),
        unsubscribe: None,
        reply_to: None,
    };
    let mailer = app.app.mailer.clone();
    let queued: Result<_> =
        app.app.store.write(move |tx| mailer.enqueue(tx, "otp", &mail).map(|_| ())).await;
    queued.unwrap();
    app.app.mailer.send_due(10).await.unwrap();
    app.app.mailer.mailbox().unwrap()
}

fn subjects(listed: &[SavedMailSummary]) -> Vec<&str> {
    listed.iter().map(|it| it.subject.as_str()).collect()
}

#[db_test]
async fn letters_are_listed_newest_first_and_read_whole(app: TestApp) {
    assert_eq!(app.app.mailer.mailbox().unwrap().list(10).await, Ok(vec![]));
    send(&app, "Grüße", None).await;
    let mailbox = send(&app, "Willkommen", Some("<p>314159 — grüße</p>")).await;
    let listed = mailbox.list(10).await.unwrap();
    assert_eq!(subjects(&listed), ["Willkommen", "Grüße"]);
    assert_eq!(subjects(&mailbox.list(1).await.unwrap()), ["Willkommen"]);
    let letter = SavedMail {
        from: "Grantor <no-reply@grantor.test>".to_owned(),
        to: "bea@example.com".to_owned(),
        subject: "Willkommen".to_owned(),
        at: listed[0].at,
        text: "Your code: 314159 — grüße".to_owned(),
        html: Some("<p>314159 — grüße</p>".to_owned()),
    };
    assert_eq!(listed[0].at.to_string(), "2026-01-01T00:00:02.000000Z");
    assert_eq!(mailbox.read(&listed[0].name).await, Ok(Some(letter)));
    assert_eq!(mailbox.read(&listed[1].name).await.unwrap().unwrap().html, None);
}

#[db_test]
async fn no_name_leads_out_of_the_folder(app: TestApp) {
    let mailbox = send(&app, "Inside", None).await;
    let name = mailbox.list(1).await.unwrap()[0].name.clone();
    let (folder, id) = (app.mail_folder(), "0190a5e4-7b3c-7def-8123-456789abcdef");
    let outside = folder.parent().unwrap().join(&name);
    std::fs::copy(folder.join(&name), &outside).unwrap();
    std::fs::copy(folder.join(&name), folder.join("notes.eml")).unwrap();
    std::os::unix::fs::symlink(&outside, folder.join(format!("x-{id}.eml"))).unwrap();
    for asked in [
        format!("../{name}"),
        format!("./{name}"),
        outside.to_str().unwrap().to_owned(),
        format!("x-{id}.eml"),
        "notes.eml".to_owned(),
        format!("{name}\0"),
        String::new(),
    ] {
        assert_eq!(mailbox.read(&asked).await, Ok(None), "{asked:?}");
    }
    let listed = mailbox.list(9).await.unwrap().len();
    assert_eq!((listed, mailbox.read(&name).await.unwrap().is_some()), (1, true));
}

/// A folder that cannot be read is not an empty one.
#[db_test]
async fn a_folder_that_is_none_is_a_fault(app: TestApp) {
    let mailbox = send(&app, "Inside", None).await;
    std::fs::remove_dir_all(app.mail_folder()).unwrap();
    assert_eq!(mailbox.list(1).await, Ok(vec![]), "there is no folder before the first mail");
    std::fs::write(app.mail_folder(), "no folder").unwrap();
    assert!(mailbox.list(1).await.is_err() && mailbox.read("x").await.is_err());
}
