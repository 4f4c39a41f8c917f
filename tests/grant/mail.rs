//! Mails about requests, offers and grants: each once, to the right people, with a link.

use std::collections::BTreeSet;
use std::path::PathBuf;

use grantor_testkit::app::{ORIGIN, TestApp};
use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::{days, terms};
use crate::license::{World, text};

/// The mails that were seen so far.
#[derive(Default)]
struct Inbox(BTreeSet<PathBuf>);

impl Inbox {
    /// An inbox in which everything sent before is seen.
    async fn of(app: &TestApp) -> Self {
        let mut inbox = Self::default();
        inbox.texts(app).await;
        inbox
    }

    /// Sends what waits and returns the new mails, in no order.
    async fn texts(&mut self, app: &TestApp) -> Vec<String> {
        app.send_mails().await;
        let files = std::fs::read_dir(app.mail_folder()).unwrap().map(|it| it.unwrap().path());
        let new: Vec<_> = files.filter(|it| self.0.insert(it.clone())).collect();
        let read = |it: &PathBuf| std::fs::read_to_string(it).unwrap().replace("=\r\n", "");
        new.iter().map(read).collect()
    }

    /// The recipient, subject and link of each new mail.
    async fn take(&mut self, app: &TestApp) -> Vec<String> {
        let mut lines: Vec<_> = self.texts(app).await.iter().map(|it| line(it)).collect();
        lines.sort();
        lines
    }
}

fn line(mail: &str) -> String {
    let header = |name: &str| {
        let found = mail.lines().find_map(|it| it.strip_prefix(name));
        found.unwrap_or_else(|| panic!("no {name} in {mail}")).to_owned()
    };
    // The headers contain the link to unsubscribe.
    let body = mail.split_once("\r\n\r\n").expect("a body").1;
    let link = body.split_once(ORIGIN).expect("a link").1;
    let link = link.split_whitespace().next().unwrap();
    format!("{} | {} | {link}", header("To: "), header("Subject: "))
}

fn to_ada(subject: &str, link: &str) -> String {
    format!("ada@example.com | {subject} | {link}")
}

fn to_bea(subject: &str, link: &str) -> String {
    format!("bea@example.com | {subject} | {link}")
}

impl World {
    /// One side does something with a request.
    async fn act_on(&self, owner: bool, request: &str, act: &str, body: Option<Value>) {
        let path = format!("/requests/{request}/{act}");
        let member = if owner { &self.agency } else { &self.brand };
        let done = member.external(&self.app, Method::POST, &path, body).await;
        assert!(done.status.is_success(), "{act}: {}", done.status);
    }
}

#[db_test]
async fn each_step_is_mailed_once_to_the_other_party(world: World) {
    let app = &world.app;
    let mut inbox = Inbox::of(app).await;
    let license = world.public().await;
    let request = world.request_license(&license).await;
    let link = format!("/app/requests/{request}");
    let asked = to_ada("Brand of bea@example.com requested Winter", &link);
    assert_eq!(inbox.take(app).await, [asked]);
    world.offer(&request, terms()).await;
    let offered = to_bea("Agency of ada@example.com made you an offer", &link);
    assert_eq!(inbox.take(app).await, [offered]);
    world.act_on(true, &request, "withdraw", None).await;
    let withdrawn = to_bea("Agency of ada@example.com withdrew its offer", &link);
    assert_eq!(inbox.take(app).await, [withdrawn]);
    let reason = || Some(json!({ "reason": "Booked in June" }));
    world.act_on(true, &request, "decline", reason()).await;
    let texts = inbox.texts(app).await;
    let declined = to_bea("Agency of ada@example.com declined your request", &link);
    assert_eq!(texts.iter().map(|it| line(it)).collect::<Vec<_>>(), [declined]);
    assert!(texts[0].contains("Reason: Booked in June"), "{}", texts[0]);

    let request = world.request_license(&license).await;
    let link = format!("/app/requests/{request}");
    world.act_on(false, &request, "withdraw", None).await;
    let asked = to_ada("Brand of bea@example.com requested Winter", &link);
    let withdrawn = to_ada("Brand of bea@example.com withdrew its request", &link);
    assert_eq!(inbox.take(app).await, [asked, withdrawn]);
    let request = world.request_license(&license).await;
    let link = format!("/app/requests/{request}");
    world.offer(&request, terms()).await;
    inbox.take(app).await;
    world.act_on(false, &request, "decline", reason()).await;
    let declined = to_ada("Brand of bea@example.com declined your offer", &link);
    assert_eq!(inbox.take(app).await, [declined]);
}

