//! What staff sees of everybody and changes: `/admin/organizations`, `/admin/platforms`,
//! `/admin/licenses`, `/admin/organization/{id}`, `/admin/members`, `/admin/member/{id}`.

use futures_util::future::join;
use grantor_domain::admin::AdminRole;
use grantor_testkit::app::{Answer, TestApp};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::admin::{members, staff};
use super::{faults, refusal, refused};
use crate::license::{World, text};

const NOBODY: &str = "0190a5e4-7b3c-7def-8123-456789abcdef";

/// An agency, a brand, and a `Super_Admin` who is signed in.
struct Board {
    world: World,
    token: String,
}

impl Fixture for Board {
    async fn on(engine: Engine) -> Self {
        let world = World::on(engine).await;
        // Both were made at one instant: the brand shall be the younger.
        let script = "UPDATE tenants SET created_at = created_at + 1 WHERE type = 'Brand'";
        seed::run(&world.app.database.options, script.to_owned()).await;
        let token = staff(&world.app, "root@example.com", AdminRole::SuperAdmin).await;
        Self { world, token }
    }
}

impl Board {
    fn app(&self) -> &TestApp {
        &self.world.app
    }

    async fn get(&self, path: &str) -> Answer {
        send(self.app(), &self.token, Method::GET, path, None).await
    }

    async fn patch(&self, path: &str, body: Value) -> Answer {
        send(self.app(), &self.token, Method::PATCH, path, Some(body)).await
    }

    /// Names on a page and the total.
    async fn names(&self, path: &str, plural: &str) -> (Vec<String>, u64) {
        let body = self.get(path).await.json();
        let names = body["data"][plural].as_array().unwrap_or_else(|| panic!("{path}: {body}"));
        let total = body["data"]["total"].as_u64().unwrap();
        assert_eq!(body["data"]["pagination"]["total"], total);
        (names.iter().map(|it| text(&it["name"])).collect(), total)
    }

    async fn suspend(&self, status: &str) -> Answer {
        let path = format!("/admin/organization/{}", self.world.agency.organization);
        self.patch(&path, json!({ "status": status })).await
    }

    /// The member of staff with this address.
    async fn member(&self, email: &str) -> String {
        let listed = members(self.app(), &self.token).await.json();
        let all = listed["data"]["members"].as_array().unwrap().clone();
        text(&all.iter().find(|it| it["email"] == email).unwrap()["adminId"])
    }
}

async fn send(
    app: &TestApp,
    token: &str,
    method: Method,
    path: &str,
    body: Option<Value>,
) -> Answer {
    let request = app.request(method, &format!("/v1.0.1{path}")).bearer(token);
    match body {
        Some(body) => request.json(&body).send().await,
        None => request.send().await,
    }
}

const AGENCY: &str = "Agency of ada@example.com";
const BRAND: &str = "Brand of bea@example.com";

#[db_test]
async fn organizations_are_listed_whole(board: Board) {
    let listed = board.get("/admin/organizations?limit=1&page=2").await;
    let organization = json!({
        "organizationId": board.world.agency.organization, "name": AGENCY, "type": "Agency",
        "status": "active", "plan": "Free", "memberCount": 1,
        "createdAt": "2026-01-01T00:00:00.000000Z",
    });
    let pagination = json!({ "page": 2, "limit": 1, "total": 2, "totalPages": 2 });
    let data = json!({ "organizations": [organization], "total": 2, "pagination": pagination });
    let body = json!({ "data": data, "message": "All organizations", "status": "success" });
    assert_eq!(listed.whole(), (200, body));
}

#[db_test]
async fn organizations_are_found_by_every_filter(board: Board) {
    let brand = format!("/admin/organization/{}", board.world.brand.organization);
    board.patch(&brand, json!({ "plan": "Pro", "status": "suspended" })).await;
    for (query, expected) in [
        ("", vec![BRAND, AGENCY]),
        ("?search=AGENCY%20of", vec![AGENCY]),
        ("?search=bea", vec![BRAND]),
        ("?search=%25", vec![]),
        ("?type=Agency", vec![AGENCY]),
        ("?type=Individual", vec![]),
        ("?status=suspended", vec![BRAND]),
        ("?plan=Free", vec![AGENCY]),
        ("?plan=Pro&type=Brand&status=suspended&search=brand", vec![BRAND]),
        ("?plan=Pro&type=Agency", vec![]),
    ] {
        let path = format!("/admin/organizations{query}");
        let (names, total) = board.names(&path, "organizations").await;
        assert_eq!(
            (names, total),
            (expected.iter().map(|it| (*it).to_owned()).collect(), expected.len() as u64),
            "{query}"
        );
    }
}

