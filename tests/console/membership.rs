//! One account in several tenants: joining, signing in, switching, and what ends with a membership.

use grantor_api::{Api, openapi};
use grantor_testkit::app::Answer;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::team::{CHOSEN, GRACE};
use super::{Home, PASSWORD, PROFILE, access, account, exchange, faults, probed, refusal, refused};
use crate::license::{Member, text};

const LOGIN: &str = "/v1.0.1/auth/login";
const SWITCH: &str = "/v1.0.1/auth/switch";
const REFRESH: &str = "/v1.0.1/auth/refresh/token";
const NOBODY: &str = "0190a5e4-7b3c-7def-8123-456789abcdef";

/// Somebody with a personal tenant who is a member of Ada's organization too.
struct Both {
    /// Their tokens act in the personal tenant.
    own: Member,
    user: String,
    team: String,
    /// Ada's organization.
    agency: String,
}

impl Home {
    /// Registers somebody who manages themself, and takes them into a team of Ada's.
    async fn both(&self, role: &str) -> Both {
        let own = Member::join(&self.app, GRACE, None).await;
        let team = self.team("Voices").await;
        self.invite_into(&team, GRACE, role).await;
        let token = json!({ "token": self.app.mailed_token(GRACE).await });
        let accepted = self.app.post("/v1.0.1/auth/accept/invitation", &token).await;
        assert_eq!(accepted.status, 201, "{}", accepted.json());
        let user = text(&accepted.json()["data"]["userId"]);
        let agency = text(&self.profile_of(&self.token).await["organizationId"]);
        Both { own, user, team, agency }
    }

    async fn profile_of(&self, token: &str) -> Value {
        self.send_as(token, Method::GET, PROFILE, None).await.json()["data"].clone()
    }

    /// Where a token acts, and as what.
    async fn acts(&self, token: &str) -> (String, String) {
        let profile = self.profile_of(token).await;
        (text(&profile["organizationName"]), text(&profile["role"]))
    }

    async fn enter(&self, organization: Option<&str>) -> Answer {
        let mut body = json!({ "username": GRACE, "password": PASSWORD });
        if let Some(id) = organization {
            body["organizationId"] = json!(id);
        }
        self.app.post(LOGIN, &body).await
    }

    async fn switch(&self, token: &str, organization: &str) -> Answer {
        let body = json!({ "organizationId": organization });
        self.app.request(Method::POST, SWITCH).bearer(token).json(&body).send().await
    }

    async fn send_away(&self, both: &Both) {
        let path = format!("/v1.0.1/org/team/{}/member/{}", both.team, both.user);
        assert_eq!(self.send(Method::DELETE, &path, None).await.status, 204);
    }

    async fn set_member(&self, both: &Both, change: Value) {
        let path = format!("/v1.0.1/org/team/{}/member/{}", both.team, both.user);
        assert_eq!(self.send(Method::PATCH, &path, Some(change)).await.status, 200);
    }
}

fn at(name: &str, role: &str) -> (String, String) {
    (name.to_owned(), role.to_owned())
}

#[db_test]
async fn who_manages_themself_joins_a_team_and_stays_who_they_were(home: Home) {
    let both = home.both("Team_Lead").await;
    assert_eq!(home.acts(&both.own.console).await, at("Ada Lovelace", "Individual"));
    let profile = home.profile_of(&both.own.console).await;
    let places = json!([
        { "organizationId": both.own.organization, "organizationName": "Ada Lovelace",
          "role": "Individual" },
        { "organizationId": both.agency, "organizationName": "Babbage Talent", "role": "Team_Lead" },
    ]);
    let listed = profile["organizations"].as_array().unwrap();
    assert_eq!(listed.len(), 2);
    assert!(places.as_array().unwrap().iter().all(|it| listed.contains(it)), "{profile}");
    let roll = home.roll(&both.team).await;
    assert_eq!(
        (&roll["members"][1]["role"], &roll["memberCount"]),
        (&json!("Team_Lead"), &json!(2))
    );
}

