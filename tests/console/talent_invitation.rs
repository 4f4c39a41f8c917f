//! `/org/invite/talent`, and accepting such an invitation.

use std::time::Duration;

use futures_util::future::join_all;
use grantor_testkit::app::Answer;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{Home, PASSWORD, PROFILE, access, account, faults, refused};

const INVITE: &str = "/v1.0.1/org/invite/talent";
const GRACE: &str = "grace@example.com";
const CHOSEN: &str = "Compiler-Nanosecond-1952";
const EXPIRES: &str = "2026-01-08T00:00:00.000000Z";

impl Home {
    async fn invite(&self, body: Value) -> Answer {
        self.send(Method::POST, INVITE, Some(body)).await
    }

    /// Puts a talent on the roster; gives its id.
    async fn talent(&self, body: Value) -> String {
        let made = self.send(Method::POST, "/v1.0.1/org/talent", Some(body)).await;
        made.json()["data"]["talentId"].as_str().unwrap().to_owned()
    }

    /// Invites Grace as a new talent; gives the token she is mailed and the record's id.
    async fn invite_grace(&self) -> (String, String) {
        let invited = self.invite(json!({ "fullname": "Grace Hopper", "email": GRACE })).await;
        assert_eq!(invited.status, 201);
        let talent = invited.json()["data"]["talentId"].as_str().unwrap().to_owned();
        (self.app.mailed_token(GRACE).await, talent)
    }

    async fn accept(&self, body: Value) -> Answer {
        self.app.post("/v1.0.1/auth/accept/invitation", &body).await
    }

    async fn verified(&self, talent: &str) -> bool {
        let shown = self.send(Method::GET, &format!("/v1.0.1/talent/{talent}"), None).await;
        shown.json()["data"]["verified"].as_bool().unwrap()
    }

    async fn count(&self, of: &str) -> String {
        let query = format!("SELECT CAST(count(*) AS text) FROM {of}");
        seed::rows(&self.app.database.options, &query).await[0][0].clone()
    }
}

fn fine(data: &Value, message: &str) -> (u16, Value) {
    (201, json!({ "data": data, "message": message, "status": "success" }))
}

fn welcome(answer: &Answer, email: &str, role: &str) -> (u16, Value) {
    let user = answer.json()["data"]["userId"].clone();
    let data = json!({ "userId": user, "email": email, "role": role });
    fine(&data, "Welcome! You have claimed your talent record.")
}

fn spent() -> (u16, Value) {
    let message = "This invitation is invalid, has expired or was already used";
    (400, refused("INVALID_SESSION", message))
}

fn linked() -> (u16, Value) {
    let message = "This talent record is already linked to an account";
    (409, refused("RESOURCE_CONFLICT", message))
}

#[db_test]
async fn a_talent_on_the_roster_is_invited_at_their_own_or_another_address(home: Home) {
    let known = home.talent(json!({ "fullname": "Grace Hopper", "email": GRACE })).await;
    let bare = home.talent(json!({ "fullname": "Hedy Lamarr" })).await;
    for (body, talent, email) in [
        (json!({ "talentId": known }), &known, GRACE),
        (json!({ "talentId": known, "email": "g@example.com" }), &known, "g@example.com"),
        (json!({ "talentId": bare, "email": "hedy@example.com" }), &bare, "hedy@example.com"),
    ] {
        let invited = home.invite(body).await;
        let data = json!({
            "invitationId": invited.json()["data"]["invitationId"],
            "talentId": talent,
            "email": email,
            "status": "pending",
            "expiresAt": EXPIRES,
        });
        assert_eq!(invited.whole(), fine(&data, "Invitation sent"));
    }
    let lacking = home.invite(json!({ "talentId": bare })).await;
    assert_eq!(faults(&lacking), (400, json!({ "email": "is required" })));
    assert_eq!(home.count("talents").await, "2");
}

