//! Mails about requests, offers and grants: each once, to the right people, with a link.

use std::collections::BTreeSet;

use grantor_service::mail::SavedMail;
use grantor_service::operations::chore;
use grantor_testkit::app::{ORIGIN, TestApp};
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{days, terms};
use crate::license::{World, text};

/// The names of the mails that were seen so far.
#[derive(Default)]
struct Inbox(BTreeSet<String>);

impl Inbox {
    /// An inbox in which everything sent before is seen.
    async fn of(app: &TestApp) -> Self {
        let mut inbox = Self::default();
        inbox.texts(app).await;
        inbox
    }

    /// Sends what waits and returns the new mails, in no order.
    async fn texts(&mut self, app: &TestApp) -> Vec<SavedMail> {
        app.send_mails().await;
        let mailbox = app.app.mailer.mailbox().unwrap();
        let mut new = vec![];
        for listed in mailbox.list(1_000).await.unwrap() {
            if self.0.insert(listed.name.clone()) {
                new.extend(mailbox.read(&listed.name).await.unwrap());
            }
        }
        new
    }

    /// The recipient, subject and link of each new mail.
    async fn take(&mut self, app: &TestApp) -> Vec<String> {
        let mut lines: Vec<_> = self.texts(app).await.iter().map(line).collect();
        lines.sort();
        lines
    }
}

fn line(mail: &SavedMail) -> String {
    let link = mail.text.split_once(ORIGIN).expect("a link").1;
    let link = link.split_whitespace().next().unwrap();
    format!("{} | {} | {link}", mail.to, mail.subject)
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
    let offered = to_bea("Agency of ada@example.com made you an offer for Winter", &link);
    assert_eq!(inbox.take(app).await, [offered]);
    world.act_on(true, &request, "withdraw", None).await;
    let withdrawn = "Agency of ada@example.com withdrew its offer for Winter (Grâce Hopper)";
    let withdrawn = to_bea(withdrawn, &link);
    assert_eq!(inbox.take(app).await, [withdrawn]);
    let reason = || Some(json!({ "reason": "Booked in June" }));
    world.act_on(true, &request, "decline", reason()).await;
    let texts = inbox.texts(app).await;
    let declined = "Agency of ada@example.com declined your request for Winter (Grâce Hopper)";
    let declined = to_bea(declined, &link);
    assert_eq!(texts.iter().map(line).collect::<Vec<_>>(), [declined]);
    assert!(texts[0].text.contains("Reason: Booked in June."), "{}", texts[0].text);

    let request = world.request_license(&license).await;
    let link = format!("/app/requests/{request}");
    world.act_on(false, &request, "withdraw", None).await;
    let asked = to_ada("Brand of bea@example.com requested Winter", &link);
    let withdrawn = "Brand of bea@example.com withdrew its request for Winter (Grâce Hopper)";
    let withdrawn = to_ada(withdrawn, &link);
    assert_eq!(inbox.take(app).await, [asked, withdrawn]);
    let request = world.request_license(&license).await;
    let link = format!("/app/requests/{request}");
    world.offer(&request, terms()).await;
    inbox.take(app).await;
    world.act_on(false, &request, "decline", reason()).await;
    let declined = "Brand of bea@example.com declined your offer for Winter (Grâce Hopper)";
    let declined = to_ada(declined, &link);
    assert_eq!(inbox.take(app).await, [declined]);
}

impl World {
    /// The agency offers a new public license to an address; returns the request's id.
    async fn offer_by_mail(&self, email: &str) -> String {
        let path = format!("/licenses/{}/offers", self.public().await);
        let body = json!({ "licensee": { "email": email }, "terms": terms() });
        let made = self.as_agency(Method::POST, &path, Some(body)).await;
        assert_eq!(made.status, 201, "{}", made.json());
        text(&made.json()["id"])
    }
}

/// One address has an account, and the other has none.
#[db_test]
async fn the_withdrawal_of_an_offer_to_an_address_is_mailed_there_once(world: World) {
    let app = &world.app;
    for email in ["bea@example.com", "zoe@example.com"] {
        let request = world.offer_by_mail(email).await;
        let mut inbox = Inbox::of(app).await;
        world.act_on(true, &request, "withdraw", None).await;
        let path = format!("/requests/{request}/withdraw");
        assert_eq!(world.as_agency(Method::POST, &path, None).await.status, 409);
        let texts = inbox.texts(app).await;
        let link = format!("/app/requests/{request}?to={}", email.replace('@', "%40"));
        let told = format!("{email} | Agency of ada@example.com withdrew its offer | {link}");
        assert_eq!(texts.iter().map(line).collect::<Vec<_>>(), [told]);
        assert!(texts[0].text.contains("Hello,"), "without a name: {}", texts[0].text);
    }
}

#[db_test]
async fn a_withdrawal_is_not_mailed_to_an_address_that_was_refused(world: World) {
    let app = &world.app;
    let request = world.offer_by_mail("zoe@example.com").await;
    let mut inbox = Inbox::of(app).await;
    let refused = "INSERT INTO refused_addresses (address, reason, refused_at)
        VALUES ('zoe@example.com', 'no such mailbox', 0)";
    seed::run(&app.database.options, refused.to_owned()).await;
    world.act_on(true, &request, "withdraw", None).await;
    assert_eq!(inbox.take(app).await, Vec::<String>::new());
    world.act_on(true, &request, "offer", Some(json!({ "terms": terms() }))).await;
    assert_eq!(inbox.take(app).await.len(), 1, "an offer is a link to respond, so it is mailed");
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
    let told = to_bea("New message from Agency of ada@example.com about Winter", &link);
    assert_eq!(texts.iter().map(line).collect::<Vec<_>>(), std::slice::from_ref(&told));
    assert!(texts[0].text.contains("Which channels?"), "{}", texts[0].text);
    world.act_on(false, &request, "messages", write("All of them")).await;
    let answered = "New message from Brand of bea@example.com about Winter";
    assert_eq!(inbox.take(app).await, [to_ada(answered, &link)]);
    world.act_on(false, &request, "read", None).await;
    world.act_on(true, &request, "messages", write("Fine")).await;
    assert_eq!(inbox.take(app).await, [told]);
}