#[db_test]
async fn a_role_is_of_the_membership(home: Home) {
    account(&home.app, GRACE, "Navy").await;
    let navy = access(&home.app.sign_in(GRACE, PASSWORD).await);
    let team = home.team("Voices").await;
    home.invite_into(&team, GRACE, "Team_Member").await;
    let token = json!({ "token": home.app.mailed_token(GRACE).await });
    assert_eq!(home.app.post("/v1.0.1/auth/accept/invitation", &token).await.status, 201);
    let agency = text(&home.profile_of(&home.token).await["organizationId"]);
    let there = access(&home.switch(&navy, &agency).await.json()["data"]);
    let make = async |token: &str| {
        let body = Some(json!({ "name": "Faces" }));
        home.send_as(token, Method::POST, "/v1.0.1/org/create/team", body).await.status.as_u16()
    };
    assert_eq!((make(&there).await, make(&navy).await), (403, 201));
    let path = format!("/v1.0.1/org/team/members/{team}");
    assert_eq!(home.send_as(&navy, Method::GET, &path, None).await.status, 404, "not from there");
    assert_eq!(home.send_as(&there, Method::GET, &path, None).await.status, 200);
}

#[db_test]
async fn a_sign_in_goes_on_where_one_last_acted(home: Home) {
    let both = home.both("Team_Member").await;
    let entered = async |asked: Option<&str>| {
        let answer = home.enter(asked).await;
        assert_eq!(answer.status, 201, "{}", answer.json());
        home.acts(&access(&answer.json()["data"])).await
    };
    let (own, agency) = (at("Ada Lovelace", "Individual"), at("Babbage Talent", "Team_Member"));
    assert_eq!(entered(None).await, own, "at first in the oldest");
    assert_eq!(entered(Some(&both.agency)).await, agency);
    assert_eq!(entered(None).await, agency);
    assert_eq!(entered(Some(&both.own.organization)).await, own);
    home.switch(&both.own.console, &both.agency).await;
    assert_eq!(entered(None).await, agency, "switching is acting too");
    let login = home.enter(Some(&both.own.organization)).await.json()["data"].clone();
    assert_eq!(login["user"]["role"], "Individual");
}

#[db_test]
async fn an_organization_that_is_not_theirs_is_as_wrong_as_a_password(home: Home) {
    let own = Member::join(&home.app, GRACE, None).await;
    let agency = text(&home.profile_of(&home.token).await["organizationId"]);
    let message = "The username or password is incorrect";
    let wrong = (401, refused("INVALID_CREDENTIALS", message));
    for foreign in [agency.as_str(), NOBODY] {
        assert_eq!(home.enter(Some(foreign)).await.whole(), wrong, "{foreign}");
    }
    assert_eq!(home.enter(Some(&own.organization)).await.status, 201, "the control");
    let malformed = faults(&home.enter(Some("navy")).await);
    assert_eq!((malformed.0, malformed.1.get("organizationId").is_some()), (400, true));
}

#[db_test]
async fn switching_gives_a_pair_that_acts_there(home: Home) {
    let both = home.both("Team_Member").await;
    let answer = home.switch(&both.own.console, &both.agency).await;
    let data = answer.json()["data"].clone();
    let user = json!({
        "id": both.user, "fullname": "Ada Lovelace", "email": GRACE, "role": "Team_Member",
    });
    let body = json!({
        "data": {
            "accessToken": data["accessToken"], "refreshToken": data["refreshToken"],
            "expiresIn": 3600, "user": user,
        },
        "message": "Switched to another organization", "status": "success",
    });
    assert_eq!(answer.whole(), (201, body));
    assert_eq!(home.acts(&access(&data)).await, at("Babbage Talent", "Team_Member"));
    assert_eq!(home.acts(&both.own.console).await.1, "Individual", "the pair of before goes on");
    let refresh = json!({ "refreshToken": data["refreshToken"] });
    let renewed = home.app.post(REFRESH, &refresh).await.json()["data"].clone();
    assert_eq!(home.acts(&access(&renewed)).await.0, "Babbage Talent", "renewed where it acts");
    let back = home.switch(&access(&renewed), &both.own.organization).await;
    assert_eq!(home.acts(&access(&back.json()["data"])).await.1, "Individual");
}

