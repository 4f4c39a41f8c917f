//! What a client may change depends on the role of the person it acts as, beside the permission on
//! the license (contract sections 1 and 5).

use std::time::Duration;

use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::sighting::MENTION;
use super::{Member, World, refusal, text};

const ROLES: [&str; 4] = ["Organization_Admin", "Organization_User", "Team_Lead", "Team_Member"];

impl World {
    pub(crate) async fn become_role(&self, member: &Member, role: &str) {
        seed::set_role(&self.app.database.options, member.email, role).await;
        // Whoever was let in is believed for a moment.
        self.app.clock.advance(Duration::from_secs(1));
    }

    /// What this member hears who changes something: the code of the refusal, or nothing.
    async fn try_as(&self, member: &Member, path: &str, body: Value) -> Option<(u16, String)> {
        let answer = member.external(&self.app, Method::PATCH, path, Some(body)).await;
        (answer.status != 200).then(|| refusal(&answer))
    }
}

/// What is expected of a role that holds this permission, if those permissions suffice.
fn expected(role: &str, held: &str, enough: &[&str]) -> Option<(u16, String)> {
    match role {
        "Team_Member" => Some((403, "INSUFFICIENT_PERMISSIONS".to_owned())),
        _ if enough.contains(&held) => None,
        _ => Some((403, "ACCESS_DENIED".to_owned())),
    }
}

#[db_test]
async fn role_and_permission_must_both_reach(world: World) {
    let id = world.license(json!({})).await;
    world.sight(&id).await;
    let (mention, license) = (format!("/mentions/{MENTION}"), format!("/licenses/{id}"));
    for held in ["none", "viewer", "trustee", "licensor"] {
        let right = match held {
            "none" => None,
            _ => Some(text(&world.grant(&id, held).await.json()["data"]["permissionId"])),
        };
        for role in ROLES {
            world.become_role(&world.brand, role).await;
            let decided = json!({ "status": "confirmed" });
            let decided = world.try_as(&world.brand, &mention, decided).await;
            let told = expected(role, held, &["trustee", "licensor"]);
            assert_eq!(decided, told, "{role} as {held} decides");
            let edited = json!({ "title": format!("{role} {held}") });
            let edited = world.try_as(&world.brand, &license, edited).await;
            assert_eq!(edited, expected(role, held, &["licensor"]), "{role} as {held} edits");
        }
        if let Some(right) = right {
            let path = format!("/org/license/{id}/permissions/{right}");
            let gone = world.agency.console(&world.app, Method::DELETE, &path, None).await;
            assert_eq!(gone.status, 204);
        }
    }
}

#[db_test]
async fn in_the_owners_own_house_the_role_decides(world: World) {
    let id = world.license(json!({})).await;
    world.sight(&id).await;
    for role in ROLES {
        world.become_role(&world.agency, role).await;
        for (path, body) in [
            (format!("/mentions/{MENTION}"), json!({ "status": "dismissed" })),
            (format!("/licenses/{id}"), json!({ "title": role })),
        ] {
            let outcome = world.try_as(&world.agency, &path, body).await;
            // The talent is in no team, so that a lead reaches neither (tests/console/reach.rs).
            let held = if role == "Team_Lead" { "none" } else { "licensor" };
            assert_eq!(outcome, expected(role, held, &["licensor"]), "{role} {path}");
        }
        assert_eq!(world.get(&format!("/mentions/{MENTION}")).await.status, 200, "{role} reads");
    }
}

#[db_test]
async fn the_refusal_names_the_role(world: World) {
    let id = world.license(json!({})).await;
    world.sight(&id).await;
    world.become_role(&world.agency, "Team_Member").await;
    for (path, words) in [
        (format!("/mentions/{MENTION}"), "review mentions"),
        (format!("/licenses/{id}"), "edit licenses"),
    ] {
        let body = json!({ "status": "confirmed" });
        let request = world.app.request(Method::PATCH, &path).header("x-request-id", "r-1");
        let answer = request.bearer(&world.agency.external).json(&body).send().await;
        let error = json!({
            "code": "INSUFFICIENT_PERMISSIONS", "request_id": "r-1",
            "message": format!("The role Team_Member does not allow you to {words}"),
        });
        assert_eq!(answer.whole(), (403, json!({ "success": false, "error": error })));
    }
}