#[db_test]
async fn every_fault_of_a_question_is_named(board: Board) {
    let bad = "?page=0&limit=101&search=&type=x&status=x&plan=x";
    let (status, details) = faults(&board.get(&format!("/admin/organizations{bad}")).await);
    let fields: Vec<_> = details.as_object().unwrap().keys().cloned().collect();
    assert_eq!(status, 400);
    assert_eq!(fields, ["limit", "page", "plan", "search", "status", "type"]);
    for (path, expected) in [
        ("/admin/platforms?organizationId=x&limit=0", vec!["limit", "organizationId"]),
        (
            "/admin/licenses?organizationId=x&type=x&status=x",
            vec!["organizationId", "status", "type"],
        ),
    ] {
        let (_, details) = faults(&board.get(path).await);
        let fields: Vec<_> = details.as_object().unwrap().keys().cloned().collect();
        assert_eq!(fields, expected, "{path}");
    }
}

#[db_test]
async fn licenses_of_all_are_listed(board: Board) {
    let expires = "2026-01-01T00:10:00Z";
    let winter = board.world.license(json!({ "status": "public", "expiresAt": expires })).await;
    board.world.license(json!({ "name": "Summer 100%", "status": "draft", "type": "voice" })).await;
    let deleted = board.world.license(json!({ "name": "Gone" })).await;
    let path = format!("/org/license/{deleted}");
    board.world.agency.console(board.app(), Method::DELETE, &path, None).await;
    let listed = board.get("/admin/licenses?search=WINTER").await.json()["data"].clone();
    let license = json!({
        "licenseId": winter, "name": "Winter", "type": "advertising", "status": "public",
        "talent": { "talentId": board.world.talent, "fullname": "Grâce Hopper" },
        "organization": { "organizationId": board.world.agency.organization, "name": AGENCY },
        "canCrawl": false, "imageCount": 0, "expiresAt": "2026-01-01T00:10:00.000000Z",
        "createdAt": "2026-01-01T00:00:01.000000Z", "updatedAt": "2026-01-01T00:00:01.000000Z",
    });
    assert_eq!((&listed["licenses"], &listed["total"]), (&json!([license]), &json!(1)));
    let own = &board.world.agency.organization;
    board.app().clock.advance(std::time::Duration::from_mins(10));
    for (query, expected) in [
        (String::new(), vec!["Summer 100%", "Winter"]),
        ("?type=voice".to_owned(), vec!["Summer 100%"]),
        ("?status=draft".to_owned(), vec!["Summer 100%"]),
        ("?status=public".to_owned(), vec![]),
        ("?status=expired".to_owned(), vec!["Winter"]),
        ("?search=100%25".to_owned(), vec!["Summer 100%"]),
        ("?search=hopper".to_owned(), vec!["Summer 100%", "Winter"]),
        ("?search=hopper&type=voice".to_owned(), vec!["Summer 100%"]),
        (format!("?organizationId={own}&limit=1"), vec!["Summer 100%"]),
        (format!("?organizationId={NOBODY}"), vec![]),
    ] {
        let (names, _) = board.names(&format!("/admin/licenses{query}"), "licenses").await;
        assert_eq!(names, expected, "{query}");
    }
}

#[db_test]
async fn platforms_of_all_are_listed(board: Board) {
    let id = board.world.license(json!({})).await;
    board.world.sight(&id).await;
    let listed = board.get("/admin/platforms").await.json()["data"].clone();
    assert_eq!((&listed["total"], &listed["pagination"]["total"]), (&json!(1), &json!(1)));
    let platform = &listed["platforms"][0];
    let [name, domain] = ["name", "domain"].map(|it| text(&platform[it]));
    let owner = text(&platform["organization"]["organizationId"]);
    for (query, found) in [
        (format!("?search={}", name.to_uppercase().replace(' ', "%20")), 1),
        (format!("?search={domain}"), 1),
        ("?search=nowhere".to_owned(), 0),
        (format!("?organizationId={owner}"), 1),
        (format!("?organizationId={NOBODY}"), 0),
    ] {
        let (names, total) = board.names(&format!("/admin/platforms{query}"), "platforms").await;
        assert_eq!((names.len() as u64, total), (found, found), "{query}");
    }
}

