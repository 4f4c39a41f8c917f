//! Members that nobody may write, put into every body: two apps that are alike to the last byte
//! get the same requests, one of them with such members, and stay alike.

mod body;
mod example;

use std::sync::atomic::{AtomicU32, Ordering};

use axum::Json as Reply;
use axum::extract::State;
use grantor_api::frame::caller::SignedIn;
use grantor_api::frame::extract::Json;
use grantor_api::frame::problem::Problem;
use grantor_api::frame::route::{Access, Limit, Route, route};
use grantor_api::{Api, ApiState, openapi};
use grantor_domain::admin::AdminRole;
use grantor_domain::role::Right;
use grantor_service::Context;
use grantor_service::organizations::suspension::{TenantChanges, change_tenant};
use grantor_testkit::app::{Answer, ORIGIN, TestApp};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::matrix::dump::Dump;
use super::matrix::make::{Maker, send};
use super::matrix::records::{Operation, Records, operations};
use super::matrix::world::{OWN, Tenancy, staff, tenancy, test_app};
use super::print_figure;
use crate::license::Member;

/// What nobody may write unless a body's own schema has it, in the console's spelling.
const PROTECTED: [&str; 36] = [
    "id",
    "tenantId",
    "organizationId",
    "ownerId",
    "userId",
    "adminId",
    "talentId",
    "licenseId",
    "teamId",
    "role",
    "status",
    "plan",
    "price",
    "amount",
    "createdAt",
    "updatedAt",
    "deletedAt",
    "verifiedAt",
    "version",
    "revision",
    "licenseCount",
    "imageCount",
    "requestCount",
    "verified",
    "verdict",
    "secret",
    "secretKey",
    "credentials",
    "passwordHash",
    "isAdmin",
    "permissions",
    "scopes",
    "balance",
    "grantedBy",
    "email",
    "expiresAt",
];

/// An app with one of everything.
struct Half {
    app: TestApp,
    staff: String,
    own: Tenancy,
    /// Another tenant, which everything would be given to.
    stranger: Member,
    count: AtomicU32,
}

/// Two that are alike.
struct Twins {
    plain: Half,
    injected: Half,
    operations: Vec<Operation>,
    documents: [Value; 2],
}

impl Fixture for Twins {
    async fn on(engine: Engine) -> Self {
        Self::with(engine, Vec::new).await
    }
}

impl Half {
    async fn on(engine: Engine, console: fn() -> Vec<Route>) -> Self {
        let app = test_app(engine, console()).await;
        let count = AtomicU32::new(1);
        let staff = staff(&app, "root@example.com", AdminRole::SuperAdmin).await;
        Member::join(&app, "grantee@example.com", None).await;
        let stranger = Member::join(&app, "stranger@example.com", Some("Agency")).await;
        let own = tenancy(&app, &staff, &count, "own-1c2d@example.com", OWN).await;
        let mut half = Self { app, staff, own, stranger, count };
        let kinds = ["template".to_owned(), "admin".to_owned()];
        half.own.records = half.maker().fresh(&kinds, &half.own.records).await;
        half
    }

