//! `/app/teams`.

use grantor_testkit::db_test;

use super::kit::{ADA, WebFixture};

#[db_test]
async fn a_team_is_made_and_deleted(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    ada.get("/app/teams").await.says(200, &["No teams yet"]);
    ada.post("/app/teams/new", &[("name", "X")]).await.says(422, &[]).holds("name", "X");
    let team = ada.post("/app/teams/new", &[("name", "Field")]).await.made();
    let taken = ada.post("/app/teams/new", &[("name", "Field")]).await;
    taken.says(409, &[]).holds("name", "Field");
    ada.get(&format!("/app/teams/{team}")).await.says(200, &["Field", "Ada Lovelace", ADA]);
    let seen = ada.follow(&format!("/app/teams/{team}/delete"), &[]).await;
    seen.says(200, &["Team deleted", "No teams yet"]);
}

#[db_test]
async fn somebody_is_invited_and_withdrawn(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let team = ada.post("/app/teams/new", &[("name", "Field")]).await.made();
    let invite = format!("/app/teams/{team}/invite");
    let bad = [("firstname", "Mary"), ("email", "no address"), ("role", "King")];
    let seen = ada.post(&invite, &bad).await;
    seen.says(422, &[]).refuses("lastname", "Is required.").holds("email", "no address");
    assert!(seen.page.contains("id=\"email-wrong\"") && seen.page.contains("id=\"role-wrong\""));
    let good = [
        ("firstname", "Mary"),
        ("lastname", "Shelley"),
        ("email", "m@example.com"),
        ("role", "Team_Lead"),
    ];
    let seen = ada.follow(&invite, &good).await;
    seen.says(200, &["Invitation sent", "Mary Shelley", "pending", "Team lead"]);
    let first = format!("action=\"/app/teams/{team}/members/");
    let ids: Vec<_> =
        seen.page.split(&first).skip(1).filter_map(|it| it.split('/').next()).collect();
    let remove = format!("/app/teams/{team}/members/{}/remove", ids[1]);
    ada.follow(&remove, &[]).await.says(200, &["Removed from the team"]).hides("Shelley");
}

#[db_test]
async fn the_last_admin_stays(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let team = ada.post("/app/teams/new", &[("name", "Field")]).await.made();
    let seen = ada.get(&format!("/app/teams/{team}")).await;
    let member = seen.link(&format!("/app/teams/{team}/members/"));
    ada.get(&member).await.says(200, &["Ada Lovelace", "Organization admin"]);
    let form = [("role", "Team_Member"), ("status", "active")];
    let last = "The last active Organization admin cannot be removed";
    ada.post(&member, &form).await.says(409, &[last]);
    ada.post(&member, &[("role", "King"), ("status", "asleep")])
        .await
        .says(422, &["Role", "Status"]);
    ada.post(&format!("{member}/remove"), &[]).await.says(409, &["Field", "Ada Lovelace"]);
    let form = [("role", "Organization_Admin"), ("status", "active")];
    ada.follow(&member, &form).await.says(200, &["Member updated"]);
}

#[db_test]
async fn others_see_nothing_of_a_team(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let team = ada.post("/app/teams/new", &[("name", "Field")]).await.made();
    let address = format!("/app/teams/{team}");
    let mut mary = fixture.stranger().await;
    mary.get(&address).await.says(404, &[]).hides("Field");
    mary.get(&format!("{address}/invite")).await.says(404, &[]);
    mary.post(&format!("{address}/delete"), &[]).await.says(404, &[]);
    let mut colleague = fixture.colleague("Organization_User").await;
    colleague.get("/app/teams").await.says(403, &["does not allow you to manage teams"]);
    colleague.post("/app/teams/new", &[("name", "Mine")]).await.says(403, &[]);
}
