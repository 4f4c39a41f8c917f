//! What every form and every list does with bad input: the message stands beside the field, which has
//! the focus, and nothing that was typed is lost.

use grantor_domain::admin::AdminRole::SuperAdmin;
use grantor_testkit::db_test;

use super::admin::staff;
use super::kit::{ADA, Browser, WebFixture};
use super::license::{license, talent};
use crate::console::PASSWORD;

/// Sends a form whose one field is taken by something else.
async fn taken(
    browser: &mut Browser<'_>,
    path: &str,
    form: &[(&str, &str)],
    field: &str,
    wrong: &str,
) {
    let seen = browser.post(path, form).await;
    seen.says(409, &[]).refuses(field, wrong).begins_at(field);
    for (name, value) in form.iter().filter(|(_, value)| *value != PASSWORD) {
        let shown = seen.page.contains(&format!("value=\"{value}\""));
        assert!(shown || seen.page.contains(&format!(">{value}</textarea>")), "{path} {name}");
    }
}

#[db_test]
async fn what_is_taken_is_said_at_its_field(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let team = ada.post("/app/teams/new", &[("name", "Field")]).await.made();
    let form = [("name", "Field")];
    taken(&mut ada, "/app/teams/new", &form, "name", "A team with this name already exists.").await;
    let form = [("firstname", "A"), ("lastname", "L"), ("email", ADA), ("role", "Team_Lead")];
    let (path, wrong) =
        (format!("/app/teams/{team}/invite"), "This person is already a member of the team.");
    taken(&mut ada, &path, &form, "email", wrong).await;
    let form = [
        ("name", "Wire"),
        ("domain", "wire.example"),
        ("type", "News Media"),
        ("teamId", &*team),
        ("settings.detectionFrequency", "weekly"),
    ];
    ada.post("/app/platforms/new", &form).await.made();
    let wrong = "Your organization already has a platform with this domain.";
    taken(&mut ada, "/app/platforms/new", &form, "domain", wrong).await;
    fixture.stranger().await;
    let wrong = "An organization with this name already exists.";
    let form = [("name", "Somerville &amp; Co")];
    let sent = [("name", "Somerville & Co")];
    let seen = ada.post("/app/organization/edit", &sent).await;
    seen.says(409, &[]).refuses("name", wrong).begins_at("name").holds("name", form[0].1);
}

#[db_test]
async fn an_external_id_that_is_taken_is_said_at_its_field(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    license(&mut ada, &[("name", "Winter"), ("externalId", "W-1")]).await;
    let (other, person) =
        (license(&mut ada, &[("name", "Summer")]).await, talent(&mut ada, "Mary Shelley").await);
    let wrong = "Another license of yours already has this external ID.";
    let form = [
        ("talent", &*person),
        ("name", "Third"),
        ("type", "voice"),
        ("description", "Kept"),
        ("externalId", "W-1"),
    ];
    taken(&mut ada, "/app/licenses/new", &form, "externalId", wrong).await;
    let form = [
        ("version", "1-draft"),
        ("name", "Other"),
        ("type", "voice"),
        ("description", "Kept"),
        ("externalId", "W-1"),
        ("status", "draft"),
    ];
    let path = format!("/app/licenses/{other}/edit");
    taken(&mut ada, &path, &form, "externalId", wrong).await;
    let path = format!("/app/licenses/{other}/permissions");
    fixture.stranger().await;
    let form = [("grantee", "mary@example.com"), ("role", "trustee")];
    ada.post(&path, &form).await.made();
    let wrong = "The grantee already has a permission on this license; revoke it first.";
    taken(&mut ada, &path, &form, "grantee", wrong).await;
}

#[db_test]
async fn an_address_that_is_taken_is_said_at_its_field(fixture: WebFixture) {
    let form = [
        ("organization.type", "Brand"),
        ("organization.name", "Hopper Brands"),
        ("fullname", "Grace Hopper"),
        ("email", ADA),
        ("password", PASSWORD),
    ];
    let wrong = "An account with this email address already exists.";
    taken(&mut fixture.browser(), "/app/sign-up", &form, "email", wrong).await;
    let mut named = form;
    (named[1].1, named[3].1) = ("Babbage Talent", "grace@example.com");
    let wrong = "An organization with this name already exists.";
    taken(&mut fixture.browser(), "/app/sign-up", &named, "organization.name", wrong).await;
    let mut grace = staff(&fixture, SuperAdmin).await;
    let own = grace.get("/app/admin/members").await.between("data-head=\"Email\"><div>", "<");
    let form = [("fullname", "Again"), ("email", &*own.unwrap()), ("role", "Admin")];
    let wrong = "A staff member with this email address already exists.";
    taken(&mut grace, "/app/admin/members/new", &form, "email", wrong).await;
}