#[db_test]
async fn nobody_switches_to_where_they_do_not_belong(home: Home) {
    let own = Member::join(&home.app, GRACE, None).await;
    let agency = text(&home.profile_of(&home.token).await["organizationId"]);
    for foreign in [agency.as_str(), NOBODY] {
        let answer = home.switch(&own.console, foreign).await;
        assert_eq!(answer.whole(), (404, refused("NOT_FOUND", "Organization not found")));
    }
    let malformed = faults(&home.switch(&own.console, "navy").await);
    assert_eq!((malformed.0, malformed.1.get("organizationId").is_some()), (400, true));
    assert_eq!(home.switch(&own.external, &own.organization).await.status, 401);
    assert_eq!(home.switch(&own.console, &own.organization).await.status, 201, "the control");
}

#[db_test]
async fn signing_out_ends_the_sign_in_wherever_it_acts(home: Home) {
    let both = home.both("Team_Member").await;
    let login = home.enter(None).await.json()["data"].clone();
    let one = access(&login);
    let there = home.switch(&one, &both.agency).await.json()["data"].clone();
    let again = home.switch(&one, &both.agency).await.json()["data"].clone();
    let path = "/v1.0.1/user/sessions";
    let listed = home.send_as(&one, Method::GET, path, None).await.json();
    assert_eq!(listed["data"]["pagination"]["total"], 3, "one for each place, and Grace's first");
    let body = json!({ "refreshToken": there["refreshToken"] });
    assert_eq!(home.app.post("/v1.0.1/auth/logout", &body).await.status, 201);
    for token in [&one, &access(&there), &access(&again)] {
        assert_eq!(home.send_as(token, Method::GET, PROFILE, None).await.status, 401);
    }
    assert_eq!(home.switch(&one, &both.agency).await.status, 401);
    assert_eq!(home.acts(&both.own.console).await.1, "Individual", "another sign-in goes on");
}

#[db_test]
async fn leaving_the_last_team_ends_that_membership_alone(home: Home) {
    let both = home.both("Organization_Admin").await;
    let there = access(&home.switch(&both.own.console, &both.agency).await.json()["data"]);
    let asked = json!({ "name": "Importer", "environment": "staging" });
    let made = home.send_as(&there, Method::POST, "/v1.0.1/org/create/client", Some(asked)).await;
    let client = made.json()["data"].clone();
    let external = access(&exchange(&home.app, &client).await.json()["data"]);
    assert_eq!(probed(&home.app, &external).await.status, 200, "the control");
    home.send_away(&both).await;
    assert_eq!(home.send_as(&there, Method::GET, PROFILE, None).await.status, 401);
    assert_eq!(probed(&home.app, &external).await.status, 401);
    assert_eq!(exchange(&home.app, &client).await.status, 401);
    assert_eq!(home.acts(&both.own.console).await.1, "Individual");
    assert_eq!(probed(&home.app, &both.own.external).await.status, 200, "their own client goes on");
    assert_eq!(refusal(&home.enter(Some(&both.agency)).await), (401, "INVALID_CREDENTIALS".into()));
    let login = home.enter(None).await.json()["data"].clone();
    assert_eq!(home.acts(&access(&login)).await.1, "Individual", "not where they last acted");
}

#[db_test]
async fn who_is_made_inactive_is_so_in_one_organization(home: Home) {
    let both = home.both("Team_Member").await;
    let there = access(&home.switch(&both.own.console, &both.agency).await.json()["data"]);
    home.set_member(&both, json!({ "status": "inactive" })).await;
    assert_eq!(home.send_as(&there, Method::GET, PROFILE, None).await.status, 401);
    let message =
        "Your membership is suspended; ask an administrator of the organization to reactivate it";
    let suspended = (403, refused("FORBIDDEN", message));
    assert_eq!(home.enter(Some(&both.agency)).await.whole(), suspended);
    assert_eq!(home.switch(&both.own.console, &both.agency).await.whole(), suspended);
    let listed = home.profile_of(&both.own.console).await["organizations"].clone();
    assert_eq!(listed.as_array().unwrap().len(), 1, "one cannot act there");
    home.set_member(&both, json!({ "status": "active" })).await;
    assert_eq!(home.send_as(&there, Method::GET, PROFILE, None).await.status, 401, "it ended");
    assert_eq!(home.switch(&both.own.console, &both.agency).await.status, 201);
}

