//! The staff itself.

use grantor_domain::admin::AdminRole::{Admin, SuperAdmin};
use grantor_testkit::db_test;

use super::staff;
use crate::web::kit::WebFixture;

const NEW: &str = "/app/admin/members/new";

#[db_test]
async fn staff_is_invited(fixture: WebFixture) {
    let mut grace = staff(&fixture, SuperAdmin).await;
    let form = [
        ("fullname", "Katherine Johnson"),
        ("email", "kj@grantor.test"),
        ("role", "Support_Admin"),
    ];
    let seen = grace.follow(NEW, &form).await;
    seen.says(200, &["Invitation sent", "Katherine Johnson kj@grantor.test Support admin pending"]);
    let mail = fixture.app.newest_mail("kj@grantor.test").await;
    assert!(mail.contains("gin_"), "{mail}");
}

#[db_test]
async fn an_invitation_that_does_not_fit_is_drawn_again(fixture: WebFixture) {
    let mut grace = staff(&fixture, SuperAdmin).await;
    let form = [("fullname", "K"), ("email", "nowhere"), ("role", "Super_Admin")];
    let seen = grace.post(NEW, &form).await;
    seen.says(422, &["Please fix the fields below"])
        .holds("fullname", "K")
        .holds("email", "nowhere");
    seen.refuses("role", "Must be one of Admin, Support admin.");
    let taken = [("fullname", "Another"), ("email", "super_admin@grantor.test"), ("role", "Admin")];
    grace.post(NEW, &taken).await.says(409, &["with this email address already exists"]);
}

#[db_test]
async fn a_role_and_a_status_are_changed(fixture: WebFixture) {
    let mut admin = staff(&fixture, Admin).await;
    let mut grace = staff(&fixture, SuperAdmin).await;
    let list = grace.get("/app/admin/members").await;
    list.says(200, &["(you)"]);
    let row = list.between(">Admin@grantor.test", "</form>").unwrap();
    let (path, _) = row.split_once("action=\"").unwrap().1.split_once("/role").unwrap();
    grace
        .follow(&format!("{path}/role"), &[("role", "Support_Admin")])
        .await
        .says(200, &["Role updated"]);
    admin.get("/app/admin/pods/new").await.says(403, &["The role Support admin does not allow"]);
    grace
        .follow(&format!("{path}/status"), &[("status", "inactive")])
        .await
        .says(200, &["inactive", "Reactivate"]);
    assert_eq!(admin.get("/app/admin").await.status, 303, "signed out at once");
    grace
        .follow(&format!("{path}/status"), &[("status", "active")])
        .await
        .says(200, &["Staff member updated"]);
}

#[db_test]
async fn the_last_super_admin_stays(fixture: WebFixture) {
    let mut grace = staff(&fixture, SuperAdmin).await;
    let list = grace.get("/app/admin/members").await;
    let id = list.between("action=\"/app/admin/members/", "/role").unwrap();
    for (verb, value) in [("role", "Admin"), ("status", "inactive")] {
        let seen = grace.post(&format!("/app/admin/members/{id}/{verb}"), &[(verb, value)]).await;
        seen.says(409, &["The last Super admin cannot be removed", "Grace Hopper"]);
        let seen = grace.post(&format!("/app/admin/members/{id}/{verb}"), &[(verb, "x")]).await;
        seen.says(422, &["must be one of"]);
    }
}