    fn maker(&self) -> Maker<'_> {
        let admin = &self.own.admin;
        Maker {
            app: &self.app,
            console: &admin.console,
            external: &admin.external,
            staff: &self.staff,
            email: admin.email,
            word: OWN,
            count: &self.count,
        }
    }

    /// A body that works, made anew for each request.
    async fn body(&self, operation: &Operation, records: &Records) -> Value {
        let number = self.count.fetch_add(1, Ordering::SeqCst);
        if operation.name == "POST /requests/{id}/accept" {
            return self.offered_hash(records).await;
        }
        if let Some(body) = operation.body(records, number) {
            return body;
        }
        let email = format!("public{number}@example.com");
        match operation.surface {
            Api::Console => self.entering(&operation.name, email).await,
            Api::External => self.exchanging(&operation.name, email).await,
        }
    }

    /// The records to ask about: new ones where each takes such a thing once.
    async fn records(&self, operation: &Operation) -> Records {
        let kinds: &[&str] = match operation.name.as_str() {
            "POST /pax/pod" => &["platform"],
            "POST /org/license/{licenseId}/permissions" => &["license"],
            "POST /requests/{id}/decline" | "POST /requests/{id}/withdraw" => &["request"],
            "POST /grants/{id}/revoke" => &["grant"],
            "POST /mentions/{id}/case" => &["mention"],
            _ => &[],
        };
        let kinds: Vec<String> = kinds.iter().map(|it| (*it).to_owned()).collect();
        let mut records = self.maker().fresh(&kinds, &self.own.records).await;
        match operation.name.as_str() {
            "POST /requests" => records.put("license", self.strangers_license().await),
            "POST /requests/{id}/accept" => records.put("request", self.strangers_offer().await),
            "POST /mentions/{id}/case" => {
                let options = &self.app.database.options;
                let mention = seed::id(options, records.id("mention"));
                let script = format!("DELETE FROM cases WHERE mention_id = {mention}");
                seed::run(options, script).await;
            }
            _ => {}
        }
        records
    }

    async fn ask(&self, operation: &Operation, records: &Records, body: Value) -> Answer {
        let token = match operation.row.access {
            Access::Public => "",
            Access::Console(_) | Access::Account | Access::UserOrClient(..) => {
                &self.own.admin.console
            }
            Access::Admin(_) => &self.staff,
            Access::External(_) | Access::ExternalWithRight(..) => &self.own.admin.external,
        };
        let path = operation.path(records);
        send(&self.app, token, &format!("{} {path}", operation.row.method), Some(body)).await
    }

    /// The value a member would be given: somebody else's, or more than one has.
    fn value(&self, name: &str) -> Value {
        match name {
            "role" => json!("Organization_Admin"),
            "status" => json!("verified"),
            "plan" => json!("Enterprise"),
            "email" => json!(self.stranger.email),
            "verified" | "isAdmin" => json!(true),
            "permissions" | "scopes" => json!(["license:write", "admin"]),
            "credentials" => json!({ "clientId": "gk_live_x", "secretKey": "x" }),
            "secret" | "secretKey" | "passwordHash" | "verdict" => json!("licensed"),
            it if it.ends_with("At") => json!("2031-01-01T00:00:00Z"),
            it if it.ends_with("Id") || it.ends_with("By") || it == "id" => {
                json!(self.stranger.organization)
            }
            _ => json!(999),
        }
    }

    /// Puts into a body, and into the objects in it, every protected member that its schema does
    /// not have; gives how many.
    fn inject(&self, document: &Value, schema: &Value, body: &mut Map<String, Value>) -> usize {
        let schema = resolved(document, schema);
        let Some(known) = schema["properties"].as_object() else { return 0 };
        let mut count = 0;
        for (name, value) in body.iter_mut() {
            if let Some(inner) = value.as_object_mut() {
                count += self.inject(document, &known[name], inner);
            }
        }
        for name in PROTECTED {
            for spelled in [name.to_owned(), snake(name)] {
                if !known.contains_key(&spelled) && !body.contains_key(&spelled) {
                    body.insert(spelled, self.value(name));
                    count += 1;
                }
            }
        }
        count
    }
}

/// A schema itself, where a reference stands for it.
fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let Some(reference) = schema["$ref"].as_str() else { return schema };
    document.pointer(&reference[1..]).expect("a schema")
}

fn snake(name: &str) -> String {
    let lower =
        |it: char| if it.is_uppercase() { format!("_{}", it.to_lowercase()) } else { it.into() };
    name.chars().map(lower).collect()
}

impl Twins {
    async fn with(engine: Engine, console: fn() -> Vec<Route>) -> Self {
        let plain = Half::on(engine, console).await;
        let injected = Half::on(engine, console).await;
        let mut operations = operations(Vec::new(), console());
        // It ends what the others are asked with.
        operations.sort_by_key(|it| it.row.path == "/user/change/password");
        let documents = [Api::External, Api::Console]
            .map(|it| serde_json::to_value(openapi::document(it, ORIGIN, "grantor")).unwrap());
        Self { plain, injected, operations, documents }
    }

