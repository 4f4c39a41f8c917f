//! Teams: made, listed and deleted, and inviting people into them.

use std::time::Duration;

use futures_util::future::join_all;
use grantor_testkit::app::Answer;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{Home, PASSWORD, PROFILE, access, account, exchange, faults, probed, refusal, refused};
use crate::license::Member;

pub(super) const CHOSEN: &str = "Compiler-Nanosecond-1952";
const TEAM: &str = "/v1.0.1/org/create/team";
const TEAMS: &str = "/v1.0.1/org/teams";
const START: &str = "2026-01-01T00:00:00.000000Z";
const NOBODY: &str = "0190a5e4-7b3c-7def-8123-456789abcdef";
pub(super) const GRACE: &str = "grace@example.com";

impl Home {
    /// Makes a team; gives its id.
    pub(super) async fn team(&self, name: &str) -> String {
        let made = self.send(Method::POST, TEAM, Some(json!({ "name": name }))).await;
        assert_eq!(made.status, 201, "{}", made.json());
        made.json()["data"]["teamId"].as_str().unwrap().to_owned()
    }

    pub(super) async fn invite_into(&self, team: &str, email: &str, role: &str) -> Answer {
        let body =
            json!({ "firstname": "Grace", "lastname": "Hopper", "email": email, "role": role });
        let path = format!("/v1.0.1/org/invite/team/member/{team}");
        self.send(Method::POST, &path, Some(body)).await
    }

    /// Accepts what was last mailed there.
    pub(super) async fn come(&self, email: &str) -> Answer {
        let token = self.app.mailed_token(email).await;
        let body = json!({ "token": token, "password": CHOSEN });
        self.app.post("/v1.0.1/auth/accept/invitation", &body).await
    }

    /// Invites somebody who comes; gives the account and what it signs in with.
    pub(super) async fn join(&self, team: &str, email: &str, role: &str) -> (String, String) {
        assert_eq!(self.invite_into(team, email, role).await.status, 201);
        let accepted = self.come(email).await;
        assert_eq!(accepted.status, 201, "{}", accepted.json());
        let user = accepted.json()["data"]["userId"].as_str().unwrap().to_owned();
        (user, access(&self.app.sign_in(email, CHOSEN).await))
    }

    pub(super) async fn roll(&self, team: &str) -> Value {
        let path = format!("/v1.0.1/org/team/members/{team}");
        self.send(Method::GET, &path, None).await.json()["data"].clone()
    }

    async fn own_id(&self) -> Value {
        self.send(Method::GET, PROFILE, None).await.json()["data"]["id"].clone()
    }

    async fn drop_team(&self, team: &str) -> Answer {
        self.send(Method::DELETE, &format!("/v1.0.1/org/team/{team}"), None).await
    }
}

fn fine(data: &Value, message: &str) -> Value {
    json!({ "data": data, "message": message, "status": "success" })
}

#[db_test]
async fn who_makes_a_team_is_its_first_member(home: Home) {
    let made = home.send(Method::POST, TEAM, Some(json!({ "name": " Voices " }))).await;
    let team = made.json()["data"]["teamId"].clone();
    let data = json!({
        "teamId": team, "name": "Voices", "createdAt": START, "memberCount": 1, "status": "active",
    });
    assert_eq!(made.whole(), (201, fine(&data, "Team created")));
    let own = json!({
        "userId": home.own_id().await, "fullname": "Ada Lovelace", "email": "ada@example.com",
        "role": "Organization_Admin", "joinedAt": START, "status": "active",
    });
    let roll = json!({
        "members": [own], "teamId": team, "teamName": "Voices", "memberCount": 1,
    });
    assert_eq!(home.roll(team.as_str().unwrap()).await, roll);
}