#[db_test]
async fn a_suspended_organization_stops_at_once_everywhere(board: Board) {
    let agency = &board.world.agency;
    let login = board.app().sign_in(agency.email, "Analytical-Engine-1843").await;
    let all = async || {
        let refresh = json!({ "refreshToken": login["refreshToken"] });
        let answers = [
            agency.console(board.app(), Method::GET, "/user/profile", None).await,
            agency.external(board.app(), Method::GET, "/licenses", None).await,
            board.app().post("/v1.0.1/auth/refresh/token", &refresh).await,
            board.app().post("/auth/token", &agency.pair).await,
        ];
        answers.map(|it| it.status.as_u16())
    };
    assert_eq!(all().await, [200, 200, 201, 200], "the control");
    let suspended = board.suspend("suspended").await;
    let message = "Organization updated";
    let told = suspended.json();
    assert_eq!((&told["data"]["status"], &told["message"]), (&json!("suspended"), &json!(message)));
    assert_eq!(all().await, [403; 4]);
    let refused = agency.console(board.app(), Method::GET, "/user/profile", None).await;
    assert_eq!(refusal(&refused), (403, "FORBIDDEN".to_owned()));
    let other = board.world.brand.external(board.app(), Method::GET, "/licenses", None).await;
    assert_eq!(other.status, 200, "nobody else does");
    assert_eq!(board.suspend("active").await.status, 200);
    assert_eq!(all().await, [200, 200, 201, 200]);
}

#[db_test]
async fn a_plan_holds_from_the_next_request(board: Board) {
    let path = format!("/admin/organization/{}", board.world.agency.organization);
    let changed = board.patch(&path, json!({ "plan": "Enterprise" })).await.json();
    assert_eq!(changed["data"]["plan"], "Enterprise");
    assert_eq!(changed["data"]["status"], "active", "what is left out stays");
    let wrong = board.patch(&path, json!({ "plan": "Gold", "status": "gone" })).await;
    let details = json!({
        "plan": "must be one of Free, Starter, Pro, Enterprise",
        "status": "must be one of active, suspended",
    });
    assert_eq!(faults(&wrong), (400, details));
    let unknown = board.patch(&format!("/admin/organization/{NOBODY}"), json!({})).await;
    assert_eq!(unknown.whole(), (404, refused("NOT_FOUND", "Organization not found")));
    let malformed = board.patch("/admin/organization/x", json!({})).await;
    assert_eq!(refusal(&malformed), (400, "INVALID_FORMAT".to_owned()));
}

#[db_test]
async fn each_role_of_staff_does_what_it_may(board: Board) {
    let organization = format!("/admin/organization/{}", board.world.agency.organization);
    let admin = staff(board.app(), "admin@example.com", AdminRole::Admin).await;
    let support = staff(board.app(), "support@example.com", AdminRole::SupportAdmin).await;
    let member = format!("/admin/member/{}", board.member("support@example.com").await);
    let invited = json!({ "email": "x@example.com", "fullname": "Alan Turing" });
    let operations = [
        (Method::PATCH, organization.as_str(), json!({ "status": "active" })),
        (Method::PATCH, organization.as_str(), json!({ "plan": "Pro" })),
        (Method::PATCH, member.as_str(), json!({ "role": "Support_Admin" })),
        (Method::PATCH, member.as_str(), json!({ "status": "active" })),
        (Method::POST, "/admin/member/invite", invited),
    ];
    let reads = ["organizations", "platforms", "licenses", "members"];
    for (token, may) in [(&support, false), (&admin, false), (&board.token, true)] {
        for (method, path, body) in operations.clone() {
            let answer = send(board.app(), token, method, path, Some(body.clone())).await;
            // Plans are an Admin's to set, too.
            let may = may || (token == &admin && body.get("plan").is_some());
            let expected = if may { 200..=201 } else { 403..=403 };
            assert!(expected.contains(&answer.status.as_u16()), "{path} {body}: {}", answer.status);
            if !may {
                assert_eq!(refusal(&answer).1, "INSUFFICIENT_PERMISSIONS");
            }
        }
        for list in reads {
            let path = format!("/admin/{list}");
            let read = send(board.app(), token, Method::GET, &path, None).await;
            assert_eq!(read.status, 200, "{path}");
        }
    }
    for list in reads {
        let request = board.app().request(Method::GET, &format!("/v1.0.1/admin/{list}"));
        let answer = request.console(&board.world.agency.console).send().await;
        assert_eq!(answer.status, 401, "{list}: a console token opens nothing here");
    }
}

#[db_test]
async fn staff_who_were_invited_are_listed_as_pending(board: Board) {
    let body = json!({ "email": "alan@example.com", "fullname": "Alan Turing" });
    board.app().clock.advance(std::time::Duration::from_secs(1));
    let invited = send(board.app(), &board.token, Method::POST, "/admin/member/invite", Some(body));
    let id = invited.await.json()["data"]["invitationId"].clone();
    let listed = board.get("/admin/members").await.json()["data"].clone();
    let pending = json!({
        "adminId": null, "invitationId": id, "fullname": "Alan Turing",
        "email": "alan@example.com", "role": "Admin", "status": "pending",
        "createdAt": "2026-01-01T00:00:01.000000Z",
    });
    assert_eq!((&listed["members"][1], &listed["total"]), (&pending, &json!(2)));
}