    /// The schema of an operation's JSON body, if it takes one.
    fn schema(&self, operation: &Operation) -> Option<(&Value, &Value)> {
        let document = &self.documents[usize::from(operation.surface == Api::Console)];
        let method = operation.row.method.as_str().to_lowercase();
        let content = &document["paths"][&operation.row.path][method]["requestBody"]["content"];
        let schema = content.get("application/json")?.get("schema")?;
        Some((document, schema))
    }

    /// Asks both; gives how many members were put in, and what came of it.
    async fn ask(&self, operation: &Operation, schema: (&Value, &Value)) -> (usize, Vec<String>) {
        let records = self.plain.records(operation).await;
        self.injected.records(operation).await;
        let plain = self.plain.body(operation, &records).await;
        let mut body = self.injected.body(operation, &records).await;
        assert_eq!(plain, body, "{}: the apps differ before the change", operation.name);
        let count =
            self.injected.inject(schema.0, schema.1, body.as_object_mut().expect("an object"));
        let expected = self.plain.ask(operation, &records, plain).await;
        let found = self.injected.ask(operation, &records, body).await;
        let mut faults = Vec::new();
        if !expected.status.is_success() {
            faults.push(format!("the body does not work: {}", expected.json()));
        }
        if (expected.status, &expected.body) != (found.status, &found.body) {
            let [expected, found] =
                [expected, found].map(|it| String::from_utf8_lossy(&it.body).into_owned());
            faults.push(format!("{found} instead of {expected}"));
        }
        (count, faults.into_iter().map(|it| format!("{}: {it}", operation.name)).collect())
    }

    /// In which rows the two differ.
    async fn differences(&self) -> Vec<String> {
        let plain = Dump::of(&self.plain.app).await;
        plain.differences(&Dump::of(&self.injected.app).await)
    }
}

#[db_test]
async fn no_body_writes_what_is_protected(twins: Twins) {
    let (mut bodies, mut members, mut faults) = (0, 0, Vec::new());
    for operation in &twins.operations {
        let Some(schema) = twins.schema(operation) else { continue };
        let (count, found) = twins.ask(operation, schema).await;
        faults.extend(found);
        bodies += 1;
        members += count;
    }
    faults.extend(twins.differences().await);
    print_figure(&format!("{bodies} bodies, {members} protected members, {} faults", faults.len()));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(bodies >= 50 && members >= 2_500, "{bodies} bodies, {members} members");
}

/// Twins with a route that writes what it is told.
struct Careless(Twins);

impl Fixture for Careless {
    async fn on(engine: Engine) -> Self {
        Self(Twins::with(engine, careless).await)
    }
}

#[derive(Deserialize, Serialize, ToSchema)]
struct Wish {
    note: String,
    plan: Option<String>,
}

fn careless() -> Vec<Route> {
    let permission = Access::Console(Right::Read);
    vec![route(Method::POST, "/probe/wish", permission, Limit::Caller, wish, "Grants a wish")]
}

async fn wish(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Json(wish): Json<Wish>,
) -> Result<Reply<Wish>, Problem> {
    if let Some(plan) = wish.plan.as_deref().and_then(|it| it.parse().ok()) {
        let context = Context::operator(std::time::Duration::ZERO);
        let changes = TenantChanges { status: None, plan: Some(plan) };
        change_tenant(&state.app, &context, caller.tenant, changes).await?;
    }
    Ok(Reply(Wish { note: wish.note, plan: None }))
}

/// The control: a member that is heeded though no document has it is seen in what is stored.
#[db_test]
async fn a_route_that_writes_what_it_is_told_is_caught(careless: Careless) {
    let Careless(twins) = careless;
    let probe = twins.operations.iter().find(|it| it.row.path == "/probe/wish").expect("a probe");
    let schema = json!({ "properties": { "note": {} } });
    let (_, answers) = twins.ask(probe, (&Value::Null, &schema)).await;
    assert_eq!(answers, Vec::<String>::new(), "the response does not reveal it");
    let faults = twins.differences().await;
    let seen = |text: &str| faults.iter().any(|it| it.contains("tenants [") && it.contains(text));
    assert!(seen("Enterprise") && seen("Starter"), "{}", faults.join("\n"));
}
