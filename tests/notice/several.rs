//! People who are in several organizations: what they are told names its organization, and the same
//! thing is told once.

use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::json;

use super::{ADA, BEA, Inbox, MINUTE, header, hours, to};
use crate::license::{Member, PASSWORD, World, text};

const AGENCY: &str = "Agency of ada@example.com";
const BRAND: &str = "Brand of bea@example.com";

/// Ada becomes an owner of the brand, too.
async fn join(world: &World) {
    seed::join(&world.app.database.options, ADA, BRAND, "Organization_Admin").await;
}

#[db_test]
async fn an_email_names_its_organization_and_leads_there(world: World) {
    join(&world).await;
    let mut inbox = Inbox::of(&world.app).await;
    let request = world.ask_for_license().await;
    world.app.clock.advance(MINUTE);
    let texts = inbox.texts(&world.app).await;
    let [mail] = texts.as_slice() else { panic!("{texts:?}") };
    assert_eq!(header(mail, "Subject"), format!("[{AGENCY}] {BRAND} requested Winter"));
    let agency = &world.agency.organization;
    let link = format!("https://grantor.test/app/requests/{request}?organization={agency}");
    assert!(mail.contains(&link), "{mail}");
    assert!(mail.contains(&format!("This email is about {AGENCY}.")), "{mail}");
}

#[db_test]
async fn one_organization_is_not_named(world: World) {
    let mut inbox = Inbox::of(&world.app).await;
    world.ask_for_license().await;
    world.app.clock.advance(MINUTE);
    let texts = inbox.texts(&world.app).await;
    assert_eq!(header(&texts[0], "Subject"), format!("{BRAND} requested Winter"));
    assert!(!texts[0].contains("organization="), "{}", texts[0]);
    assert!(!texts[0].contains("This email is about"), "{}", texts[0]);
}

/// Both parties are told about a grant. Who is in both is told once.
#[db_test]
async fn what_concerns_two_organizations_is_told_once(mut world: World) {
    join(&world).await;
    let request = world.ask_for_license().await;
    world.later(MINUTE).await;
    let mut inbox = Inbox::of(&world.app).await;
    let (path, body) = (format!("/requests/{request}/messages"), json!({ "message": "June?" }));
    assert_eq!(world.as_brand(Method::POST, &path, Some(body)).await.status, 201);
    world.later(MINUTE).await;
    let one = to(ADA, &format!("[{AGENCY}] New message from {BRAND} about Winter"));
    assert_eq!(inbox.take(&world.app).await, [one], "only the agency was told");
    let hash = world.offer(&request, crate::grant::terms()).await;
    world.later(MINUTE).await;
    inbox.take(&world.app).await;
    assert_eq!(world.accept_offer(&request, &hash).await.status, 200);
    world.later(MINUTE).await;
    let told = inbox.texts(&world.app).await;
    let to_ada: Vec<_> = told.iter().filter(|it| header(it, "To") == ADA).collect();
    let [mail] = to_ada.as_slice() else { panic!("{told:?}") };
    // The brand is the older membership.
    let about = format!("This email is about {BRAND} and {AGENCY}.");
    assert!(mail.contains(&about), "{mail}");
}

#[db_test]
async fn a_digest_names_the_organization_of_each_line(mut world: World) {
    join(&world).await;
    world.choose(&world.agency, "request", "digest").await;
    let mut inbox = Inbox::of(&world.app).await;
    world.ask_for_license().await;
    world.share_license().await;
    world.later(hours(8)).await;
    let texts = inbox.texts(&world.app).await;
    let mail = texts.iter().find(|it| header(it, "To") == ADA).expect("a digest");
    let line = format!("[{AGENCY}] {BRAND} requested Winter\r\n");
    assert_eq!(mail.matches(&line).count(), 1, "{line}: {mail}");
    // Ada shared the license herself, so the brand does not tell her.
    assert!(mail.contains(&format!("This email is about {AGENCY}.")), "{mail}");
    assert!(!mail.contains(&format!("[{BRAND}]")), "{mail}");
}

fn sent_to<'a>(texts: &'a [String], person: &str) -> Vec<&'a String> {
    texts.iter().filter(|it| header(it, "To") == person).collect()
}

/// Cara's agency shares a new license with somebody's organization.
async fn share(world: &World, cara: &Member, title: &str, with: &Member) {
    let post = async |path: &str, body| {
        let made = cara.console(&world.app, Method::POST, path, Some(body)).await;
        assert!(made.status.is_success(), "{}", made.json());
        made.json()["data"].clone()
    };
    let talent = post("/org/talent", json!({ "fullname": title })).await;
    let path = format!("/org/talent/license/{}", text(&talent["talentId"]));
    let body = json!({ "name": title, "type": "advertising", "status": "private" });
    let license = post(&path, body).await;
    let path = format!("/org/license/{}/permissions", text(&license["licenseId"]));
    let grantee = json!({ "organizationId": with.organization });
    post(&path, json!({ "grantee": grantee, "role": "viewer" })).await;
}

/// Somebody who is in neither organization acts, so both tell Ada, in one email.
#[db_test]
async fn a_digest_has_lines_of_two_organizations(mut world: World) {
    join(&world).await;
    let cara = Member::join(&world.app, "cara@example.com", Some("Agency")).await;
    let mut inbox = Inbox::of(&world.app).await;
    share(&world, &cara, "Spring", &world.agency).await;
    share(&world, &cara, "Summer", &world.brand).await;
    world.later(hours(8)).await;
    let texts = inbox.texts(&world.app).await;
    let to_ada = sent_to(&texts, ADA);
    let [mail] = to_ada.as_slice() else { panic!("{texts:?}") };
    assert_eq!(header(mail, "Subject"), "Your daily digest: 2 notifications");
    let shared = |title: &str| format!("Agency of cara@example.com shared {title} with you\r\n");
    for (name, title, member) in
        [(AGENCY, "Spring", &world.agency), (BRAND, "Summer", &world.brand)]
    {
        let line = format!("[{name}] {}", shared(title));
        assert_eq!(mail.matches(&line).count(), 1, "{line}: {mail}");
        let within = format!("?organization={}\r\n", member.organization);
        assert!(mail.contains(&within), "it leads into {name}: {mail}");
    }
    assert!(mail.contains(&format!("This email is about {BRAND} and {AGENCY}.")), "{mail}");
    // Bea is in one organization, so nothing names it.
    let to_bea = sent_to(&texts, BEA);
    let [mail] = to_bea.as_slice() else { panic!("{texts:?}") };
    assert_eq!(header(mail, "Subject"), "Your daily digest: 1 notification");
    assert!(mail.contains(&format!("\n{}", shared("Summer"))), "{mail}");
    assert!(!mail.contains("Spring") && !mail.contains("organization="), "{mail}");
}

/// The bell is that of the session's organization.
#[db_test]
async fn each_organization_has_its_bell(world: World) {
    join(&world).await;
    world.ask_for_license().await;
    let path = "/v1.0.1/user/notices";
    let of = async |organization: &str| {
        let body = json!({ "username": ADA, "password": PASSWORD, "organizationId": organization });
        let token = world.app.post("/v1.0.1/auth/login", &body).await.json();
        let token = text(&token["data"]["accessToken"]);
        let seen = world.app.request(Method::GET, path).console(&token).send().await.json();
        seen["data"]["unreadCount"].clone()
    };
    assert_eq!(of(&world.agency.organization).await, json!(1));
    assert_eq!(of(&world.brand.organization).await, json!(0));
}
