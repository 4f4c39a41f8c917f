//! Pages of the operator's staff.

use grantor_testkit::seed;
use grantor_testkit::site::Site;

use super::below;

/// Of the operator's staff.
pub(super) fn of_the_staff(site: &Site) -> Vec<String> {
    let mut all = below("/app/admin", &["", "/pods", "/pods/new", "/platforms", "/licenses"]);
    all.extend(below("/app/admin", &["/organizations", "/help", "/help?all=true"]));
    all.extend(below("/app/admin/failures", &["/emails", "/webhooks", "/payments"]));
    all.extend(below("/app/admin", &["/pods?failing=true", "/sources?failing=true"]));
    all.extend(below("/app/admin/sources", &["", "?stopped=true"]));
    all.extend(below("/app/admin", &["/members", "/members/new", "/logs", "/nothing"]));
    let own = &site.sample.accounts[0].email;
    all.extend(below("/app/admin/second-factor", &["", &format!("?email={own}")]));
    all.extend(below("/app/admin/mail", &["", "/registration"]));
    all.extend(below("/app/admin", &["/search", "/search?search=quill", "/style-guide"]));
    let sections = ["fields", "filters", "lists", "charts"];
    all.extend(sections.map(|it| format!("/app/admin/style-guide?section={it}")));
    all.extend(below("/app/admin", &["/notices", "/notifications", "/language"]));
    all.push(format!("/app/admin/pods/{}", site.sample.sites[0].pod));
    let organization = format!("/app/admin/organizations/{}", site.sample.accounts[0].tenant);
    let person = site.sample.accounts[0].user;
    all.extend(below(&organization, &["", &format!("/people/{person}/view")]));
    all
}

/// A request for help, as the agency and staff see it.
pub(super) async fn of_help(site: &Site) -> Vec<String> {
    let agency = &site.sample.accounts[0];
    let options = &site.app.database.options;
    let help = "0190a5e4-7b3c-7def-8123-0000000000d1";
    let id = seed::id(options, help);
    let tenant = seed::id(options, &agency.tenant.to_string());
    let user = seed::id(options, &agency.user.to_string());
    let script = format!(
        "INSERT INTO help_requests (help_request_id, tenant_id, user_id, message, created_at)
         VALUES ({id}, {tenant}, {user}, 'How do I share a license with two brands?', 0)"
    );
    seed::run(options, script).await;
    vec![format!("/app/admin/help/{help}")]
}
