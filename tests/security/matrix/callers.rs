//! Everybody who could ask: each role in each kind of tenant, each scope, and tokens that open
//! nothing any more.

use grantor_api::Api;
use grantor_domain::admin::AdminRole;
use grantor_domain::role::{Role, TenantType};
use grantor_domain::scope::{Scope, Scopes};
use grantor_testkit::app::TestApp;
use serde_json::{Value, json};

use super::bodies::PASSWORD;
use super::make::{send, text, well};
use super::records::Records;
use super::world::{World, staff};
use crate::license::Member;

/// What a token makes of who shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Who {
    /// No token, or one that opens nothing.
    Nobody,
    /// Somebody of a suspended tenant, known on this surface.
    Suspended(Api),
    Person(Role, TenantType),
    Staff(AdminRole),
    Client(Scopes, Role, TenantType),
}

/// Whose records are their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// In the tenant that the records belong to, and in the records' team or not.
    Within { team: bool },
    /// In another tenant: all records are foreign.
    Outside,
    /// The operator's staff: no tenant is foreign.
    Staff,
}

pub(super) struct Caller {
    pub(super) name: String,
    pub(super) token: Option<String>,
    /// Whether it says that it comes from the console.
    pub(super) source: bool,
    pub(super) who: Who,
    pub(super) home: Home,
    /// What they sign in with.
    pub(super) email: String,
    /// Records that are theirs alone.
    pub(super) personal: Records,
}

impl Caller {
    fn new(name: &str, token: Option<String>, who: Who, home: Home) -> Self {
        let (name, email, personal) = (name.to_owned(), String::new(), Records::default());
        Self { name, token, source: true, who, home, email, personal }
    }

    fn nobody(name: &str, token: Option<String>) -> Self {
        Self::new(name, token, Who::Nobody, Home::Within { team: true })
    }
}

const INSIDE: Home = Home::Within { team: true };

pub(super) async fn callers(world: &World) -> Vec<Caller> {
    let mut callers = strangers(world);
    callers.extend(colleagues(world).await);
    callers.extend(outsiders(world).await);
    callers.extend(operators(world).await);
    callers.extend(clients(world).await);
    callers
}

fn strangers(world: &World) -> Vec<Caller> {
    let own = &world.own.admin;
    let mut sourceless = Caller::nobody("an admin without x-source", Some(own.console.clone()));
    sourceless.source = false;
    // The last character of a signature of 64 bytes has bits that say nothing: take another.
    let mut forged = own.console.clone();
    let at = forged.len() - 5;
    let turned = if forged.as_bytes()[at] == b'A' { "B" } else { "A" };
    forged.replace_range(at..=at, turned);
    vec![
        Caller::nobody("nobody", None),
        Caller::nobody("a malformed token", Some("no.such.token".to_owned())),
        Caller::nobody("a forged token", Some(forged)),
        sourceless,
    ]
}

/// Invites somebody into a team and signs them in; gives account and token.
async fn colleague(world: &World, team: &str, email: &str, role: Role) -> (String, String) {
    let user = world.maker().invite(team, email, role.name()).await;
    (user, text(&world.app.sign_in(email, PASSWORD).await, "/accessToken"))
}

async fn colleagues(world: &World) -> Vec<Caller> {
    let team = world.own.records.id("team").to_owned();
    let made = json!({ "name": "Another team" });
    let made = world.maker().ask("POST /org/create/team", Some(made)).await;
    let other = text(&made, "/data/teamId");
    let admin = Who::Person(Role::OrganizationAdmin, TenantType::Agency);
    let token = world.own.admin.console.clone();
    let mut admin = Caller::new("Organization_Admin", Some(token), admin, INSIDE);
    admin.email = world.own.admin.email.to_owned();
    let mut found = vec![admin];
    for (name, role, inside) in [
        ("Organization_User", Role::OrganizationUser, true),
        ("Team_Lead", Role::TeamLead, true),
        ("Team_Lead of another team", Role::TeamLead, false),
        ("Team_Member", Role::TeamMember, true),
    ] {
        let email = format!("colleague{}@example.com", found.len());
        let team = if inside { &team } else { &other };
        let (_, token) = colleague(world, team, &email, role).await;
        let who = Who::Person(role, TenantType::Agency);
        let mut caller = Caller::new(name, Some(token.clone()), who, Home::Within { team: inside });
        caller.email = email;
        caller.personal.put("session", session(&world.app, &token).await);
        found.push(caller);
    }
    let (user, token) = colleague(world, &team, "gone@example.com", Role::OrganizationAdmin).await;
    let path = format!("PATCH /org/team/{team}/member/{user}");
    world.maker().ask(&path, Some(json!({ "status": "inactive" }))).await;
    found.push(Caller::nobody("an inactive admin", Some(token)));
    found
}

async fn session(app: &TestApp, token: &str) -> String {
    let listed = well("sessions", &send(app, token, "GET /v1.0.1/user/sessions", None).await);
    text(&listed, "/data/sessions/0/sessionId")
}