#[db_test]
async fn who_is_not_on_the_roster_joins_it(home: Home) {
    let invited = home.invite(json!({ "fullname": "Grace Hopper", "email": GRACE })).await;
    let (id, talent) = (
        invited.json()["data"]["invitationId"].clone(),
        invited.json()["data"]["talentId"].clone(),
    );
    let data = json!({
        "invitationId": id, "talentId": talent, "email": GRACE, "status": "pending",
        "expiresAt": EXPIRES,
    });
    assert_eq!(invited.whole(), fine(&data, "Invitation sent"));
    let mail = home.app.newest_mail(GRACE).await;
    assert!(mail.contains("Subject: Babbage Talent invited you to Grantor"), "{mail}");
    assert!(
        mail.contains("Ada Lovelace from Babbage Talent created a talent record for you"),
        "{mail}"
    );
    let roster = home.send(Method::GET, "/v1.0.1/org/talent/roster", None).await.json();
    let record = json!({
        "talentId": talent, "fullname": "Grace Hopper", "aliases": [], "email": GRACE,
        "phone": null, "bio": null, "socialMedia": {}, "status": "active", "verified": false,
        "licenseCount": 0, "teamId": null, "createdAt": "2026-01-01T00:00:00.000000Z",
        "updatedAt": "2026-01-01T00:00:00.000000Z",
    });
    assert_eq!(roster["data"]["talents"], json!([record]));
}

#[db_test]
async fn every_fault_of_an_invitation_is_named(home: Home) {
    let required = "is required";
    let empty = home.invite(json!({})).await;
    assert_eq!(faults(&empty), (400, json!({ "fullname": required, "email": required })));
    let wrong = home.invite(json!({ "talentId": "1", "email": "x", "fullname": "Grace" })).await;
    let (status, details) = faults(&wrong);
    assert_eq!((status, details.as_object().unwrap().len()), (400, 3));
    assert_eq!(details["talentId"], "must be a UUID");
    assert_eq!(details["fullname"], "must be omitted if talentId is set");
    let unknown = json!({ "talentId": "0190a5e4-7b3c-7def-8123-456789abcdef" });
    let answer = home.invite(unknown).await;
    assert_eq!(answer.whole(), (404, refused("NOT_FOUND", "Talent not found")));
}

#[db_test]
async fn an_unknown_address_gets_an_account_with_a_password(home: Home) {
    let (token, talent) = home.invite_grace().await;
    let bare = home.accept(json!({ "token": token })).await;
    assert_eq!(faults(&bare), (400, json!({ "password": "is required" })));
    for weak in ["short", "hopper1!"] {
        let answer = home.accept(json!({ "token": token, "password": weak })).await;
        let (status, details) = faults(&answer);
        assert!(status == 400 && details["password"].is_string(), "{weak}: {details}");
    }
    assert_eq!((home.verified(&talent).await, home.count("users").await), (false, "1".to_owned()));

    let body = json!({ "token": token, "password": CHOSEN });
    let accepted = home.accept(body.clone()).await;
    assert_eq!(accepted.whole(), welcome(&accepted, GRACE, "Individual"));
    assert!(home.verified(&talent).await);
    assert_eq!(home.accept(body).await.whole(), spent());

    let grace = access(&home.app.sign_in(GRACE, CHOSEN).await);
    let own = home.send_as(&grace, Method::GET, "/v1.0.1/talent", None).await.json();
    let own = own["data"]["talents"].as_array().unwrap().clone();
    assert_eq!(own.len(), 2, "her own record and the agency's");
    assert!(own.iter().any(|it| it["talentId"] == talent.as_str()));
    let profile = home.send_as(&grace, Method::GET, PROFILE, None).await.json();
    assert_eq!(profile["data"]["fullname"], "Grace Hopper");
}

