//! Who reaches which platform: other organizations, roles, teams.

use std::time::Duration;

use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::pax::PAX;
use super::platform::{
    CREATE, FOREIGN_TEAM, Grounds, LIST, OTHER_TEAM, TEAM, UNKNOWN, managed, shown, text, wire,
};
use super::{PASSWORD, access, prove, refusal, refused};

#[db_test]
async fn a_team_must_be_the_organizations_own(grounds: Grounds) {
    for team in [UNKNOWN, FOREIGN_TEAM] {
        let mut body = wire();
        body["teamId"] = team.into();
        let refused = refused("NOT_FOUND", "Team not found");
        assert_eq!(grounds.create(body).await.whole(), (404, refused.clone()));
        let made = grounds.platform(json!({ "domain": format!("d{team}.example") })).await;
        let changed = grounds.change(&made, json!({ "teamId": team })).await;
        assert_eq!(changed.whole(), (404, refused));
    }
}

#[db_test]
async fn nobody_elses_platform_is_hinted_at(grounds: Grounds) {
    let foreign = grounds.foreign_platform("foreign.example").await;
    let verify = shown(&foreign).replace("/platforms/", "/org/verify/platform/");
    for (method, path) in [
        (Method::GET, shown(&foreign)),
        (Method::PATCH, managed(&foreign)),
        (Method::DELETE, managed(&foreign)),
        (Method::GET, verify),
    ] {
        let theirs = grounds.home.send(method.clone(), &path, Some(json!({}))).await;
        let id = text(&foreign["platformId"]);
        let unknown = path.replace(&id, UNKNOWN);
        let nobodys = grounds.home.send(method.clone(), &unknown, Some(json!({}))).await;
        assert_eq!(theirs.whole(), (404, refused("NOT_FOUND", "Platform not found")), "{path}");
        assert_eq!(theirs.body, nobodys.body, "{path}");
        let odd = grounds.home.send(method, &path.replace(&id, "7"), Some(json!({}))).await;
        assert_eq!(odd.whole(), (400, refused("INVALID_FORMAT", "The platform ID is not a UUID")));
    }
}

#[db_test]
async fn roles_reach_as_far_as_the_contract_says(grounds: Grounds) {
    let made = grounds.platform(json!({})).await;
    let token = grounds.home.colleague("Team_Member").await;
    for (role, team, expected) in [
        ("Organization_Admin", OTHER_TEAM, "200"),
        ("Organization_User", OTHER_TEAM, "200"),
        ("Team_Lead", TEAM, "200"),
        ("Team_Lead", OTHER_TEAM, "ACCESS_DENIED"),
        ("Team_Member", TEAM, "INSUFFICIENT_PERMISSIONS"),
    ] {
        seed::set_role(&grounds.home.app.database.options, "colleague@%", role).await;
        grounds.join(team).await;
        grounds.home.app.clock.advance(Duration::from_secs(1));
        let read = grounds.home.send_as(&token, Method::GET, &shown(&made), None).await;
        assert_eq!(read.status, 200, "{role}");
        let body = Some(json!({ "name": "Another" }));
        let answer = grounds.home.send_as(&token, Method::PATCH, &managed(&made), body).await;
        let code = answer.json()["error"]["code"].as_str().unwrap_or("200").to_owned();
        assert_eq!(code, expected, "{role} {team}");
    }
}

#[db_test]
async fn a_lead_keeps_to_their_own_teams(grounds: Grounds) {
    let token = grounds.home.colleague("Team_Lead").await;
    grounds.join(TEAM).await;
    let message = "This record doesn't belong to one of your teams";
    let denied = (403, refused("ACCESS_DENIED", message));
    let mut elsewhere = wire();
    elsewhere["teamId"] = OTHER_TEAM.into();
    let (home, token) = (&grounds.home, &token);
    let send = |method, path: String, body| async move {
        home.send_as(token, method, &path, Some(body)).await
    };
    assert_eq!(send(Method::POST, CREATE.to_owned(), elsewhere).await.whole(), denied);
    let made = send(Method::POST, CREATE.to_owned(), wire()).await;
    assert_eq!(made.status, 201, "{}", made.json());
    let path = managed(&made.json()["data"]);
    let handed = send(Method::PATCH, path.clone(), json!({ "teamId": OTHER_TEAM })).await;
    assert_eq!(handed.whole(), denied, "nor away from them");
    grounds.run(format!("UPDATE platforms SET team_id = {}", grounds.id(OTHER_TEAM))).await;
    assert_eq!(send(Method::DELETE, path.clone(), json!({})).await.whole(), denied);
    grounds.run("DELETE FROM team_members; DELETE FROM teams".to_owned()).await;
    assert_eq!(
        send(Method::DELETE, path, json!({})).await.whole(),
        denied,
        "no team's is not theirs"
    );
}

#[db_test]
async fn a_platform_outlives_its_team(grounds: Grounds) {
    let made = grounds.platform(json!({})).await;
    grounds.run("DELETE FROM teams".to_owned()).await;
    let shown = grounds.get(&shown(&made)).await;
    assert_eq!((shown.status.as_u16(), &shown.json()["data"]["teamId"]), (200, &Value::Null));
    let changed = grounds.change(&made, json!({ "name": "Still here" })).await;
    assert_eq!(changed.status, 200, "{}", changed.json());
}

#[db_test]
async fn who_manages_themself_has_no_platforms(grounds: Grounds) {
    let body = json!({ "fullname": "Grace", "email": "grace@example.com", "password": PASSWORD });
    let app = &grounds.home.app;
    let begun = app.post("/v1.0.1/auth/m/register", &body).await.json();
    let code = app.mailed_code("grace@example.com").await;
    prove(app, &begun["data"]["otpSession"], &code).await;
    let token = access(&app.sign_in("grace@example.com", PASSWORD).await);
    for (method, path) in [(Method::POST, CREATE), (Method::GET, LIST), (Method::POST, PAX)] {
        let answer = grounds.home.send_as(&token, method, path, Some(wire())).await;
        assert_eq!(refusal(&answer), (403, "FORBIDDEN".to_owned()), "{path}");
    }
}