async fn outsiders(world: &World) -> Vec<Caller> {
    let mut found = Vec::new();
    for (email, kind, role) in [
        ("individual@example.com", TenantType::Individual, Role::Individual),
        ("brand@example.com", TenantType::Brand, Role::OrganizationAdmin),
        ("platform@example.com", TenantType::Platform, Role::OrganizationAdmin),
    ] {
        let organization = kind.is_organization().then(|| kind.name());
        let member = Member::join(&world.app, email, organization).await;
        let (person, client) = (Who::Person(role, kind), Who::Client(Scopes::all(), role, kind));
        let name = format!("{role} of a {kind}");
        found.push(Caller::new(&name, Some(member.console), person, Home::Outside));
        let name = format!("a client of a {kind}");
        found.push(Caller::new(&name, Some(member.external), client, Home::Outside));
    }
    let member = Member::join(&world.app, "suspended@example.com", Some("Agency")).await;
    let path = format!("PATCH /v1.0.1/admin/organization/{}", member.organization);
    let body = Some(json!({ "status": "suspended" }));
    well(&path, &send(&world.app, &world.staff, &path, body).await);
    for (surface, token) in [(Api::Console, member.console), (Api::External, member.external)] {
        let name = format!("a suspended tenant's {surface:?} token");
        found.push(Caller::new(&name, Some(token), Who::Suspended(surface), Home::Outside));
    }
    found
}

async fn operators(world: &World) -> Vec<Caller> {
    let mut found = Vec::new();
    for role in AdminRole::ALL {
        let email = format!("{}@example.com", role.name());
        let token = staff(&world.app, &email, role).await;
        found.push(Caller::new(role.name(), Some(token), Who::Staff(role), Home::Staff));
    }
    let token = staff(&world.app, "left@example.com", AdminRole::SuperAdmin).await;
    let left = world.maker().staff_member("left@example.com").await;
    let path = format!("PATCH /v1.0.1/admin/member/{left}");
    let body = Some(json!({ "status": "inactive" }));
    well(&path, &send(&world.app, &world.staff, &path, body).await);
    found.push(Caller::nobody("a disabled Super_Admin", Some(token)));
    found
}

/// Makes an API client with somebody's console token; gives it and its external token.
async fn client(app: &TestApp, console: &str, scopes: Option<&str>) -> (Value, String) {
    let mut body = json!({ "name": "Reader", "environment": "production" });
    if let Some(scope) = scopes {
        body["permissions"] = json!([scope]);
    }
    let path = "POST /v1.0.1/org/create/client";
    let made = well(path, &send(app, console, path, Some(body)).await)["data"].clone();
    let pair = &made["credentials"];
    let pair = json!({ "api_key": pair["clientId"], "api_secret": pair["secretKey"] });
    let tokens = well("token", &app.post("/auth/token", &pair).await);
    let token = text(&tokens, "/data/access_token");
    (made, token)
}

async fn clients(world: &World) -> Vec<Caller> {
    let (app, admin) = (&world.app, &world.own.admin.console);
    let who = |scopes, role| Who::Client(scopes, role, TenantType::Agency);
    let all = Scopes::all();
    let token = Some(world.own.admin.external.clone());
    let mut found = vec![Caller::new(
        "a client with all scopes",
        token,
        who(all, Role::OrganizationAdmin),
        INSIDE,
    )];
    for scope in Scope::ALL {
        let (_, token) = client(app, admin, Some(scope.name())).await;
        let one = Scopes::parse_list([scope.name()]).expect("a scope");
        let name = format!("a client with {scope}");
        found.push(Caller::new(&name, Some(token), who(one, Role::OrganizationAdmin), INSIDE));
    }
    let (made, token) = client(app, admin, None).await;
    let path = format!("PATCH /org/client/{}", text(&made, "/clientId"));
    world.maker().ask(&path, Some(json!({ "status": "revoked" }))).await;
    found.push(Caller::nobody("a revoked client", Some(token)));
    for (role, email) in
        [(Role::TeamMember, "demoted@example.com"), (Role::TeamLead, "lead@example.com")]
    {
        found.push(demoted(world, role, email).await);
    }
    found
}

/// A client of somebody who was an admin when they made it.
async fn demoted(world: &World, role: Role, email: &str) -> Caller {
    let team = world.own.records.id("team");
    let (user, console) = colleague(world, team, email, Role::OrganizationAdmin).await;
    let (_, token) = client(&world.app, &console, None).await;
    let target = world.own.records.id("license");
    let body = json!({ "target_type": "license", "target_id": target });
    let kept = well("bookmark", &send(&world.app, &token, "POST /bookmarks", Some(body)).await);
    let path = format!("PATCH /org/team/{team}/member/{user}");
    world.maker().ask(&path, Some(json!({ "role": role.name() }))).await;
    let who = Who::Client(Scopes::all(), role, TenantType::Agency);
    let mut caller = Caller::new(&format!("a client of a {role}"), Some(token), who, INSIDE);
    caller.personal.put("bookmark", text(&kept, "/id"));
    caller
}
