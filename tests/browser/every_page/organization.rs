//! Pages of an organization: what it runs, and how its people work.

use std::time::Duration;

use grantor_domain::Clock as _;
use grantor_domain::id::DeliveryId;
use grantor_domain::page::{Page, PageRules};
use grantor_domain::role::Role;
use grantor_domain::scope::Scopes;
use grantor_service::identity::access::TenantCaller;
use grantor_service::webhooks::delivery as deliveries;
use grantor_testkit::seed;
use grantor_testkit::site::Site;
use http::Method;
use serde_json::{Value, json};

use super::below;

/// Of a person: a bulk action in progress, one that can be undone, a checked file, and what they
/// report.
pub(super) async fn of_bulk(site: &Site) -> Vec<String> {
    let (options, agency) = (&site.app.database.options, &site.sample.accounts[0]);
    let [running, checked, done] =
        ["e1", "e2", "e3"].map(|it| format!("0190a5e4-7b3c-7def-8123-0000000000{it}"));
    let people = [agency.user.to_string(), agency.tenant.to_string()];
    let [user, tenant] = people.map(|it| seed::id(options, &it));
    let [one, other, third] = [&running, &checked, &done].map(|it| seed::id(options, it));
    let later = site.app.clock.now().plus(Duration::from_hours(1)).as_micros();
    let plan = r#"{"act":"import","kind":"talents","columns":{"places":["Name",null],"ignored":["Size"]},"duplicates":"skip","creates":9,"known":1,"wrong":1,"wrong_cells":2,"room":5}"#;
    let script = format!(
        "INSERT INTO batches VALUES ({one}, {tenant}, {user}, '{{\"act\":\"publish\"}}', 'running', 120,
           40, 15, 0, 3, 2, 0, NULL, NULL, NULL, 0, NULL, NULL);
         INSERT INTO batch_problems VALUES ({one}, 1, 'Winter', 'A license cannot change');
         INSERT INTO batches VALUES ({other}, {tenant}, {user}, '{plan}', 'checked', 11, 0, 0, 0, 0, 0,
           0, NULL, NULL, NULL, 0, NULL, NULL);
         INSERT INTO batches VALUES ({third}, {tenant}, {user}, '{{\"act\":\"publish\"}}', 'finished', 2,
           4, 2, 0, 0, 0, 0, NULL, NULL, NULL, 0, 0, {later});
         INSERT INTO batch_problems VALUES ({other}, 3, 'Row 5', 'Name: is required')"
    );
    seed::run(options, script).await;
    let mut all = vec!["/app/batches".to_owned()];
    all.extend([running, checked, done].map(|it| format!("/app/batches/{it}")));
    all.extend(below("/app", &["/talents/import", "/licenses/import", "/licenses?tag=x"]));
    all
}

/// Of a person: the views that they saved, and lists with many filters.
pub(super) async fn of_views(site: &Site) -> Vec<String> {
    let (options, agency) = (&site.app.database.options, &site.sample.accounts[0]);
    let view = "0190a5e4-7b3c-7def-8123-0000000000d1";
    let [it, user, tenant] = [view, &agency.user.to_string(), &agency.tenant.to_string()]
        .map(|it| seed::id(options, it));
    let script = format!(
        "INSERT INTO saved_views VALUES ({it}, {user}, {tenant}, 'licenses', 'On sale', 'on sale',
           'status=public', 0, 0, 0)"
    );
    seed::run(options, script).await;
    let mut all = below("/app/views", &["", &format!("/{view}/edit")]);
    all.push("/app/licenses?search=a&use=voice&country=DE&price_from=1&sort=title".to_owned());
    all.push("/app/licenses?country=x&price_to=x&expires_to=x".to_owned());
    all.push("/app/catalog?search=nobody&owner=quill&currency=EUR".to_owned());
    all.push("/app/talents?search=a&status=active&sort=name".to_owned());
    all.push("/app/mentions?status=all&search=a&sort=first_seen.asc".to_owned());
    all.push("/app/grants?search=a&use=voice&sort=end".to_owned());
    all.push("/app/requests?search=a&country=DE".to_owned());
    all
}

/// Of an agency: what it runs.
pub(super) async fn of_an_organization(site: &Site) -> Vec<String> {
    let entries = ask(site, Method::GET, "/console/logs", Value::Null).await;
    let entry = entries["data"]["logs"][0]["logId"].as_str().expect("an entry").to_owned();
    let made = ask(site, Method::POST, "/console/logs/export", json!({ "format": "csv" })).await;
    let export = made["data"]["exportId"].as_str().expect("an export").to_owned();
    let client = site.sample.accounts[0].client.client.id;
    let (team, member) = (site.sample.team.id, site.sample.team.members[0].user);
    let mut all = below("/app", &["/webhooks", "/webhooks/new", "/clients", "/clients/new"]);
    all.extend(below("/app", &["/teams", "/teams/new", "/logs", "/logs/export", "/billing"]));
    all.extend(below("/app", &["/organization", "/organization/edit", "/profile"]));
    all.extend(below("/app/organization", &["/security", "/single-sign-on"]));
    all.extend(below("/app/profile/security", &["", "/app"]));
    let chat = json!({ "name": "Team", "url": "https://chat.example/a", "kinds": ["request"] });
    let chat = ask(site, Method::POST, "/org/chat-addresses", chat).await;
    let chat = chat["data"]["chatAddressId"].as_str().expect("a chat address").to_owned();
    all.extend(below("/app", &["/notices", "/profile/notifications", "/profile/language"]));
    all.extend(below("/app/organization/chat", &["", "/new", &format!("/{chat}")]));
    let delivery = format!("/deliveries/{}", delivery(site).await);
    let webhook = format!("/app/webhooks/{}", site.sample.webhooks[0]);
    all.extend(below(&webhook, &["", "/edit", &delivery]));
    all.push(format!("/app/logs/records/{}", site.sample.team.id));
    all.extend(below("/app/clients", &[&format!("/{client}")]));
    let member = format!("/members/{member}");
    all.extend(below(&format!("/app/teams/{team}"), &["", "/invite", &member]));
    all.extend(below("/app/logs", &[&format!("/{entry}"), &format!("/export/{export}/ready")]));
    all
}

/// The newest delivery to the agency's webhook.
async fn delivery(site: &Site) -> DeliveryId {
    const RULES: PageRules = PageRules { size_name: "size", default_size: 1, max_size: 1 };
    let agency = &site.sample.accounts[0];
    let (user, tenant, tenant_type) = (agency.user, agency.tenant, agency.kind);
    let (role, scopes) = (Role::OrganizationAdmin, Scopes::all());
    let caller = TenantCaller { user, tenant, tenant_type, role, scopes };
    let page = Page::parse(None, None, RULES).expect("a page");
    let webhook = site.sample.webhooks[0];
    let found = deliveries::list(&site.app.app, caller, webhook, None, page).await;
    found.expect("deliveries").items.first().expect("a delivery").id
}

/// What the agency is answered by the console API.
async fn ask(site: &Site, method: Method, path: &str, body: Value) -> Value {
    let account = &site.sample.accounts[0];
    let signed_in = site.app.sign_in(&account.email, account.password.expose()).await;
    let token = signed_in["accessToken"].as_str().expect("a token");
    let request = site.app.request(method, &format!("/v1.0.1{path}")).console(token);
    let answer = if body.is_null() { request.send() } else { request.json(&body).send() };
    answer.await.json()
}