#[db_test]
async fn a_disabled_member_of_staff_is_out_at_once(board: Board) {
    let token = staff(board.app(), "admin@example.com", AdminRole::Admin).await;
    assert_eq!(members(board.app(), &token).await.status, 200, "the control");
    let path = format!("/admin/member/{}", board.member("admin@example.com").await);
    let changed = board.patch(&path, json!({ "status": "inactive" })).await;
    let data = json!({
        "adminId": changed.json()["data"]["adminId"], "fullname": "Grace Hopper",
        "email": "admin@example.com", "role": "Admin", "status": "inactive",
        "createdAt": "2026-01-01T00:00:00.000000Z",
    });
    let message = "Staff member updated";
    let body = json!({ "data": data, "message": message, "status": "success" });
    assert_eq!(changed.whole(), (200, body));
    assert_eq!(members(board.app(), &token).await.status, 401);
    board.patch(&path, json!({ "status": "active" })).await;
    assert_eq!(members(board.app(), &token).await.status, 401, "ended sessions stay ended");
}

#[db_test]
async fn a_role_of_staff_is_changed_at_once(board: Board) {
    let token = staff(board.app(), "admin@example.com", AdminRole::Admin).await;
    let id = board.member("admin@example.com").await;
    let path = format!("/admin/member/{id}");
    let own = async || {
        send(board.app(), &token, Method::PATCH, &path, Some(json!({}))).await.status.as_u16()
    };
    assert_eq!(own().await, 403);
    let changed = board.patch(&path, json!({ "role": "Super_Admin" })).await.json();
    assert_eq!(changed["data"]["role"], "Super_Admin");
    assert_eq!(own().await, 200);
    let wrong = board.patch(&path, json!({ "role": "Boss", "status": "pending" })).await;
    let details = json!({
        "role": "must be one of Super_Admin, Admin, Support_Admin",
        "status": "must be one of active, inactive",
    });
    assert_eq!(faults(&wrong), (400, details));
    let unknown = board.patch(&format!("/admin/member/{NOBODY}"), json!({})).await;
    assert_eq!(unknown.whole(), (404, refused("NOT_FOUND", "Member not found")));
}

#[db_test]
async fn the_last_super_admin_stays(board: Board) {
    let path = format!("/admin/member/{}", board.member("root@example.com").await);
    let message = "The last Super_Admin cannot be removed, suspended or demoted";
    for body in [json!({ "role": "Admin" }), json!({ "status": "inactive" })] {
        let answer = board.patch(&path, body).await;
        assert_eq!(answer.whole(), (409, refused("RESOURCE_CONFLICT", message)));
    }
    staff(board.app(), "second@example.com", AdminRole::SuperAdmin).await;
    assert_eq!(board.patch(&path, json!({ "role": "Admin" })).await.status, 200);
}

#[db_test]
async fn two_super_admins_who_turn_on_each_other_do_not_both_succeed(board: Board) {
    let second = staff(board.app(), "second@example.com", AdminRole::SuperAdmin).await;
    let one = format!("/admin/member/{}", board.member("root@example.com").await);
    let two = format!("/admin/member/{}", board.member("second@example.com").await);
    for body in [json!({ "role": "Admin" }), json!({ "status": "inactive" })] {
        let first = send(board.app(), &board.token, Method::PATCH, &two, Some(body.clone()));
        let other = send(board.app(), &second, Method::PATCH, &one, Some(body.clone()));
        let (first, other) = join(first, other).await;
        let mut won = [first.status.as_u16(), other.status.as_u16()];
        won.sort_unstable();
        assert!(won[0] == 200 && won[1] >= 400, "{body}: {won:?}");
        let query = "SELECT CAST(count(*) AS text) FROM admins
            WHERE role = 'Super_Admin' AND status = 'active'";
        assert_eq!(seed::rows(&board.app().database.options, query).await, [["1"]]);
        let script = "UPDATE admins SET role = 'Super_Admin', status = 'active'";
        seed::run(&board.app().database.options, script.to_owned()).await;
        board.app().clock.advance(std::time::Duration::from_secs(1));
    }
}

#[db_test]
async fn what_staff_did_is_in_the_log_of_who_it_was_done_to(board: Board) {
    board.suspend("suspended").await;
    let query = "SELECT l.action, l.actor_kind, l.scheme, l.message FROM log_entries l
        JOIN tenants t ON t.tenant_id = l.tenant_id WHERE l.actor_kind = 'admin'";
    let rows = [[
        "organization.change",
        "admin",
        "admin",
        "An organization's status was set to suspended",
    ]];
    assert_eq!(seed::rows(&board.app().database.options, query).await, rows);
}
