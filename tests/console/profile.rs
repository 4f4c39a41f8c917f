//! The way in with a console token, and what a person sees and changes of themself.

use std::time::Duration;

use grantor_keys::{Audience, Claims};
use grantor_testkit::app::{Answer, ORIGIN, TestApp};
use grantor_testkit::clock::MockClock;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::organization::fresh;
use super::{Home, PASSWORD, PROFILE, account, faults, refusal, refused};
use crate::license::Member;

async fn sign_in(app: &TestApp, password: &str) -> Value {
    app.sign_in("ada@example.com", password).await
}

impl Home {
    async fn profile(&self) -> Answer {
        self.send(Method::GET, PROFILE, None).await
    }

    async fn change_password(&self, password: &str, new: &str) -> Answer {
        let body = json!({ "password": password, "newPassword": new });
        self.send(Method::PATCH, "/v1.0.1/user/change/password", Some(body)).await
    }
}

#[db_test]
async fn a_person_sees_and_changes_the_profile(home: Home) {
    let shown = home.profile().await;
    let data = shown.json()["data"].clone();
    let mut expected = json!({
        "id": data["id"],
        "fullname": "Ada Lovelace",
        "firstname": "Ada",
        "lastname": "Lovelace",
        "email": "ada@example.com",
        "role": "Organization_Admin",
        "bio": null,
        "location": null,
        "phone": null,
        "organizationId": data["organizationId"],
        "organizationName": "Babbage Talent",
        "organizations": [{
            "organizationId": data["organizationId"], "organizationName": "Babbage Talent",
            "role": "Organization_Admin",
        }],
    });
    let body = json!({ "data": expected, "message": "Your profile", "status": "success" });
    assert_eq!(shown.whole(), (200, body));
    let changes = json!({ "bio": "Mathematician", "location": "London", "role": "Individual" });
    let changed = home.send(Method::PATCH, PROFILE, Some(changes)).await;
    (expected["bio"], expected["location"]) = (json!("Mathematician"), json!("London"));
    assert_eq!(changed.json()["data"], expected, "and the role stays");
    let cleared = home.send(Method::PATCH, PROFILE, Some(json!({ "bio": "" }))).await;
    assert_eq!(cleared.json()["data"]["bio"], Value::Null);
    let wrong = json!({ "fullname": "A", "bio": "x".repeat(501), "phone": "call me" });
    let wrong = home.send(Method::PATCH, PROFILE, Some(wrong)).await;
    let fields: Vec<String> =
        wrong.json()["error"]["details"].as_object().unwrap().keys().cloned().collect();
    assert_eq!((wrong.status.as_u16(), fields.join(" ")), (400, "bio fullname phone".into()));
}

#[db_test]
async fn first_and_last_name_are_written_and_shown(home: Home) {
    let change = |body: Value| home.send(Method::PATCH, PROFILE, Some(body));
    let name = |answer: &Answer| {
        ["fullname", "firstname", "lastname"].map(|it| answer.json()["data"][it].clone())
    };
    for (body, expected) in [
        (json!({ "lastname": "King" }), ["Ada King", "Ada", "King"]),
        (json!({ "firstname": "Augusta Ada" }), ["Augusta Ada King", "Augusta Ada", "King"]),
        (json!({ "bio": "Mathematician" }), ["Augusta Ada King", "Augusta Ada", "King"]),
        (json!({ "fullname": "Ada Byron King" }), ["Ada Byron King", "Ada", "Byron King"]),
        (json!({ "firstname": "Ada", "lastname": "" }), ["Ada", "Ada", ""]),
        (json!({ "lastname": "King" }), ["Ada King", "Ada", "King"]),
        (json!({ "lastname": null }), ["Ada", "Ada", ""]),
    ] {
        let changed = change(body.clone()).await;
        assert_eq!(name(&changed), expected.map(Value::from), "{body}");
        assert_eq!(name(&home.profile().await), expected.map(Value::from), "{body}");
    }
    let both = json!({ "fullname": "Eve Adams", "firstname": "Ada", "lastname": "King" });
    let rule = "must match firstname and lastname, or be omitted";
    assert_eq!(faults(&change(both).await), (400, json!({ "fullname": rule })));
    let none = change(json!({ "firstname": " " })).await;
    assert_eq!(faults(&none), (400, json!({ "firstname": "must be 1 to 98 characters" })));
    let null = change(json!({ "firstname": null })).await;
    assert_eq!(faults(&null), (400, json!({ "firstname": "must be 1 to 98 characters" })));
    let null = change(json!({ "fullname": null })).await;
    assert_eq!(faults(&null), (400, json!({ "fullname": "must be 2 to 100 characters" })));
}