/// Forms, each with a field that would be taken as it is or left out, and what else was typed.
const FORMS: [(&str, &str, &str, &str); 9] = [
    ("/app/talents/new", "phone", "fullname", "Grace Hopper"),
    ("/app/talents/new", "bio", "fullname", "Grace Hopper"),
    ("/app/talents/invite", "fullname", "email", "g@example.com"),
    ("/app/teams/new", "name", "name", ""),
    ("/app/clients/new", "expiresAt", "name", "Importer"),
    ("/app/webhooks/new", "description", "url", "https://example.com/hook"),
    ("/app/organization/edit", "basicInfo.description", "name", "Babbage Talent"),
    ("/app/profile", "location", "lastname", "King"),
    ("/app/logs/export", "search", "startDate", "2026-01-02"),
];

#[db_test]
async fn what_is_no_text_is_said_at_its_field(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    for (path, field, other, value) in FORMS {
        let kept: String = url::form_urlencoded::byte_serialize(value.as_bytes()).collect();
        let kept = if value.is_empty() { String::new() } else { format!("&{other}={kept}") };
        let wrong = "Must not contain control characters.";
        for code in ["%00", "%1B", "%7F"] {
            let seen = ada.post_bytes(path, &format!("{field}=be{code}fore{kept}")).await;
            seen.says(422, &["before"][..usize::from(!shown_as_value(field))])
                .refuses(field, wrong);
            if !value.is_empty() {
                seen.holds(other, value);
            }
        }
        let seen = ada.post_bytes(path, &format!("{field}=be%FFfore{kept}")).await;
        seen.says(422, &[]).refuses(field, "Must be text in UTF-8.");
        assert!(seen.page.contains("be\u{FFFD}fore"), "{path}: {}", seen.page);
    }
    let long = "x%00".to_owned() + &"y".repeat(20);
    let body = format!("username={long}&password=z");
    let seen = fixture.browser().post_bytes("/app/sign-in", &body).await;
    seen.says(422, &[]).refuses("username", "Must not contain control characters.");
}

/// Pages with forms that anybody at an agency can fill.
const PAGES: [&str; 18] = [
    "/app/sign-in",
    "/app/sign-in/link",
    "/app/sign-in/sso",
    "/app/sign-up",
    "/app/forgot",
    "/app/talents/new",
    "/app/talents/invite",
    "/app/licenses/new",
    "/app/teams/new",
    "/app/clients/new",
    "/app/webhooks/new",
    "/app/platforms/new",
    "/app/pax/new",
    "/app/organization/edit",
    "/app/organization/single-sign-on",
    "/app/profile",
    "/app/logs/export",
    "/app/help",
];

/// Where each form of a page is sent to, and the names of its fields that can be filled.
fn forms(page: &str) -> Vec<(String, Vec<String>)> {
    let value = |tag: &str, name: &str| {
        let rest = tag.split_once(&format!(" {name}=\""))?.1;
        rest.split_once('"').map(|(it, _)| it.to_owned())
    };
    let forms = page.split("<form class=\"form\"").skip(1);
    let forms = forms.map(|form| form.split("</form>").next().unwrap_or_default());
    let fillable = |tag: &&str| {
        ["input ", "select ", "textarea "].iter().any(|it| tag.starts_with(it))
            && !tag.contains("type=\"hidden\"")
            && !tag.contains("type=\"file\"")
    };
    let read = |form: &str| {
        let mut names: Vec<_> =
            form.split('<').filter(fillable).filter_map(|tag| value(tag, "name")).collect();
        names.dedup();
        (value(form, "action").unwrap(), names)
    };
    forms.map(read).collect()
}

#[db_test]
async fn no_field_of_any_form_takes_what_is_no_text(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    talent(&mut ada, "Grace Hopper").await;
    let team = ada.post("/app/teams/new", &[("name", "Field")]).await.made();
    let form = [
        ("name", "Wire"),
        ("domain", "wire.example"),
        ("type", "News Media"),
        ("teamId", &*team),
        ("settings.detectionFrequency", "weekly"),
    ];
    ada.post("/app/platforms/new", &form).await.made();
    let mut tried = 0;
    for page in PAGES {
        let drawn = forms(&ada.get(page).await.page);
        assert!(!drawn.is_empty(), "{page} has no form");
        for (action, name) in
            drawn.iter().flat_map(|(action, names)| names.iter().map(move |it| (action, it)))
        {
            let seen = ada.post_bytes(action, &format!("{name}=a%00b")).await;
            seen.says(422, &[]).refuses(name, "Must not contain control characters.");
            tried += 1;
        }
    }
    assert!(tried > 60, "{tried}");
}

