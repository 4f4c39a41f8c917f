//! `/admin/member/invite`, `/auth/accept/invitation`.

use std::time::Duration;

use grantor_domain::admin::AdminRole;
use grantor_testkit::app::Answer;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::admin::{Office, authenticate, members, staff};
use super::{access, faults, refused};

const INVITE: &str = "/v1.0.1/admin/member/invite";
const ALAN: &str = "alan@example.com";

impl Office {
    async fn invite(&self, body: Value) -> Answer {
        self.invite_as(&self.token, body).await
    }

    async fn invite_as(&self, token: &str, body: Value) -> Answer {
        self.app.request(Method::POST, INVITE).bearer(token).json(&body).send().await
    }

    /// Invites Alan; gives the token he is mailed.
    async fn invite_alan(&self) -> String {
        let body = json!({ "email": ALAN, "fullname": "Alan Turing", "role": "Support_Admin" });
        assert_eq!(self.invite(body).await.status, 201);
        self.app.mailed_token(ALAN).await
    }

    async fn accept(&self, token: &str) -> Answer {
        self.accept_with(json!({ "token": token })).await
    }

    async fn accept_with(&self, body: Value) -> Answer {
        self.app.post("/v1.0.1/auth/accept/invitation", &body).await
    }
}

fn spent() -> (u16, Value) {
    let message = "This invitation is invalid, has expired or was already used";
    (400, refused("INVALID_SESSION", message))
}

#[db_test]
async fn an_invitation_is_for_an_admin_unless_it_says_otherwise(office: Office) {
    for (email, role, given) in [
        (ALAN, json!("Support_Admin"), "Support_Admin"),
        ("b@example.com", json!("Admin"), "Admin"),
        ("c@example.com", Value::Null, "Admin"),
    ] {
        let body = json!({ "email": email, "fullname": "Alan Turing", "role": role });
        let invited = office.invite(body).await;
        let data = json!({
            "invitationId": invited.json()["data"]["invitationId"],
            "email": email,
            "role": given,
            "status": "pending",
            "expiresAt": "2026-01-08T00:00:00.000000Z",
        });
        let message = "Invitation sent";
        let body = json!({ "data": data, "message": message, "status": "success" });
        assert_eq!(invited.whole(), (201, body));
    }
    let bare = office.invite(json!({ "email": "d@example.com", "fullname": "Alan Turing" })).await;
    assert_eq!(bare.json()["data"]["role"], "Admin");
}

#[db_test]
async fn every_fault_is_named(office: Office) {
    let required = "is required";
    let empty = office.invite(json!({})).await;
    assert_eq!(faults(&empty), (400, json!({ "email": required, "fullname": required })));
    let roles = "must be one of Admin, Support_Admin";
    for role in ["Super_Admin", "admin", "Organization_Admin", ""] {
        let body = json!({ "email": ALAN, "fullname": "Alan Turing", "role": role });
        assert_eq!(faults(&office.invite(body).await), (400, json!({ "role": roles })), "{role}");
    }
    let wrong = office.invite(json!({ "email": "x", "fullname": "A" })).await;
    let (_, details) = faults(&wrong);
    let fields: Vec<&String> = details.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["email", "fullname"]);
}

#[db_test]
async fn only_a_super_admin_invites(office: Office) {
    let body = json!({ "email": ALAN, "fullname": "Alan Turing" });
    for role in [AdminRole::Admin, AdminRole::SupportAdmin] {
        let token = staff(&office.app, &format!("{role}@example.com"), role).await;
        let answer = office.invite_as(&token, body.clone()).await;
        let message = format!("The role {role} does not allow you to manage staff members");
        assert_eq!(answer.whole(), (403, refused("INSUFFICIENT_PERMISSIONS", &message)));
        assert_eq!(members(&office.app, &token).await.status, 200, "but reads");
    }
    let nobody = office.app.request(Method::POST, INVITE).json(&body).send().await;
    assert_eq!(nobody.whole(), (401, refused("UNAUTHORIZED", "An access token is required")));
    assert_eq!(office.invite(body).await.status, 201);
}

#[db_test]
async fn who_is_a_member_is_not_invited(office: Office) {
    let body = json!({ "email": "ROOT@example.com", "fullname": "Alan Turing" });
    let message = "A staff member with this email address already exists";
    let expected = (409, refused("MEMBER_EXISTS", message));
    assert_eq!(office.invite(body).await.whole(), expected);
    let token = office.invite_alan().await;
    staff(&office.app, ALAN, AdminRole::Admin).await;
    assert_eq!(office.accept(&token).await.whole(), expected, "became one meanwhile");
}

