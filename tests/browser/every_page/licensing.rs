//! Pages of those who license: rights, requests and grants.

use std::time::Duration;

use grantor_demo::SampleRequest;
use grantor_domain::access::Actor;
use grantor_domain::id::{GrantId, RequestId};
use grantor_domain::role::Role;
use grantor_domain::scope::Scopes;
use grantor_service::Context;
use grantor_service::identity::access::TenantCaller;
use grantor_service::licensing::receipt::{Disclosable, share};
use grantor_testkit::site::Site;

use super::below;

/// A public license of the sample.
pub(super) fn public(site: &Site) -> String {
    let found = site.sample.licenses.iter().find(|it| it.status.name() == "public");
    found.expect("a public license").id.to_string()
}

/// A request of the sample with this status.
fn request<'a>(site: &'a Site, status: &str) -> &'a SampleRequest {
    let found = site.sample.requests.iter().find(|it| it.status.name() == status);
    found.unwrap_or_else(|| panic!("no request is {status}"))
}

/// The brand's grant with this status, and the request that led to it.
fn grant(site: &Site, status: &str) -> (GrantId, RequestId) {
    let brand = site.sample.accounts[1].tenant;
    let mut requests = site.sample.requests.iter().filter(|it| it.asker == brand);
    let found = requests.find_map(|it| {
        let grant = it.grant.as_ref().filter(|it| it.status.name() == status)?;
        Some((grant.id, it.id))
    });
    found.unwrap_or_else(|| panic!("no grant is {status}"))
}

/// The path of a link that the brand shares.
pub(super) async fn shared_link(site: &Site) -> String {
    let (app, brand) = (&site.app.app, &site.sample.accounts[1]);
    let (user, tenant, tenant_type) = (brand.user, brand.tenant, brand.kind);
    let (role, scopes) = (Role::OrganizationAdmin, Scopes::all());
    let caller = TenantCaller { user, tenant, tenant_type, role, scopes };
    let actor = Actor::User { id: user, tenant, name: brand.name.clone() };
    let context = Context { actor, ..Context::operator(Duration::ZERO) };
    let disclosed = Disclosable::ALL.to_vec();
    let (grant, _) = grant(site, "active");
    let link = share::create(app, &context, caller, grant, disclosed).await.expect("a link");
    link.url.strip_prefix(&app.public_url).expect("our own address").to_owned()
}

/// Of an agency: what it licenses.
pub(super) fn of_rights(site: &Site) -> Vec<String> {
    let (talent, mention) = (site.sample.talents[0].0, site.sample.mentions[0].id);
    let own = &site.sample.accounts[0].email;
    let (bookmark, _) = site.sample.bookmarks.iter().find(|(_, it)| it == own).expect("a bookmark");
    let mut all = below("/app", &["", "/licenses", "/licenses/new", "/talents", "/talents/new"]);
    all.extend(below("/app", &["/talents/invite", "/bookmarks", "/mentions", "/check"]));
    all.extend(below("/app/licenses", &["/templates", "/new?template=advertising"]));
    // One that cannot be asked so.
    all.push("/app/licenses?status=x&sort=x&page=0".to_owned());
    all.extend(below("/app/mentions", &["?status=all", &format!("/{mention}")]));
    all.extend(below(&format!("/app/talents/{talent}"), &["", "/edit"]));
    all.push(format!("/app/bookmarks/{bookmark}/edit"));
    all.extend(below("/app/grants", &["", "/calendar", "/map"]));
    let license = format!("/app/licenses/{}", public(site));
    all.extend(below("/app", &["?days=7", "?days=90", "/shortcuts"]));
    all.extend(below("/app/search", &["", "?search=zo"]));
    all.extend(below(&license, &["", "/edit", "/history", "/preview", "/offer"]));
    all
}

/// Of an agency: what others ask it for, and what it granted.
pub(super) fn of_a_licensor(site: &Site) -> Vec<String> {
    let (open, offered) = (request(site, "open").id, request(site, "offered").id);
    let mut all = below("/app/requests", &["", "?role=owner", "?status=x"]);
    all.extend(below(&format!("/app/requests/{open}"), &["", "/offer"]));
    all.extend(below(&format!("/app/requests/{offered}"), &["", "/offer"]));
    all.push("/app/grants?status=ended".to_owned());
    all.extend(["active", "revoked"].map(|it| format!("/app/grants/{}", grant(site, it).0)));
    all
}

/// Of a brand: what it asks for, and what it was granted.
pub(super) fn of_a_licensee(site: &Site) -> Vec<String> {
    let (offered, (_, accepted)) = (request(site, "offered").id, grant(site, "active"));
    let mut all = vec![format!("/app/requests/new?license={}", public(site))];
    all.extend(below("/app/requests", &["", "?role=asker&status=withdrawn"]));
    all.extend(below(&format!("/app/requests/{offered}"), &["", "/accept"]));
    all.push(format!("/app/requests/{accepted}"));
    all.extend(below("/app/grants", &["", "/calendar", "/map"]));
    let statuses = ["active", "scheduled", "revoked"];
    all.extend(statuses.map(|it| format!("/app/grants/{}", grant(site, it).0)));
    all
}
