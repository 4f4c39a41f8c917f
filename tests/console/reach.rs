//! How far the rights of a `Team_Lead` reach: to the talents of their own teams and to licenses over
//! them, on both APIs. Reading reaches everywhere in the organization.

use grantor_testkit::app::Answer;
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{faults, refused};
use crate::license::{Member, World, text};

/// An agency with two teams and a talent with a license in each, and one of neither. Ada is in the
/// first team alone.
struct Teams {
    world: World,
    one: String,
    two: String,
    /// Talent and license: of the first team, of the second, of none.
    records: [(String, String); 3],
}

impl Fixture for Teams {
    async fn on(engine: Engine) -> Self {
        let world = World::on(engine).await;
        let [one, two] = [make_team(&world, "One").await, make_team(&world, "Two").await];
        let records = [
            record(&world, Some(&one)).await,
            record(&world, Some(&two)).await,
            record(&world, None).await,
        ];
        let script = "DELETE FROM team_members WHERE team_id IN
            (SELECT team_id FROM teams WHERE name = 'Two')";
        seed::run(&world.app.database.options, script.to_owned()).await;
        Self { world, one, two, records }
    }
}

async fn make_team(world: &World, name: &str) -> String {
    let body = Some(json!({ "name": name }));
    let made = world.agency.console(&world.app, Method::POST, "/org/create/team", body).await;
    text(&made.json()["data"]["teamId"])
}

async fn record(world: &World, team: Option<&str>) -> (String, String) {
    let body = Some(json!({ "fullname": "Hedy Lamarr", "teamId": team }));
    let made = world.agency.console(&world.app, Method::POST, "/org/talent", body).await.json();
    assert_eq!(made["data"]["teamId"], json!(team));
    let talent = text(&made["data"]["talentId"]);
    let path = format!("/org/talent/license/{talent}");
    let body = Some(json!({ "name": "Winter", "type": "voice", "status": "private" }));
    let made = world.agency.console(&world.app, Method::POST, &path, body).await;
    (talent, text(&made.json()["data"]["licenseId"]))
}

impl Teams {
    async fn become_role(&self, role: &str) {
        self.world.become_role(&self.world.agency, role).await;
    }

    async fn console(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        self.world.agency.console(&self.world.app, method, path, body).await
    }

    /// Everything that changes a talent or a license over them, each with how it is refused.
    async fn try_all(&self, talent: &str, license: &str) -> Vec<(&'static str, Option<String>)> {
        let image = "0190a5e4-7b3c-7def-8123-456789abcdef";
        let grantee = json!({ "organizationId": self.world.brand.organization });
        let new = json!({ "name": "Summer", "type": "voice" });
        let operations = [
            ("PATCH talent", Method::PATCH, format!("/talent/{talent}"), json!({ "bio": "x" })),
            (
                "invite",
                Method::POST,
                "/org/invite/talent".to_owned(),
                json!({
                    "talentId": talent, "email": "hedy@example.com",
                }),
            ),
            ("POST license", Method::POST, format!("/org/talent/license/{talent}"), new),
            ("PATCH license", Method::PATCH, format!("/org/license/{license}"), json!({})),
            (
                "grant",
                Method::POST,
                format!("/org/license/{license}/permissions"),
                json!({
                    "grantee": grantee, "role": "viewer",
                }),
            ),
            (
                "revoke",
                Method::DELETE,
                format!("/org/license/{license}/permissions/{image}"),
                json!({}),
            ),
            (
                "image",
                Method::DELETE,
                format!("/org/talent/license/{license}/image/{image}"),
                json!({}),
            ),
        ];
        let mut outcomes = Vec::new();
        for (name, method, path, body) in operations {
            let answer = self.console(method, &path, Some(body)).await;
            outcomes.push((name, forbidden(&answer)));
        }
        let path = format!("/licenses/{license}");
        let body = Some(json!({ "description": "x" }));
        let outside = self.world.agency.external(&self.world.app, Method::PATCH, &path, body).await;
        outcomes.push(("external PATCH", forbidden(&outside)));
        outcomes
    }
}

/// The code of a 403.
fn forbidden(answer: &Answer) -> Option<String> {
    (answer.status == 403).then(|| text(&answer.json()["error"]["code"]))
}

#[db_test]
async fn each_role_reaches_as_far_as_it_may(teams: Teams) {
    for (role, expected) in [
        ("Organization_Admin", [None; 3]),
        ("Organization_User", [None; 3]),
        ("Team_Lead", [None, Some("ACCESS_DENIED"), Some("ACCESS_DENIED")]),
        ("Team_Member", [Some("INSUFFICIENT_PERMISSIONS"); 3]),
    ] {
        teams.become_role(role).await;
        for ((talent, license), expected) in teams.records.iter().zip(expected) {
            for (name, outcome) in teams.try_all(talent, license).await {
                assert_eq!(outcome.as_deref(), expected, "{role}: {name}");
            }
            for path in [format!("/talent/{talent}"), "/org/licenses".to_owned()] {
                let read = teams.console(Method::GET, &path, None).await;
                assert_eq!(read.status, 200, "{role} reads {path}");
            }
            let read = teams.world.get(&format!("/licenses/{license}")).await;
            assert_eq!(read.status, 200, "{role} reads outside");
        }
    }
}