#[db_test]
async fn the_name_can_be_another(home: Home) {
    let (token, _) = home.invite_grace().await;
    let body = json!({ "token": token, "password": CHOSEN, "fullname": "Grace B. M. Hopper" });
    assert_eq!(home.accept(body).await.status, 201);
    let names = "SELECT fullname FROM users WHERE email = 'grace@example.com'";
    let names = seed::rows(&home.app.database.options, names).await;
    assert_eq!(names, [["Grace B. M. Hopper"]]);
}

#[db_test]
async fn a_known_address_needs_no_password_and_keeps_its_own(home: Home) {
    account(&home.app, GRACE, "Navy").await;
    let (token, talent) = home.invite_grace().await;
    let accepted = home.accept(json!({ "token": token, "password": CHOSEN })).await;
    assert_eq!(accepted.whole(), welcome(&accepted, GRACE, "Organization_Admin"));
    assert!(home.verified(&talent).await);
    assert_eq!(home.app.sign_in(GRACE, CHOSEN).await, Value::Null);
    let grace = access(&home.app.sign_in(GRACE, PASSWORD).await);
    let own = home.send_as(&grace, Method::GET, "/v1.0.1/talent", None).await.json();
    assert_eq!(own["data"]["talents"][0]["talentId"], talent.as_str());
    let logged = "log_entries WHERE action = 'invitation.accept'
        AND tenant_id = (SELECT tenant_id FROM tenants WHERE name = 'Babbage Talent')";
    assert_eq!(home.count(logged).await, "1");
}

#[db_test]
async fn a_record_is_taken_up_once(home: Home) {
    let (first, talent) = home.invite_grace().await;
    let other = json!({ "talentId": talent, "email": "other@example.com" });
    assert_eq!(home.invite(other).await.status, 201);
    let second = home.app.mailed_token("other@example.com").await;
    let all =
        [first, second].map(|token| home.accept(json!({ "token": token, "password": CHOSEN })));
    let mut statuses: Vec<_> = join_all(all).await.iter().map(|it| it.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409]);
    assert_eq!(home.invite(json!({ "talentId": talent })).await.whole(), linked());
    assert_eq!(home.count("users").await, "2");
}

#[db_test]
async fn an_invitation_to_a_linked_record_is_409(home: Home) {
    let (first, talent) = home.invite_grace().await;
    home.invite(json!({ "talentId": talent, "email": "other@example.com" })).await;
    let second = home.app.mailed_token("other@example.com").await;
    assert_eq!(home.accept(json!({ "token": first, "password": CHOSEN })).await.status, 201);
    let late = home.accept(json!({ "token": second, "password": CHOSEN })).await;
    assert_eq!(late.whole(), linked());
}

#[db_test]
async fn an_invitation_lives_seven_days_and_the_next_replaces_it(home: Home) {
    let (first, talent) = home.invite_grace().await;
    assert_eq!(home.invite(json!({ "talentId": talent })).await.status, 201);
    let second = home.app.mailed_token(GRACE).await;
    let accept = |token: &str| home.accept(json!({ "token": token, "password": CHOSEN }));
    assert_eq!(accept(&first).await.whole(), spent());
    home.app.clock.advance(Duration::from_hours(7 * 24));
    assert_eq!(accept(&second).await.whole(), spent());
    assert_eq!(home.count("users").await, "1");
}

#[db_test]
async fn only_who_manages_talents_invites_them(home: Home) {
    let member = home.colleague("Team_Member").await;
    let body = json!({ "fullname": "Grace Hopper", "email": GRACE });
    let answer = home.send_as(&member, Method::POST, INVITE, Some(body.clone())).await;
    assert_eq!(answer.status, 403);
    // Who manages themself has one record, and it is theirs already.
    let (token, _) = home.invite_grace().await;
    home.accept(json!({ "token": token, "password": CHOSEN })).await;
    let grace = access(&home.app.sign_in(GRACE, CHOSEN).await);
    let answer = home.send_as(&grace, Method::POST, INVITE, Some(body)).await;
    let message = "An individual account has only one talent record";
    assert_eq!(answer.whole(), (409, refused("RESOURCE_EXISTS", message)));
}