#[db_test]
async fn inviting_again_replaces_the_invitation(office: Office) {
    let first = office.invite_alan().await;
    office.app.clock.advance(Duration::from_secs(1));
    let second = office.invite_alan().await;
    assert_ne!(first, second);
    assert_eq!(office.accept(&first).await.whole(), spent());
    assert_eq!(office.accept(&second).await.status, 201);
}

#[db_test]
async fn whoever_accepts_is_mailed_a_token_that_signs_in(office: Office) {
    let token = office.invite_alan().await;
    office.app.clock.advance(Duration::from_secs(1));
    let accepted = office.accept(&token).await;
    let id = accepted.json()["data"]["adminId"].clone();
    let data = json!({ "adminId": id, "email": ALAN, "role": "Support_Admin" });
    let message = "Welcome! We emailed you a one-time admin token.";
    let body = json!({ "data": data, "message": message, "status": "success" });
    assert_eq!(accepted.whole(), (201, body));
    assert_eq!(office.accept(&token).await.whole(), spent(), "it was used");
    let mailed = office.app.mailed_token(ALAN).await;
    let data = authenticate(&office.app, &mailed).await.json()["data"].clone();
    let role = "Support_Admin";
    let admin = json!({ "adminId": id, "fullname": "Alan Turing", "email": ALAN, "role": role });
    assert_eq!(data["admin"], admin);
    assert_eq!(members(&office.app, &access(&data)).await.status, 200);
}

#[db_test]
async fn whoever_accepts_may_have_another_name(office: Office) {
    let token = office.invite_alan().await;
    let body = |name: &str| json!({ "token": token, "fullname": name, "password": "ignored" });
    let details = json!({ "fullname": "must be 2 to 100 characters" });
    assert_eq!(faults(&office.accept_with(body("A")).await), (400, details));
    assert_eq!(office.accept_with(body("Alan M. Turing")).await.status, 201, "nothing was used");
    let query = "SELECT fullname FROM admins WHERE email_key = 'alan@example.com'";
    assert_eq!(seed::rows(&office.app.database.options, query).await, [["Alan M. Turing"]]);
}

#[db_test]
async fn an_invitation_lives_seven_days(office: Office) {
    let second = Duration::from_secs(1);
    let late = office.invite_alan().await;
    office.invite(json!({ "email": "b@example.com", "fullname": "Bob Burn" })).await;
    let soon = office.app.mailed_token("b@example.com").await;
    office.app.clock.advance(Duration::from_hours(7 * 24).saturating_sub(second));
    assert_eq!(office.accept(&soon).await.status, 201);
    office.app.clock.advance(second);
    assert_eq!(office.accept(&late).await.whole(), spent());
}

#[db_test]
async fn what_is_no_invitation_makes_nobody(office: Office) {
    for token in ["nonsense", "gin_nonsense", "gat_x"] {
        assert_eq!(office.accept(token).await.whole(), spent(), "{token}");
    }
    let empty = office.accept_with(json!({})).await;
    assert_eq!(faults(&empty), (400, json!({ "token": "is required" })));
}

#[db_test]
async fn of_64_who_accept_at_once_one_becomes_a_member(office: Office) {
    let token = office.invite_alan().await;
    let answers = futures_util::future::join_all((0..64).map(|_| office.accept(&token))).await;
    assert_eq!(answers.iter().filter(|it| it.status == 201).count(), 1);
    let query = "SELECT email FROM admins WHERE email_key = 'alan@example.com'";
    assert_eq!(seed::rows(&office.app.database.options, query).await, [[ALAN]]);
}

#[db_test]
async fn both_ends_of_an_invitation_are_logged(office: Office) {
    let token = office.invite_alan().await;
    office.accept(&token).await;
    let query = "SELECT action, level, actor_kind, scheme, resource_name FROM log_entries
        WHERE action IN ('admin.invite', 'invitation.accept') ORDER BY action";
    let rows = [
        ["admin.invite", "INFO", "admin", "admin", ALAN],
        ["invitation.accept", "INFO", "anonymous", "console", ALAN],
    ];
    assert_eq!(seed::rows(&office.app.database.options, query).await, rows);
    let query = "SELECT message || details FROM log_entries";
    let log = seed::rows(&office.app.database.options, query).await.concat().concat();
    assert!(log.contains("invited") && !log.contains(&token), "and its token is not");
}