#[db_test]
async fn a_personal_tenant_has_the_name_of_its_person(home: Home) {
    let own = Member::join(&home.app, "grace@example.com", None).await.console;
    let change = async |path: &str, body: Value| {
        let answer = home.send_as(&own, Method::PATCH, path, Some(body)).await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        let profile = home.send_as(&own, Method::GET, PROFILE, None).await;
        profile.json()["data"]["organizationName"].clone()
    };
    assert_eq!(change(PROFILE, json!({ "fullname": "Grace Hopper" })).await, "Grace Hopper");
    let information = "/v1.0.1/org/information";
    assert_eq!(change(information, json!({ "name": "Hopper" })).await, "Hopper");
    assert_eq!(change(PROFILE, json!({ "lastname": "Murray" })).await, "Hopper", "her own choice");
}

#[db_test]
async fn a_person_does_not_take_the_name_of_an_organization(home: Home) {
    let own = Member::join(&home.app, "grace@example.com", None).await.console;
    let taken = Some(json!({ "fullname": "Babbage Talent" }));
    let answer = home.send_as(&own, Method::PATCH, PROFILE, taken).await;
    assert_eq!(refusal(&answer), (409, "RESOURCE_EXISTS".to_owned()));
}

#[db_test]
async fn a_person_sees_the_organization(home: Home) {
    let shown = home.send(Method::GET, "/v1.0.1/org/information", None).await;
    let data = fresh(&shown.json()["data"]["organizationId"]);
    let body = json!({ "data": data, "message": "Your organization", "status": "success" });
    assert_eq!(shown.whole(), (200, body));
}

#[db_test]
async fn without_a_token_of_the_console_nobody_comes_in(home: Home) {
    let app = &home.app;
    let bare = app.request(Method::GET, PROFILE).header("x-source", "console").send().await;
    assert_eq!(bare.whole(), (401, refused("UNAUTHORIZED", "An access token is required")));
    assert_eq!(bare.header("www-authenticate"), Some("Bearer"));
    assert_eq!(bare.header("x-ratelimit-limit"), Some("100"), "counted as a stranger");
    let bearer = format!("Bearer {}", home.token);
    let sourceless = app.request(Method::GET, PROFILE).header("authorization", &bearer);
    let message = "The header x-source: console is required";
    assert_eq!(sourceless.send().await.whole(), (401, refused("UNAUTHORIZED", message)));
    let own = app.app.keys.verify(&home.token, ORIGIN, Audience::Console).unwrap();
    let message = "The access token is not valid";
    for aud in [Audience::External, Audience::Admin] {
        let foreign = app.app.keys.sign(&Claims { aud, ..own.clone() }).unwrap();
        let answer = home.send_as(&foreign, Method::GET, PROFILE, None).await;
        assert_eq!(answer.whole(), (401, refused("UNAUTHORIZED", message)), "{aud}");
    }
    let unbound = app.app.keys.sign(&Claims { sid: None, ..own }).unwrap();
    assert_eq!(home.send_as(&unbound, Method::GET, PROFILE, None).await.status, 401);
    assert_eq!(home.send_as("nonsense", Method::GET, PROFILE, None).await.status, 401);
    assert_eq!(home.profile().await.status, 200, "the control: the true one passes");
}

#[db_test]
async fn a_token_lives_an_hour(home: Home) {
    home.app.clock.advance(Duration::from_secs(3_599));
    assert_eq!(home.profile().await.status, 200);
    home.app.clock.advance(Duration::from_secs(1));
    let message = "The access token has expired";
    assert_eq!(home.profile().await.whole(), (401, refused("TOKEN_EXPIRED", message)));
}

#[db_test]
async fn two_hundred_a_minute_for_each_person(home: Home) {
    for left in (0..200).rev() {
        let answer = home.profile().await;
        assert_eq!(answer.header("x-ratelimit-remaining"), Some(left.to_string().as_str()));
    }
    assert_eq!(home.profile().await.status, 429);
    home.app.clock.advance(Duration::from_mins(1));
    assert_eq!(home.profile().await.status, 200);
}

#[db_test]
async fn what_ends_here_is_over_at_once_and_elsewhere_within_a_second(home: Home) {
    assert_eq!(home.profile().await.status, 200);
    let second = sign_in(&home.app, PASSWORD).await;
    let token = second["accessToken"].as_str().unwrap();
    assert_eq!(home.send_as(token, Method::GET, PROFILE, None).await.status, 200);
    let out = json!({ "refreshToken": second["refreshToken"] });
    home.app.post("/v1.0.1/auth/logout", &out).await;
    assert_eq!(home.send_as(token, Method::GET, PROFILE, None).await.status, 401, "at once");
    assert_eq!(home.profile().await.status, 200);
    let elsewhere = "UPDATE tenants SET status = 'suspended'".to_owned();
    seed::run(&home.app.database.options, elsewhere).await;
    home.app.clock.advance(Duration::from_secs(1));
    let expected = (403, refused("FORBIDDEN", "This account is suspended"));
    assert_eq!(home.profile().await.whole(), expected);
}