#[db_test]
async fn whoever_accepted_sees_their_record_and_the_agency_keeps_it(home: Home) {
    let (token, talent) = home.invite_grace().await;
    let body = json!({ "token": token, "fullname": "Grace Hopper", "password": CHOSEN });
    assert_eq!(home.accept(body).await.status, 201);
    let grace = access(&home.app.sign_in(GRACE, CHOSEN).await);
    let path = format!("/v1.0.1/talent/{talent}");
    let shown = home.send_as(&grace, Method::GET, &path, None).await;
    assert_eq!((shown.status.as_u16(), &shown.json()["data"]["talentId"]), (200, &json!(talent)));
    let change = Some(json!({ "bio": "Admiral" }));
    assert_eq!(home.send_as(&grace, Method::PATCH, &path, change).await.status, 403);
    let other = home.talent(json!({ "fullname": "Hedy Lamarr" })).await;
    let path = format!("/v1.0.1/talent/{other}");
    assert_eq!(home.send_as(&grace, Method::GET, &path, None).await.status, 404, "not another's");
}

#[db_test]
async fn a_name_somebody_else_gave_is_not_vouched_for(home: Home) {
    let (token, talent) = home.invite_grace().await;
    home.accept(json!({ "token": token, "password": CHOSEN })).await;
    let path = format!("/v1.0.1/talent/{talent}");
    let patch = |body| home.send(Method::PATCH, &path, Some(body));
    patch(json!({ "fullname": "Grace Hopper", "bio": "Bugs" })).await;
    assert!(home.verified(&talent).await, "the same name is no other");
    let changed = patch(json!({ "fullname": "Ada Lovelace" })).await.json();
    assert_eq!(changed["data"]["verified"], false);
    let query = "SELECT details FROM log_entries WHERE action = 'talent.update' ORDER BY created_at, log_id";
    let logged = seed::rows(&home.app.database.options, query).await;
    let last: Value = serde_json::from_str(&logged[1][0]).unwrap();
    let changes = json!([
        { "field": "fullname", "old": "Grace Hopper", "new": "Ada Lovelace" },
        { "field": "verified", "old": true, "new": false },
    ]);
    let expected = json!({ "verified": false, "formerName": "Grace Hopper", "changes": changes });
    assert_eq!(last, expected);
    patch(json!({ "fullname": "Grace Hopper" })).await;
    assert!(!home.verified(&talent).await, "it is hers again when she takes it up anew");
    assert_eq!(home.invite(json!({ "talentId": talent, "email": GRACE })).await.status, 201);
    let token = home.app.mailed_token(GRACE).await;
    assert_eq!(home.accept(json!({ "token": token })).await.status, 201);
    assert!(home.verified(&talent).await);
}

#[db_test]
async fn inviting_the_same_person_twice_replaces_the_first_invitation(home: Home) {
    let (first, talent) = home.invite_grace().await;
    let again = home.invite(json!({ "fullname": "GRACE  Hopper", "email": GRACE })).await;
    assert_eq!(again.json()["data"]["talentId"], talent.as_str());
    let second = home.app.mailed_token(GRACE).await;
    assert_eq!(
        (home.count("talents").await, home.count("invitations").await),
        ("1".into(), "1".into())
    );
    let spent = home.accept(json!({ "token": first, "password": CHOSEN })).await;
    assert_eq!(spent.json()["error"]["code"], "INVALID_SESSION");
    let sister = home.invite(json!({ "fullname": "Mary Hopper", "email": GRACE })).await;
    assert_ne!(sister.json()["data"]["talentId"], talent.as_str(), "families share an address");
    assert_eq!(home.accept(json!({ "token": second, "password": CHOSEN })).await.status, 201);
    let third = home.invite(json!({ "fullname": "Grace Hopper", "email": GRACE })).await;
    assert_ne!(third.json()["data"]["talentId"], talent.as_str(), "that record is taken up");
}
