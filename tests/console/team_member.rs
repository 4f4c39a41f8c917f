//! Changing and removing members of a team, and who must stay.

use std::time::Duration;

use futures_util::future::join;
use grantor_testkit::app::Answer;
use grantor_testkit::{Engine, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::team::{CHOSEN, GRACE};
use super::{Home, PASSWORD, PROFILE, access, exchange, faults, probed, refusal, refused};

const LAST: &str = "The last active Organization_Admin cannot be removed, demoted or made inactive";

impl Home {
    async fn member(&self, method: Method, team: &str, id: &str, body: Option<Value>) -> Answer {
        self.member_as(&self.token, method, team, id, body).await
    }

    async fn member_as(
        &self,
        token: &str,
        method: Method,
        team: &str,
        id: &str,
        body: Option<Value>,
    ) -> Answer {
        let path = format!("/v1.0.1/org/team/{team}/member/{id}");
        self.send_as(token, method, &path, body).await
    }

    async fn patch_member(&self, team: &str, id: &str, body: Value) -> Answer {
        self.member(Method::PATCH, team, id, Some(body)).await
    }

    /// The caller's own account.
    async fn me(&self) -> String {
        let profile = self.send(Method::GET, PROFILE, None).await.json();
        profile["data"]["id"].as_str().unwrap().to_owned()
    }

    async fn profile_status(&self, token: &str) -> u16 {
        self.send_as(token, Method::GET, PROFILE, None).await.status.as_u16()
    }
}

#[db_test]
async fn a_role_is_changed_at_once(home: Home) {
    let team = home.team("Voices").await;
    let (grace, token) = home.join(&team, GRACE, "Team_Member").await;
    let talent = json!({ "fullname": "Hedy Lamarr" });
    let make = || home.send_as(&token, Method::POST, "/v1.0.1/org/talent", Some(talent.clone()));
    assert_eq!(make().await.status, 403);
    let changed = home.patch_member(&team, &grace, json!({ "role": "Organization_User" })).await;
    let data = json!({
        "userId": grace, "fullname": "Grace Hopper", "email": GRACE, "role": "Organization_User",
        "joinedAt": "2026-01-01T00:00:00.000000Z", "status": "active",
    });
    let body = json!({ "data": data, "message": "Member updated", "status": "success" });
    assert_eq!(changed.whole(), (200, body));
    assert_eq!(make().await.status, 201);
}

#[db_test]
async fn who_is_made_inactive_is_out_at_once_and_signs_in_again_later(home: Home) {
    let team = home.team("Voices").await;
    let (grace, token) = home.join(&team, GRACE, "Team_Member").await;
    let login = home.app.sign_in(GRACE, CHOSEN).await;
    assert_eq!(home.profile_status(&token).await, 200, "the control");
    let changed = home.patch_member(&team, &grace, json!({ "status": "inactive" })).await;
    assert_eq!(changed.json()["data"]["status"], "inactive");
    assert_eq!(home.profile_status(&token).await, 401);
    let refresh = json!({ "refreshToken": login["refreshToken"] });
    assert_eq!(home.app.post("/v1.0.1/auth/refresh/token", &refresh).await.status, 401);
    assert_eq!(home.app.sign_in(GRACE, CHOSEN).await, Value::Null);
    home.patch_member(&team, &grace, json!({ "status": "active" })).await;
    assert_eq!(home.profile_status(&token).await, 401, "ended sessions stay ended");
    let again = access(&home.app.sign_in(GRACE, CHOSEN).await);
    assert_eq!(home.profile_status(&again).await, 200);
}

#[db_test]
async fn the_clients_of_who_is_made_inactive_end(home: Home) {
    let team = home.team("Voices").await;
    let (grace, token) = home.join(&team, GRACE, "Organization_Admin").await;
    let asked = json!({ "name": "Importer", "environment": "staging" });
    let made = home.send_as(&token, Method::POST, "/v1.0.1/org/create/client", Some(asked)).await;
    let client = made.json()["data"].clone();
    let old = access(&exchange(&home.app, &client).await.json()["data"]);
    assert_eq!(probed(&home.app, &old).await.status, 200, "the control");
    home.patch_member(&team, &grace, json!({ "status": "inactive" })).await;
    assert_eq!(probed(&home.app, &old).await.status, 401);
    home.patch_member(&team, &grace, json!({ "status": "active" })).await;
    assert_eq!(probed(&home.app, &old).await.status, 401, "an ended token stays ended");
    assert_eq!(home.clients().await[0]["status"], "inactive", "until somebody says otherwise");
}

#[db_test]
async fn every_fault_of_a_change_is_named(home: Home) {
    let team = home.team("Voices").await;
    let me = home.me().await;
    let wrong = home.patch_member(&team, &me, json!({ "role": "Boss", "status": "pending" })).await;
    let roles = "must be one of Organization_Admin, Organization_User, Team_Lead, Team_Member";
    let details = json!({ "role": roles, "status": "must be one of active, inactive" });
    assert_eq!(faults(&wrong), (400, details));
    assert_eq!(home.patch_member(&team, &me, json!({})).await.status, 200, "nothing to do");
    let nobody = "0190a5e4-7b3c-7def-8123-456789abcdef";
    for method in [Method::PATCH, Method::DELETE] {
        let body = (method == Method::PATCH).then(|| json!({}));
        let answer = home.member(method, &team, nobody, body).await;
        assert_eq!(answer.whole(), (404, refused("NOT_FOUND", "Member not found")));
    }
}

#[db_test]
async fn the_last_admin_stays(home: Home) {
    let (team, me) = (home.team("Voices").await, home.me().await);
    let (grace, _) = home.join(&team, GRACE, "Team_Lead").await;
    let refused = (409, refused("RESOURCE_CONFLICT", LAST));
    for body in [json!({ "role": "Team_Lead" }), json!({ "status": "inactive" })] {
        assert_eq!(home.patch_member(&team, &me, body.clone()).await.whole(), refused, "{body}");
    }
    assert_eq!(home.member(Method::DELETE, &team, &me, None).await.whole(), refused);
    let same = json!({ "role": "Organization_Admin", "status": "active" });
    assert_eq!(home.patch_member(&team, &me, same).await.status, 200);
    // An admin who is not active is none to be left with.
    home.patch_member(&team, &grace, json!({ "role": "Organization_Admin" })).await;
    home.patch_member(&team, &grace, json!({ "status": "inactive" })).await;
    assert_eq!(home.member(Method::DELETE, &team, &me, None).await.whole(), refused);
    home.patch_member(&team, &grace, json!({ "status": "active" })).await;
    assert_eq!(home.patch_member(&team, &me, json!({ "role": "Team_Lead" })).await.status, 200);
}

#[db_test]
async fn two_admins_who_turn_on_each_other_do_not_both_succeed(home: Home) {
    let (team, ada) = (home.team("Voices").await, home.me().await);
    let (grace, _) = home.join(&team, GRACE, "Organization_Admin").await;
    let ways = [
        (Method::PATCH, Some(json!({ "role": "Team_Member" }))),
        (Method::PATCH, Some(json!({ "status": "inactive" }))),
        (Method::DELETE, None),
    ];
    for (method, body) in ways {
        let ada_in = access(&home.app.sign_in("ada@example.com", PASSWORD).await);
        let grace_in = access(&home.app.sign_in(GRACE, CHOSEN).await);
        let one = home.member_as(&ada_in, method.clone(), &team, &grace, body.clone());
        let other = home.member_as(&grace_in, method.clone(), &team, &ada, body.clone());
        let (one, other) = join(one, other).await;
        let mut won = [one, other].map(|it| it.status.as_u16());
        won.sort_unstable();
        assert!(won[0] < 300 && won[1] >= 400, "{method} {body:?}: {won:?}");
        let query = "SELECT CAST(count(*) AS text) FROM memberships
            WHERE role = 'Organization_Admin' AND status = 'active'";
        let rows = grantor_testkit::seed::rows(&home.app.database.options, query).await;
        assert_eq!(rows, [["1"]], "{method} {body:?}");
        restore(&home).await;
    }
}

/// Makes both admins of the team again, as they were.
async fn restore(home: &Home) {
    let script =
        "INSERT INTO memberships (user_id, tenant_id, role, status, created_at, updated_at)
          SELECT u.user_id, t.tenant_id, 'Organization_Admin', 'active', 0, 0
          FROM tenants t CROSS JOIN users u WHERE true
          ON CONFLICT (user_id, tenant_id) DO UPDATE
          SET role = 'Organization_Admin', status = 'active';
        INSERT INTO team_members (team_id, tenant_id, user_id, joined_at)
          SELECT t.team_id, t.tenant_id, u.user_id, 0 FROM teams t CROSS JOIN users u WHERE true
          ON CONFLICT (team_id, user_id) DO NOTHING;";
    grantor_testkit::seed::run(&home.app.database.options, script.to_owned()).await;
    home.app.clock.advance(Duration::from_secs(1));
}

#[db_test]
async fn who_is_removed_from_one_team_stays_in_the_other(home: Home) {
    let (one, two) = (home.team("One").await, home.team("Two").await);
    let (grace, token) = home.join(&one, GRACE, "Team_Member").await;
    home.invite_into(&two, GRACE, "Team_Member").await;
    assert_eq!(home.come(GRACE).await.status, 201);
    assert_eq!(home.member(Method::DELETE, &one, &grace, None).await.status, 204);
    assert_eq!(home.profile_status(&token).await, 200);
    assert_eq!(home.member(Method::DELETE, &one, &grace, None).await.status, 404, "gone");
    assert_eq!(home.member(Method::DELETE, &two, &grace, None).await.status, 204);
    assert_eq!(home.profile_status(&token).await, 401, "the last team: they have left");
    assert_eq!(home.roll(&two).await["memberCount"], 1);
}

#[db_test]
async fn who_left_comes_back_by_another_invitation_alone(home: Home) {
    let (one, two) = (home.team("One").await, home.team("Two").await);
    let (grace, _) = home.join(&one, GRACE, "Organization_Admin").await;
    home.invite_into(&two, GRACE, "Team_Member").await;
    let open = home.app.mailed_token(GRACE).await;
    assert_eq!(home.member(Method::DELETE, &one, &grace, None).await.status, 204);
    let accept = "/v1.0.1/auth/accept/invitation";
    let late = home.app.post(accept, &json!({ "token": open })).await;
    assert_eq!(refusal(&late), (400, "INVALID_SESSION".to_owned()), "withdrawn with them");
    home.invite_into(&two, GRACE, "Team_Member").await;
    let back = home.come(GRACE).await.json();
    assert_eq!(
        (&back["data"]["userId"], &back["data"]["role"]),
        (&json!(grace), &json!("Team_Member"))
    );
    let token = access(&home.app.sign_in(GRACE, CHOSEN).await);
    assert_eq!(home.profile_status(&token).await, 200, "with the account and password of before");
}

#[db_test]
async fn who_was_made_inactive_does_not_come_back_by_an_invitation(home: Home) {
    let (one, two) = (home.team("One").await, home.team("Two").await);
    let (grace, _) = home.join(&one, GRACE, "Team_Member").await;
    home.invite_into(&two, GRACE, "Organization_Admin").await;
    home.patch_member(&one, &grace, json!({ "status": "inactive" })).await;
    let answer = home.come(GRACE).await;
    let message =
        "Your membership is suspended; ask an administrator of the organization to reactivate it";
    assert_eq!(answer.whole(), (403, refused("FORBIDDEN", message)));
    assert_eq!(home.app.sign_in(GRACE, CHOSEN).await, Value::Null);
}

#[db_test]
async fn an_invitation_is_withdrawn_by_its_id(home: Home) {
    let (one, two) = (home.team("One").await, home.team("Two").await);
    let invited = home.invite_into(&one, GRACE, "Team_Member").await.json();
    let id = invited["data"]["invitationId"].as_str().unwrap();
    assert_eq!(home.member(Method::DELETE, &two, id, None).await.status, 404, "of another team");
    assert_eq!(home.patch_member(&one, id, json!({ "role": "Team_Lead" })).await.status, 404);
    assert_eq!(home.member(Method::DELETE, &one, id, None).await.status, 204);
    assert_eq!(refusal(&home.come(GRACE).await), (400, "INVALID_SESSION".to_owned()));
}

/// Members are answered whole, so there is an end to how many a team can have.
#[db_test]
async fn a_team_can_have_500_members(home: Home) {
    let team = home.team("Voices").await;
    assert_eq!(home.invite_into(&team, GRACE, "Team_Lead").await.status, 201);
    let (id, hash) = match home.app.app.store.engine() {
        Engine::Sqlite => ("randomblob(16)", "randomblob(32)"),
        Engine::Postgres => ("gen_random_uuid()", "decode(md5(n::text), 'hex')"),
    };
    let script = format!(
        "INSERT INTO invitations (token_hash, invitation_id, kind, tenant_id, target_id, email,
           email_key, fullname, role, expires_at, created_at)
         WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 498)
         SELECT {hash}, {id}, kind, tenant_id, target_id, email, 'many' || n, fullname, role,
           expires_at, created_at FROM invitations CROSS JOIN c"
    );
    seed::run(&home.app.database.options, script).await;
    let message = "A team can have at most 500 members, including invitations";
    let full = (409, refused("RESOURCE_CONFLICT", message));
    assert_eq!(home.invite_into(&team, "new@example.com", "Team_Lead").await.whole(), full);
    assert_eq!(home.invite_into(&team, GRACE, "Team_Lead").await.status, 201, "again");
    assert_eq!(home.roll(&team).await["members"].as_array().unwrap().len(), 500);
}