#[db_test]
async fn a_person_lists_and_ends_sign_ins(home: Home) {
    home.app.clock.advance(Duration::from_secs(5));
    let other = sign_in(&home.app, PASSWORD).await;
    let path = "/v1.0.1/user/sessions";
    let listed = home.send(Method::GET, path, None).await.json()["data"].clone();
    let sessions = listed["sessions"].as_array().unwrap().clone();
    let newest = json!({
        "sessionId": sessions[0]["sessionId"],
        "organizationId": sessions[0]["organizationId"],
        "device": null,
        "address": "203.0.113.7",
        "createdAt": "2026-01-01T00:00:05.000000Z",
        "lastSeenAt": "2026-01-01T00:00:05.000000Z",
        "expiresAt": "2026-01-31T00:00:05.000000Z",
        "current": false,
    });
    assert_eq!((sessions.len(), &sessions[0], &sessions[1]["current"]), (2, &newest, &json!(true)));
    let pagination = json!({ "page": 1, "limit": 10, "total": 2, "totalPages": 1 });
    assert_eq!(listed["pagination"], pagination);
    let one = format!("{path}/{}", sessions[0]["sessionId"].as_str().unwrap());
    let ended = home.send(Method::DELETE, &one, None).await;
    assert_eq!((ended.status.as_u16(), ended.body.len()), (204, 0));
    let token = other["accessToken"].as_str().unwrap();
    assert_eq!(home.send_as(token, Method::GET, PROFILE, None).await.status, 401);
    assert_eq!(home.send(Method::DELETE, &one, None).await.status, 404, "it has ended");
    let bad = home.send(Method::DELETE, &format!("{path}/x"), None).await;
    assert_eq!(bad.whole(), (400, refused("INVALID_FORMAT", "The session ID is not a UUID")));
    assert_eq!(home.send(Method::GET, "/v1.0.1/user/sessions?limit=101", None).await.status, 400);
}

#[db_test]
async fn a_strangers_sign_in_is_unknown(home: Home) {
    account(&home.app, "other@example.com", "Another Agency").await;
    let body = json!({ "username": "other@example.com", "password": PASSWORD });
    let login = home.app.post("/v1.0.1/auth/login", &body).await.json();
    let token = login["data"]["accessToken"].as_str().unwrap().to_owned();
    let sid = home.app.app.keys.verify(&token, ORIGIN, Audience::Console).unwrap().sid.unwrap();
    let path = format!("/v1.0.1/user/sessions/{sid}");
    assert_eq!(home.send(Method::DELETE, &path, None).await.status, 404);
    assert_eq!(
        home.send_as(&token, Method::DELETE, &path, None).await.status,
        204,
        "its owner may"
    );
}

#[db_test]
async fn a_new_password_ends_the_other_sign_ins(home: Home) {
    let other = sign_in(&home.app, PASSWORD).await;
    let new = "Difference-Engine-1822";
    let wrong = home.change_password("not this one", new).await;
    let details = json!({ "password": "is not your current password" });
    assert_eq!((wrong.status.as_u16(), &wrong.json()["error"]["details"]), (400, &details));
    let weak = home.change_password(PASSWORD, "weak").await;
    assert!(weak.json()["error"]["details"]["newPassword"].is_string());
    let changed = home.change_password(PASSWORD, new).await;
    let message = "Password changed. Your other sessions have ended.";
    assert_eq!(changed.whole(), (200, json!({ "message": message, "status": "success" })));
    assert_eq!(home.profile().await.status, 200, "this one goes on");
    let token = other["accessToken"].as_str().unwrap();
    assert_eq!(home.send_as(token, Method::GET, PROFILE, None).await.status, 401);
    assert_eq!(sign_in(&home.app, PASSWORD).await, Value::Null);
    assert!(sign_in(&home.app, new).await["accessToken"].is_string());
}

#[db_test]
async fn a_clock_set_back_lets_no_token_live_longer(home: Home) {
    assert_eq!(home.profile().await.status, 200);
    home.app.clock.advance(Duration::from_secs(3_599));
    home.app.clock.set_wall(MockClock::START);
    assert_eq!(home.profile().await.status, 200);
    home.app.clock.advance(Duration::from_secs(1));
    assert_eq!(home.profile().await.json()["error"]["code"], "TOKEN_EXPIRED", "its hour is over");
}

#[db_test]
async fn a_token_of_the_future_is_refused(home: Home) {
    home.app.clock.advance(Duration::from_mins(30));
    home.app.clock.set_wall(MockClock::START.minus(Duration::from_mins(1)));
    assert_eq!(home.profile().await.status, 401, "issued in what is now the future");
}