#[db_test]
async fn a_refusal_says_why(teams: Teams) {
    teams.become_role("Team_Lead").await;
    let path = format!("/talent/{}", teams.records[1].0);
    let answer = teams.console(Method::PATCH, &path, Some(json!({ "bio": "x" }))).await;
    let message = "This record doesn't belong to one of your teams";
    assert_eq!(answer.whole(), (403, refused("ACCESS_DENIED", message)));
}

#[db_test]
async fn a_lead_deletes_within_their_own_teams(teams: Teams) {
    teams.become_role("Team_Lead").await;
    for ((_, license), status) in teams.records.iter().zip([204, 403, 403]) {
        let path = format!("/org/license/{license}");
        assert_eq!(teams.console(Method::DELETE, &path, None).await.status.as_u16(), status);
    }
}

#[db_test]
async fn a_lead_of_one_team_need_not_name_it(teams: Teams) {
    teams.become_role("Team_Lead").await;
    for (path, id) in [("/org/talent", "talentId"), ("/org/invite/talent", "talentId")] {
        let body = json!({ "fullname": "Joan Clarke", "email": "joan@example.com" });
        let made = teams.console(Method::POST, path, Some(body)).await.json();
        let path = format!("/talent/{}", text(&made["data"][id]));
        let shown = teams.console(Method::GET, &path, None).await.json();
        assert_eq!(shown["data"]["teamId"], teams.one.as_str());
    }
    let two = json!({ "fullname": "Joan Clarke", "teamId": teams.two });
    let beyond = teams.console(Method::POST, "/org/talent", Some(two)).await;
    assert_eq!(forbidden(&beyond).as_deref(), Some("ACCESS_DENIED"));
}

#[db_test]
async fn a_lead_of_several_names_one_and_one_of_none_reaches_nothing(teams: Teams) {
    let both = make_team(&teams.world, "Three").await;
    teams.become_role("Team_Lead").await;
    let new = |team: Option<&str>| Some(json!({ "fullname": "Joan Clarke", "teamId": team }));
    let answer = teams.console(Method::POST, "/org/talent", new(None)).await;
    let message = "is required because you are in several teams";
    assert_eq!(faults(&answer), (400, json!({ "teamId": message })));
    let named = teams.console(Method::POST, "/org/talent", new(Some(&both))).await;
    assert_eq!(named.json()["data"]["teamId"], both.as_str());
    seed::run(&teams.world.app.database.options, "DELETE FROM team_members".to_owned()).await;
    let answer = teams.console(Method::POST, "/org/talent", new(None)).await;
    assert_eq!(forbidden(&answer).as_deref(), Some("ACCESS_DENIED"));
}

#[db_test]
async fn a_talent_moves_between_teams_of_the_organization(teams: Teams) {
    let path = format!("/talent/{}", teams.records[0].0);
    let foreign = json!({ "name": "Foreign" });
    let brand = &teams.world.brand;
    let foreign = brand.console(&teams.world.app, Method::POST, "/org/create/team", Some(foreign));
    let foreign = text(&foreign.await.json()["data"]["teamId"]);
    let patch = |team: Value| teams.console(Method::PATCH, &path, Some(json!({ "teamId": team })));
    let unknown = patch(json!(foreign)).await;
    assert_eq!(unknown.whole(), (404, refused("NOT_FOUND", "Team not found")));
    let answer = patch(json!("x")).await;
    assert_eq!(faults(&answer).0, 400);
    for team in [json!(teams.two), json!(null), json!(teams.one)] {
        assert_eq!(patch(team.clone()).await.json()["data"]["teamId"], team);
    }
    teams.become_role("Team_Lead").await;
    for team in [json!(teams.two), json!(null)] {
        assert_eq!(forbidden(&patch(team).await).as_deref(), Some("ACCESS_DENIED"));
    }
    assert_eq!(patch(json!(teams.one)).await.status, 200, "the control: where it is");
}

#[db_test]
async fn what_others_granted_belongs_to_no_team(teams: Teams) {
    let license = &teams.records[0].1;
    teams.world.grant(license, "licensor").await;
    teams.world.become_role(&teams.world.brand, "Team_Lead").await;
    let (path, body) = (format!("/licenses/{license}"), Some(json!({ "title": "Theirs" })));
    let edited = teams.world.brand.external(&teams.world.app, Method::PATCH, &path, body).await;
    assert_eq!(edited.status, 200, "the permission decides alone");
}

#[db_test]
async fn webhooks_are_the_whole_organizations(teams: Teams) {
    teams.become_role("Team_Lead").await;
    let body = Some(json!({ "url": "https://example.com/hook", "events": ["license.updated"] }));
    let agency: &Member = &teams.world.agency;
    let made = agency.external(&teams.world.app, Method::POST, "/webhooks", body).await;
    assert_eq!(made.status, 201, "{}", made.json());
}