#[db_test]
async fn messages_are_mailed_again_only_after_they_were_read(world: World) {
    let app = &world.app;
    let request = world.request_license(&world.public().await).await;
    let mut inbox = Inbox::of(app).await;
    let link = format!("/app/requests/{request}");
    let write = |text: &str| Some(json!({ "message": text }));
    world.act_on(true, &request, "messages", write("Which channels?")).await;
    world.act_on(true, &request, "messages", write("And when?")).await;
    let texts = inbox.texts(app).await;
    let told = to_bea("New message about Winter", &link);
    assert_eq!(texts.iter().map(|it| line(it)).collect::<Vec<_>>(), std::slice::from_ref(&told));
    assert!(texts[0].contains("Which channels?"), "{}", texts[0]);
    world.act_on(false, &request, "messages", write("All of them")).await;
    assert_eq!(inbox.take(app).await, [to_ada("New message about Winter", &link)]);
    world.act_on(false, &request, "read", None).await;
    world.act_on(true, &request, "messages", write("Fine")).await;
    assert_eq!(inbox.take(app).await, [told]);
}

#[db_test]
async fn a_lapsed_request_is_mailed_to_both_once(mut world: World) {
    let request = world.request_license(&world.public().await).await;
    let mut inbox = Inbox::of(&world.app).await;
    world.pass(days(90)).await;
    let (subject, link) = ("The request for Winter lapsed", format!("/app/requests/{request}"));
    assert_eq!(inbox.take(&world.app).await, [to_ada(subject, &link), to_bea(subject, &link)]);
    world.pass(days(1)).await;
    assert_eq!(inbox.take(&world.app).await, Vec::<String>::new());
}

#[db_test]
async fn the_life_of_a_grant_is_mailed(mut world: World) {
    let license = world.public().await;
    let request = world.request_license(&license).await;
    let hash = world.offer(&request, terms()).await;
    let mut inbox = Inbox::of(&world.app).await;
    let grant = text(&world.accept_offer(&request, &hash).await.json()["id"]);
    let link = format!("/app/grants/{grant}");
    let both = |subject: &str| [to_ada(subject, &link), to_bea(subject, &link)];
    assert_eq!(inbox.take(&world.app).await, both("Grant GR-2026-000001 for Winter"));
    world.accept_offer(&request, &hash).await;
    assert_eq!(inbox.take(&world.app).await, Vec::<String>::new(), "the same grant again");
    world.pass(days(182)).await;
    assert_eq!(inbox.take(&world.app).await, both("Grant GR-2026-000001 ends in 30 days"));
    world.pass(days(23)).await;
    assert_eq!(inbox.take(&world.app).await, both("Grant GR-2026-000001 ends in 7 days"));
    world.pass(days(6)).await;
    assert_eq!(inbox.take(&world.app).await, both("Grant GR-2026-000001 ends in 1 day"));
    let body = json!({ "reason": "The campaign was stopped" });
    let path = format!("/grants/{grant}/revoke");
    assert_eq!(world.as_agency(Method::POST, &path, Some(body)).await.status, 200);
    let texts = inbox.texts(&world.app).await;
    let revoked = to_bea("Grant GR-2026-000001 was revoked", &link);
    assert_eq!(texts.iter().map(|it| line(it)).collect::<Vec<_>>(), [revoked]);
    assert!(texts[0].contains("Reason: The campaign was stopped"), "{}", texts[0]);
}

#[db_test]
async fn the_licensor_is_told_once_which_grant_is_in_the_way(world: World) {
    let mut exclusive = terms();
    exclusive["exclusive"] = json!(true);
    let mut offers = Vec::new();
    for _ in 0..2 {
        let request = world.request_license(&world.public().await).await;
        let hash = world.offer(&request, exclusive.clone()).await;
        offers.push((request, hash));
    }
    assert_eq!(world.accept_offer(&offers[0].0, &offers[0].1).await.status, 200);
    let mut inbox = Inbox::of(&world.app).await;
    let (request, hash) = &offers[1];
    for _ in 0..2 {
        assert_eq!(world.accept_offer(request, hash).await.status, 409);
    }
    let texts = inbox.texts(&world.app).await;
    let link = format!("/app/requests/{request}");
    let told = to_ada("Your offer for Winter can't be accepted", &link);
    assert_eq!(texts.iter().map(|it| line(it)).collect::<Vec<_>>(), [told]);
    assert!(texts[0].contains("GR-2026-000001"), "{}", texts[0]);
}