#[db_test]
async fn a_lapsed_request_is_mailed_to_both_once(mut world: World) {
    let request = world.request_license(&world.public().await).await;
    let mut inbox = Inbox::of(&world.app).await;
    world.pass(days(90)).await;
    let (subject, link) =
        ("The request for Winter (Grâce Hopper) lapsed", format!("/app/requests/{request}"));
    let mut texts = inbox.texts(&world.app).await;
    texts.sort_by(|one, other| one.to.cmp(&other.to));
    let lines: Vec<_> = texts.iter().map(line).collect();
    assert_eq!(lines, [to_ada(subject, &link), to_bea(subject, &link)]);
    assert!(texts[0].text.contains("lapsed. Nobody responded in time."), "{}", texts[0].text);
    world.pass(days(1)).await;
    assert_eq!(inbox.take(&world.app).await, Vec::<String>::new());
}

#[db_test]
async fn a_lapsed_offer_is_told_as_an_offer(mut world: World) {
    let request = world.request_license(&world.public().await).await;
    world.offer(&request, terms()).await;
    let mut inbox = Inbox::of(&world.app).await;
    world.pass(days(14)).await;
    let (subject, link) =
        ("The offer for Winter (Grâce Hopper) lapsed", format!("/app/requests/{request}"));
    assert_eq!(inbox.take(&world.app).await, [to_ada(subject, &link), to_bea(subject, &link)]);
}

#[db_test]
async fn an_offer_that_the_license_no_longer_allows_is_told_with_that_reason(world: World) {
    let license = world.public().await;
    let request = world.request_license(&license).await;
    let hash = world.offer(&request, terms()).await;
    let mut inbox = Inbox::of(&world.app).await;
    assert_eq!(world.patch(&license, json!({ "uses": ["voice"] })).await.status, 200);
    assert_eq!(world.accept_offer(&request, &hash).await.status, 409);
    let texts = inbox.texts(&world.app).await;
    let reason = "lapsed. The license changed and no longer allows the offer.";
    assert!(texts.iter().all(|it| it.text.contains(reason)), "{texts:?}");
    assert_eq!(texts.len(), 1, "not Bea, whose client tried to accept it");
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
    let accepted = "Brand of bea@example.com accepted the offer for Winter (Grâce Hopper): \
                    grant GR-2026-000001";
    let ends = "Grant GR-2026-000001 for Winter (Grâce Hopper) ends on Aug 1, 2026";
    assert_eq!(
        inbox.take(&world.app).await,
        [to_ada(accepted, &link)],
        "not Bea, whose client did it"
    );
    world.accept_offer(&request, &hash).await;
    assert_eq!(inbox.take(&world.app).await, Vec::<String>::new(), "the same grant again");
    world.pass(days(182)).await;
    assert_eq!(inbox.take(&world.app).await, both(ends));
    world.pass(days(23)).await;
    assert_eq!(inbox.take(&world.app).await, both(ends));
    world.pass(days(6)).await;
    assert_eq!(inbox.take(&world.app).await, both(ends));
    let body = json!({ "reason": "The campaign was stopped" });
    let path = format!("/grants/{grant}/revoke");
    assert_eq!(world.as_agency(Method::POST, &path, Some(body)).await.status, 200);
    let texts = inbox.texts(&world.app).await;
    let revoked =
        "Agency of ada@example.com revoked grant GR-2026-000001 for Winter (Grâce Hopper)";
    let revoked = to_bea(revoked, &link);
    assert_eq!(texts.iter().map(line).collect::<Vec<_>>(), [revoked]);
    assert!(texts[0].text.contains("Reason: The campaign was stopped."), "{}", texts[0].text);
}

#[db_test]
async fn the_licensor_is_told_once_which_grant_is_in_the_way(world: World) {
    let mut exclusive = terms();
    exclusive["exclusive"] = json!(true);
    let mut elsewhere = terms();
    elsewhere["territories"] = json!(["FR"]);
    let mut offers = Vec::new();
    for terms in [exclusive, terms(), elsewhere] {
        let request = world.request_license(&world.public().await).await;
        let hash = world.offer(&request, terms).await;
        offers.push((request, hash));
    }
    let mut inbox = Inbox::of(&world.app).await;
    assert_eq!(world.accept_offer(&offers[0].0, &offers[0].1).await.status, 200);
    assert_eq!(chore::work(&world.app.app).await, Ok(1));
    let texts = inbox.texts(&world.app).await;
    let (request, hash) = &offers[1];
    let link = format!("/app/requests/{request}");
    let told = to_ada("Your offer for Winter can't be accepted", &link);
    let blocked: Vec<_> = texts.iter().filter(|it| it.subject.contains("can't be")).collect();
    assert_eq!((texts.len(), blocked.iter().map(|it| line(it)).collect()), (2, vec![told]));
    let text = &blocked[0].text;
    assert!(text.contains("it overlaps with grant GR-2026-000001"), "{text}");
    assert_eq!(world.accept_offer(request, hash).await.status, 409);
    assert_eq!(inbox.take(&world.app).await, Vec::<String>::new(), "the licensor knows");
    assert_eq!(world.accept_offer(&offers[2].0, &offers[2].1).await.status, 200);
}