/// Whether a field has its value in an attribute and not between its tags.
fn shown_as_value(field: &str) -> bool {
    !["bio", "description", "basicInfo.description"].contains(&field)
}

#[db_test]
async fn what_is_no_text_beside_pictures_is_said_at_its_field(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let person = talent(&mut ada, "Grace Hopper").await;
    let texts = [("talent", &*person), ("name", "Win\0ter"), ("description", "Kept")];
    let seen = ada.upload("/app/licenses/new", &texts, &[]).await;
    seen.says(422, &["Kept"]).refuses("name", "Must not contain control characters.");
    seen.holds("name", "Winter").begins_at("name");
    let id = license(&mut ada, &[("name", "Summer")]).await;
    let body = "version=1-draft&name=Other&type=voice&status=draft&description=a%00b";
    let seen = ada.post_bytes(&format!("/app/licenses/{id}/edit"), body).await;
    seen.says(422, &["ab"]).refuses("description", "Must not contain control characters.");
    ada.get(&format!("/app/licenses/{id}")).await.says(200, &["Summer"]);
}

#[db_test]
async fn the_first_field_that_is_wrong_has_the_focus(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    for (path, form, first) in [
        ("/app/talents/new", vec![("fullname", "Grace Hopper"), ("email", "x")], "email"),
        ("/app/talents/new", vec![("email", "x")], "fullname"),
        ("/app/clients/new", vec![("name", "I"), ("environment", "moon")], "name"),
        ("/app/clients/new", vec![("name", "Importer"), ("environment", "moon")], "permissions"),
        ("/app/webhooks/new", vec![("url", "https://example.com/a")], "events"),
        ("/app/logs/export", vec![("format", "pdf"), ("action", "x")], "format"),
        ("/app/profile/password", vec![("password", "x")], "newPassword"),
    ] {
        ada.post(path, &form).await.says(422, &[]).begins_at(first);
    }
    let seen = fixture.browser().post("/app/sign-in", &[("username", "ada")]).await;
    seen.says(422, &[]).begins_at("password").holds("username", "ada");
}

/// Lists with something wrong in what they are asked: the field, what is typed there and what the page
/// says; nothing for what has no field.
const LISTS: [(&str, &str, &str, &str); 17] = [
    ("/app/talents", "search", "a%00b", "Must not contain control characters."),
    ("/app/licenses", "status", "odd", "Must be one of draft, private, public, expired."),
    ("/app/licenses", "sort", "odd", "Must be one of created_at, updated_at, title."),
    ("/app/licenses", "search", "%FF", "Must be text in UTF-8."),
    ("/app/catalog", "type", "odd", ""),
    ("/app/mentions", "verdict", "odd", "Must be one of licensed, unlicensed, needs_review."),
    ("/app/mentions", "license", "odd", ""),
    ("/app/platforms", "status", "odd", "Must be one of pending_verification, verified."),
    ("/app/platforms", "type", "odd", ""),
    ("/app/pax", "platformId", "odd", ""),
    ("/app/pax", "status", "odd", "Must be one of active, revoked."),
    ("/app/logs", "type", "LOUD", "Must be one of INFO, WARN, ERROR."),
    ("/app/logs", "action", "x", "Must have the form resource.verb, such as team.create."),
    ("/app/logs", "startDate", "soon", ""),
    ("/app/bookmarks", "page", "0", ""),
    ("/app/teams", "limit", "many", ""),
    ("/app/webhooks", "page", "-1", ""),
];

#[db_test]
async fn a_list_says_beside_its_filter_what_was_asked_wrong(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    for (path, field, typed, wrong) in LISTS {
        let seen = ada.get(&format!("{path}?{field}={typed}&page=1")).await;
        seen.says(400, &["Some filters are not valid and were ignored"]).hides("problem-status");
        let id = format!("by-{field}");
        if !wrong.is_empty() {
            seen.refuses(&id, wrong).begins_at(field);
        }
        let has_field = seen.page.contains(&format!("id=\"{id}\""));
        if has_field && !typed.contains('%') {
            let kept = seen.page.contains(&format!("value=\"{typed}\""));
            assert!(kept, "{path} {field}: {}", seen.page);
            assert!(seen.page.contains(&format!("id=\"{id}-wrong\"")), "{path} {field}");
        }
    }
    let seen = ada.get("/app/logs?page=99").await;
    seen.says(400, &["Page must be at most 1, the last page.", "A user signed in"]);
    let seen = ada.get("/app/logs?startDate=2026-02-01&endDate=2026-01-01&page=0").await;
    seen.says(400, &["End date must be after Start date.", "Page must be a whole number"]);
    seen.refuses("by-endDate", "Must be after Start date.").holds("startDate", "2026-02-01");
}