#[db_test]
async fn a_name_is_2_to_50_characters_and_unique_in_the_organization(home: Home) {
    for (name, message) in [
        (json!(null), "is required"),
        (json!(""), "is required"),
        (json!("x"), "must be 2 to 50 characters"),
        (json!("x".repeat(51)), "must be 2 to 50 characters"),
        (json!("a\nb"), "must not contain control characters"),
        (json!(7), "must be a string"),
    ] {
        let answer = home.send(Method::POST, TEAM, Some(json!({ "name": name }))).await;
        assert_eq!(faults(&answer), (400, json!({ "name": message })), "{name}");
    }
    home.team("Voices").await;
    let again = home.send(Method::POST, TEAM, Some(json!({ "name": "VOICES" }))).await;
    let message = "A team with this name already exists";
    assert_eq!(again.whole(), (409, refused("RESOURCE_EXISTS", message)));
    account(&home.app, "eve@example.com", "Elsewhere").await;
    let eve = access(&home.app.sign_in("eve@example.com", PASSWORD).await);
    let other = home.send_as(&eve, Method::POST, TEAM, Some(json!({ "name": "Voices" }))).await;
    assert_eq!(other.status, 201, "another organization's names are its own");
}

#[db_test]
async fn of_many_of_one_name_one_is_made(home: Home) {
    let all = (0..16).map(|_| home.send(Method::POST, TEAM, Some(json!({ "name": "Voices" }))));
    let answers = join_all(all).await;
    assert_eq!(answers.iter().filter(|it| it.status == 201).count(), 1);
    assert_eq!(answers.iter().filter(|it| it.status == 409).count(), 15);
}

#[db_test]
async fn teams_are_listed_newest_first(home: Home) {
    for name in ["One", "Two", "Three"] {
        home.app.clock.advance(Duration::from_secs(1));
        home.team(name).await;
    }
    let listed = home.send(Method::GET, &format!("{TEAMS}?page=1&limit=2"), None).await.json();
    let names = listed["data"]["teams"].as_array().unwrap().iter().map(|it| it["name"].clone());
    assert_eq!(names.collect::<Vec<_>>(), ["Three", "Two"]);
    let pagination = json!({ "page": 1, "limit": 2, "total": 3, "totalPages": 2 });
    assert_eq!(listed["data"]["pagination"], pagination);
    let wrong = home.send(Method::GET, &format!("{TEAMS}?limit=101"), None).await;
    let message = "must be a whole number from 1 to 100";
    assert_eq!(faults(&wrong), (400, json!({ "limit": message })));
}

#[db_test]
async fn an_invitation_is_mailed_and_shown_as_pending(home: Home) {
    let team = home.team("Voices").await;
    let invited = home.invite_into(&team, GRACE, "Team_Lead").await;
    let id = invited.json()["data"]["invitationId"].clone();
    let data = json!({
        "invitationId": id, "email": GRACE, "teamId": team, "role": "Team_Lead",
        "status": "pending", "expiresAt": "2026-01-08T00:00:00.000000Z",
    });
    assert_eq!(invited.whole(), (201, fine(&data, "Invitation sent")));
    let mail = home.app.newest_mail(GRACE).await;
    assert!(mail.contains("Subject: Babbage Talent invited you to Grantor"), "{mail}");
    assert!(mail.contains("invited you to join the team Voices"), "{mail}");
    let pending = json!({
        "userId": null, "invitationId": id, "fullname": "Grace Hopper", "email": GRACE,
        "role": "Team_Lead", "joinedAt": null, "status": "pending",
    });
    let roll = home.roll(&team).await;
    assert_eq!((&roll["members"][1], &roll["memberCount"]), (&pending, &json!(2)));
    let listed = home.send(Method::GET, TEAMS, None).await.json();
    assert_eq!(listed["data"]["teams"][0]["memberCount"], 2, "in the list too");
    home.app.clock.advance(Duration::from_hours(7 * 24));
    let token = access(&home.app.sign_in("ada@example.com", PASSWORD).await);
    let path = format!("/v1.0.1/org/team/members/{team}");
    let roll = home.send_as(&token, Method::GET, &path, None).await.json();
    assert_eq!(roll["data"]["members"].as_array().unwrap().len(), 1, "it has expired");
    assert_eq!(roll["data"]["memberCount"], 1);
    assert_eq!(home.come(GRACE).await.json()["error"]["code"], "INVALID_SESSION");
}