#[db_test]
async fn a_suspended_organization_does_not_keep_its_members_out_of_others(home: Home) {
    let both = home.both("Team_Member").await;
    let there = access(&home.enter(Some(&both.agency)).await.json()["data"]);
    let script = "UPDATE tenants SET status = 'suspended' WHERE name = 'Babbage Talent'";
    seed::run(&home.app.database.options, script.to_owned()).await;
    home.app.clock.advance(std::time::Duration::from_secs(1));
    assert_eq!(home.send_as(&there, Method::GET, PROFILE, None).await.status, 403);
    assert_eq!(home.enter(Some(&both.agency)).await.status, 403);
    let login = home.enter(None).await.json()["data"].clone();
    assert_eq!(home.acts(&access(&login)).await.1, "Individual");
}

#[db_test]
async fn whoever_is_a_member_of_nothing_cannot_sign_in(home: Home) {
    let team = home.team("Voices").await;
    let (user, _) = home.join(&team, GRACE, "Team_Member").await;
    let body = json!({ "username": GRACE, "password": CHOSEN });
    assert_eq!(home.app.post(LOGIN, &body).await.status, 201, "the control");
    let path = format!("/v1.0.1/org/team/{team}/member/{user}");
    assert_eq!(home.send(Method::DELETE, &path, None).await.status, 204);
    let message = "You are no longer a member of any organization; ask for a new invitation";
    let nowhere = (403, refused("FORBIDDEN", message));
    assert_eq!(home.app.post(LOGIN, &body).await.whole(), nowhere);
}

#[db_test]
async fn what_was_answered_in_one_organization_is_not_repeated_in_another(home: Home) {
    account(&home.app, GRACE, "Navy").await;
    let navy = access(&home.app.sign_in(GRACE, PASSWORD).await);
    let team = home.team("Voices").await;
    home.invite_into(&team, GRACE, "Organization_Admin").await;
    let token = json!({ "token": home.app.mailed_token(GRACE).await });
    home.app.post("/v1.0.1/auth/accept/invitation", &token).await;
    let agency = text(&home.profile_of(&home.token).await["organizationId"]);
    let there = access(&home.switch(&navy, &agency).await.json()["data"]);
    let make = async |token: &str| {
        let request = home.app.request(Method::POST, "/v1.0.1/org/create/team").console(token);
        let request = request.header("idempotency-key", "one");
        text(&request.json(&json!({ "name": "Faces" })).send().await.json()["data"]["teamId"])
    };
    let first = make(&navy).await;
    assert_eq!(make(&navy).await, first, "the control");
    assert_ne!(make(&there).await, first);
}

#[db_test]
async fn an_account_is_a_member_of_a_hundred_tenants_at_most(home: Home) {
    let own = Member::join(&home.app, GRACE, None).await;
    let options = &home.app.database.options;
    seed::memberships(options, GRACE, 99).await;
    let team = home.team("Voices").await;
    home.invite_into(&team, GRACE, "Team_Member").await;
    let token = json!({ "token": home.app.mailed_token(GRACE).await });
    let full = home.app.post("/v1.0.1/auth/accept/invitation", &token).await;
    let message = "You are a member of 100 organizations, which is the maximum; leave one first";
    assert_eq!(full.whole(), (409, refused("RESOURCE_CONFLICT", message)));
    seed::run(options, "DELETE FROM memberships WHERE role = 'Team_Lead'".to_owned()).await;
    let accepted = home.app.post("/v1.0.1/auth/accept/invitation", &token).await;
    assert_eq!(accepted.status, 201, "the control: nothing was used up");
    assert_eq!(home.acts(&own.console).await.1, "Individual");
}

/// What may be null is always there, and the document says both.
#[test]
fn the_document_says_what_may_be_null() {
    let document = openapi::document(Api::Console, "https://g.test", "g");
    let document = serde_json::to_value(document).unwrap();
    for (schema, member) in [
        ("TeamMember", "userId"),
        ("TeamMember", "joinedAt"),
        ("PodBody", "lastStarted"),
        ("LogEntry", "userId"),
        ("LogEntry", "resourceId"),
        ("KeyValidation", "clientId"),
    ] {
        let schema = &document["components"]["schemas"][schema];
        let said = &schema["properties"][member];
        assert!(said.to_string().contains("\"null\""), "{member}: {said}");
        let required = schema["required"].as_array().unwrap();
        assert!(required.contains(&json!(member)), "{member} of {schema}");
    }
}