#[db_test]
async fn every_fault_of_an_invitation_is_named(home: Home) {
    let path = format!("/v1.0.1/org/invite/team/member/{}", home.team("Voices").await);
    let required = "is required";
    let empty = home.send(Method::POST, &path, Some(json!({}))).await;
    let all = ["firstname", "lastname", "email", "role"].map(|it| (it.to_owned(), json!(required)));
    assert_eq!(faults(&empty), (400, Value::Object(all.into_iter().collect())));
    let wrong = json!({
        "firstname": "x".repeat(50), "lastname": " ", "email": "x", "role": "Individual",
    });
    let (status, details) = faults(&home.send(Method::POST, &path, Some(wrong)).await);
    assert_eq!((status, details.as_object().unwrap().len()), (400, 4));
    assert_eq!(details["firstname"], "must be 1 to 49 characters");
    let roles = "must be one of Organization_Admin, Organization_User, Team_Lead, Team_Member";
    assert_eq!(details["role"], roles);
}

#[db_test]
async fn who_accepts_joins_with_the_role_and_a_password(home: Home) {
    let team = home.team("Voices").await;
    home.invite_into(&team, GRACE, "Team_Member").await;
    let token = home.app.mailed_token(GRACE).await;
    let accept = "/v1.0.1/auth/accept/invitation";
    let bare = home.app.post(accept, &json!({ "token": token })).await;
    assert_eq!(faults(&bare), (400, json!({ "password": "is required" })));
    home.app.clock.advance(Duration::from_secs(1));
    let body = json!({ "token": token, "password": CHOSEN, "fullname": "Grace B. Hopper" });
    let accepted = home.app.post(accept, &body).await;
    let user = accepted.json()["data"]["userId"].clone();
    let data = json!({ "userId": user, "email": GRACE, "role": "Team_Member" });
    assert_eq!(accepted.whole(), (201, fine(&data, "Welcome to the team!")));
    let member = json!({
        "userId": user, "fullname": "Grace B. Hopper", "email": GRACE, "role": "Team_Member",
        "joinedAt": "2026-01-01T00:00:01.000000Z", "status": "active",
    });
    let roll = home.roll(&team).await;
    assert_eq!((&roll["members"][1], &roll["memberCount"]), (&member, &json!(2)));
    assert_eq!(home.app.post(accept, &body).await.json()["error"]["code"], "INVALID_SESSION");
    let grace = access(&home.app.sign_in(GRACE, CHOSEN).await);
    let profile = home.send_as(&grace, Method::GET, PROFILE, None).await.json();
    assert_eq!(profile["data"]["organizationName"], "Babbage Talent");
}

#[db_test]
async fn inviting_again_replaces_and_members_are_not_invited(home: Home) {
    let team = home.team("Voices").await;
    home.invite_into(&team, GRACE, "Team_Member").await;
    let first = home.app.mailed_token(GRACE).await;
    home.join(&team, GRACE, "Team_Lead").await;
    let body = json!({ "token": first, "password": CHOSEN });
    let former = home.app.post("/v1.0.1/auth/accept/invitation", &body).await;
    assert_eq!(refusal(&former), (400, "INVALID_SESSION".to_owned()));
    let again = home.invite_into(&team, "GRACE@example.com", "Team_Lead").await;
    let message = "This person is already a member of the team";
    assert_eq!(again.whole(), (409, refused("MEMBER_EXISTS", message)));
}

#[db_test]
async fn a_colleague_joins_another_team_and_keeps_role_and_password(home: Home) {
    let (one, two) = (home.team("One").await, home.team("Two").await);
    home.join(&one, GRACE, "Organization_User").await;
    home.invite_into(&two, GRACE, "Team_Member").await;
    let token = json!({ "token": home.app.mailed_token(GRACE).await });
    let accepted = home.app.post("/v1.0.1/auth/accept/invitation", &token).await;
    assert_eq!(accepted.json()["data"]["role"], "Organization_User");
    assert_eq!(home.roll(&two).await["memberCount"], 2);
    assert_ne!(home.app.sign_in(GRACE, CHOSEN).await, Value::Null);
}

#[db_test]
async fn whoever_invites_hears_nothing_of_accounts_elsewhere(home: Home) {
    let team = home.team("Voices").await;
    account(&home.app, GRACE, "Navy").await;
    Member::join(&home.app, "self@example.com", None).await;
    let unknown = home.invite_into(&team, "new@example.com", "Team_Member").await.json();
    for email in [GRACE, "self@example.com"] {
        let invited = home.invite_into(&team, email, "Team_Member").await;
        let mut expected = unknown.clone();
        expected["data"]["email"] = json!(email);
        expected["data"]["invitationId"] = invited.json()["data"]["invitationId"].clone();
        assert_eq!(invited.whole(), (201, expected), "as for an unknown address");
        let token = json!({ "token": home.app.mailed_token(email).await });
        let accepted = home.app.post("/v1.0.1/auth/accept/invitation", &token).await.json();
        assert_eq!(accepted["data"]["role"], "Team_Member", "{email} needs no password");
    }
    assert_eq!(home.roll(&team).await["memberCount"], 4, "and one who is invited");
}

#[db_test]
async fn a_team_goes_with_its_invitations_and_those_it_was_the_last_of(home: Home) {
    let (one, two) = (home.team("One").await, home.team("Two").await);
    let (_, lead) = home.join(&one, "lead@example.com", "Team_Lead").await;
    let (_, both) = home.join(&one, "both@example.com", "Team_Member").await;
    home.invite_into(&two, "both@example.com", "Team_Member").await;
    assert_eq!(home.come("both@example.com").await.status, 201);
    home.invite_into(&one, GRACE, "Team_Member").await;
    let talent = json!({ "fullname": "Hedy Lamarr", "teamId": one });
    let talent = home.send(Method::POST, "/v1.0.1/org/talent", Some(talent)).await.json();
    assert_eq!(talent["data"]["teamId"], one.as_str());

    assert_eq!(home.drop_team(&one).await.status, 204);
    assert_eq!(refusal(&home.come(GRACE).await), (400, "INVALID_SESSION".to_owned()));
    let seen = |token: String| {
        let home = &home;
        async move { home.send_as(&token, Method::GET, PROFILE, None).await.status.as_u16() }
    };
    assert_eq!((seen(lead).await, seen(both).await), (401, 200), "who is in no team has left");
    assert_eq!(home.send(Method::GET, TEAMS, None).await.status, 200, "the admin stays");
    let path = format!("/v1.0.1/talent/{}", talent["data"]["talentId"].as_str().unwrap());
    let talent = home.send(Method::GET, &path, None).await.json();
    assert_eq!(talent["data"]["teamId"], Value::Null);
    assert_eq!(home.drop_team(&one).await.whole(), (404, refused("NOT_FOUND", "Team not found")));
}

#[db_test]
async fn another_organizations_team_is_as_unknown_as_none(home: Home) {
    let team = home.team("Voices").await;
    account(&home.app, "eve@example.com", "Elsewhere").await;
    let eve = access(&home.app.sign_in("eve@example.com", PASSWORD).await);
    let ada = home.own_id().await;
    let body = json!({ "firstname": "E", "lastname": "F", "email": GRACE, "role": "Team_Lead" });
    for team in [team.as_str(), NOBODY] {
        for (method, path, body) in [
            (Method::GET, format!("team/members/{team}"), None),
            (Method::DELETE, format!("team/{team}"), None),
            (Method::POST, format!("invite/team/member/{team}"), Some(body.clone())),
            (
                Method::PATCH,
                format!("team/{team}/member/{}", ada.as_str().unwrap()),
                Some(json!({})),
            ),
            (Method::DELETE, format!("team/{team}/member/{}", ada.as_str().unwrap()), None),
        ] {
            let answer = home.send_as(&eve, method, &format!("/v1.0.1/org/{path}"), body).await;
            assert_eq!(answer.whole(), (404, refused("NOT_FOUND", "Team not found")), "{path}");
        }
    }
    assert_eq!(home.roll(&team).await["memberCount"], 1);
}

#[db_test]
async fn each_role_does_with_teams_what_it_may(home: Home) {
    let team = home.team("Voices").await;
    let invitee = json!({ "firstname": "E", "lastname": "F", "email": GRACE, "role": "Team_Lead" });
    let operations = [
        (Method::POST, TEAM.to_owned(), Some(json!({ "name": "Mine" }))),
        (Method::GET, TEAMS.to_owned(), None),
        (Method::POST, format!("/v1.0.1/org/invite/team/member/{team}"), Some(invitee)),
        (Method::PATCH, format!("/v1.0.1/org/team/{team}/member/{NOBODY}"), Some(json!({}))),
        (Method::DELETE, format!("/v1.0.1/org/team/{team}/member/{NOBODY}"), None),
        (Method::DELETE, format!("/v1.0.1/org/team/{team}"), None),
    ];
    let person = Member::join(&home.app, "self@example.com", None).await.console;
    let mut callers = vec![("Individual", person, "FORBIDDEN")];
    for role in ["Organization_User", "Team_Lead", "Team_Member"] {
        let token = home.join(&team, &format!("{role}@example.com"), role).await.1;
        callers.push((role, token, "INSUFFICIENT_PERMISSIONS"));
    }
    let path = format!("/v1.0.1/org/team/members/{team}");
    for (role, token, code) in callers {
        for (method, path, body) in operations.clone() {
            let answer = home.send_as(&token, method.clone(), &path, body).await;
            assert_eq!(refusal(&answer), (403, code.to_owned()), "{role}: {method} {path}");
        }
        let reads = if role == "Individual" { 403 } else { 200 };
        let roll = home.send_as(&token, Method::GET, &path, None).await;
        assert_eq!(roll.status.as_u16(), reads, "{role} reads their own team");
    }
    let other = home.team("Others").await;
    let token = access(&home.app.sign_in("Team_Lead@example.com", CHOSEN).await);
    let path = format!("/v1.0.1/org/team/members/{other}");
    let answer = home.send_as(&token, Method::GET, &path, None).await;
    assert_eq!(
        answer.whole(),
        (403, refused("ACCESS_DENIED", "You are not a member of this team"))
    );
}

#[db_test]
async fn ids_that_are_none_are_named(home: Home) {
    for path in ["/v1.0.1/org/team/members/x", "/v1.0.1/org/team/x"] {
        let method = if path.contains("members") { Method::GET } else { Method::DELETE };
        let answer = home.send(method, path, None).await;
        let message = "The team ID is not a UUID";
        assert_eq!(answer.whole(), (400, refused("INVALID_FORMAT", message)));
    }
    let team = home.team("Voices").await;
    let path = format!("/v1.0.1/org/team/{team}/member/x");
    let answer = home.send(Method::DELETE, &path, None).await;
    assert_eq!(refusal(&answer), (400, "INVALID_FORMAT".to_owned()));
}

#[db_test]
async fn everything_is_in_the_log(home: Home) {
    let team = home.team("Voices").await;
    let (grace, _) = home.join(&team, GRACE, "Team_Lead").await;
    let path = format!("/v1.0.1/org/team/{team}/member/{grace}");
    home.send(Method::PATCH, &path, Some(json!({ "role": "Team_Member" }))).await;
    home.send(Method::DELETE, &path, None).await;
    home.drop_team(&team).await;
    let query = "SELECT l.action, l.resource_name, l.actor_name FROM log_entries l
        JOIN tenants t ON t.tenant_id = l.tenant_id
        WHERE l.resource_type = 'team' ORDER BY l.action";
    let rows = [
        ["invitation.accept", "Voices", "anonymous"],
        ["team.change_member", "Voices", "Ada Lovelace"],
        ["team.create", "Voices", "Ada Lovelace"],
        ["team.delete", "Voices", "Ada Lovelace"],
        ["team.invite", "Voices", "Ada Lovelace"],
        ["team.remove_member", "Voices", "Ada Lovelace"],
    ];
    assert_eq!(seed::rows(&home.app.database.options, query).await, rows);
}

#[db_test]
async fn an_api_client_stops_when_who_made_it_leaves(home: Home) {
    let team = home.team("Voices").await;
    let (grace, token) = home.join(&team, GRACE, "Organization_Admin").await;
    let body = json!({ "name": "Importer", "environment": "production" });
    let path = "/v1.0.1/org/create/client";
    let client = home.send_as(&token, Method::POST, path, Some(body)).await.json();
    let external = access(&exchange(&home.app, &client["data"]).await.json()["data"]);
    assert_eq!(probed(&home.app, &external).await.status, 200);
    let path = format!("/v1.0.1/org/team/{team}/member/{grace}");
    assert_eq!(home.send(Method::DELETE, &path, None).await.status, 204);
    assert_eq!(probed(&home.app, &external).await.status, 401, "at once");
    assert_eq!(exchange(&home.app, &client["data"]).await.status, 401);
}
