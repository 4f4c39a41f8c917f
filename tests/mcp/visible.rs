//! What a caller sees by a tool is what the caller sees by the API.

use grantor_domain::Entropy as _;
use grantor_testkit::db_test;
use grantor_testkit::entropy::SeededEntropy;
use http::Method;
use serde_json::{Value, json};

use super::{UNKNOWN, call};
use crate::grant::terms;
use crate::license::{Member, World, text};

const LICENSES: usize = 12;

/// Numbers below a bound, always the same ones.
struct Dice(SeededEntropy);

impl Dice {
    fn roll(&self, sides: u8) -> usize {
        let mut byte = [0];
        self.0.fill(&mut byte);
        usize::from(byte[0] % sides)
    }
}

/// Licenses of all kinds, shared with some members, and grants of some.
async fn furnish(world: &World, members: &[&Member]) -> Vec<String> {
    let dice = Dice(SeededEntropy::new(53));
    let mut licenses = vec![UNKNOWN.to_owned()];
    for number in 0..LICENSES {
        let status = ["draft", "private", "public"][dice.roll(3)];
        let name = format!("License {number}");
        let license = world.license(json!({ "status": status, "name": name })).await;
        if status != "draft" && dice.roll(2) == 0 {
            let member = members[dice.roll(2)];
            let role = ["viewer", "trustee", "licensor"][dice.roll(3)];
            let grantee = json!({ "organizationId": member.organization });
            assert_eq!(world.grant_to(&license, grantee, role).await.status, 201);
        }
        if status == "public" && dice.roll(2) == 0 {
            world.granted(&license, terms()).await;
        }
        licenses.push(license);
    }
    licenses
}

/// The answer of the API: its data, or its error.
async fn by_api(world: &World, member: &Member, (method, path, body): &ApiCall) -> Value {
    let request = world.app.request(method.clone(), path).bearer(&member.external);
    let request = request.header("x-request-id", "r-1");
    let answer = match body {
        Some(body) => request.json(body).send().await,
        None => request.send().await,
    };
    let body = answer.json();
    if answer.status.is_success() { body } else { body["error"].clone() }
}

type ApiCall = (Method, String, Option<Value>);

/// The answer of the tool: its data, or its error.
async fn by_tool(world: &World, member: &Member, tool: &str, arguments: Value) -> Value {
    let answer = call(&world.app, Some(&member.external), tool, arguments).await.json();
    let result = &answer["result"];
    match result.get("structuredContent") {
        Some(data) => data.clone(),
        None => serde_json::from_str(&text(&result["content"][0]["text"])).unwrap(),
    }
}

/// Calls of tools and of the API that must have the same result.
fn pairs(license: &str, request: &str) -> Vec<(&'static str, Value, ApiCall)> {
    let get = |path: String| (Method::GET, path, None);
    let question = json!({ "license_id": license, "use": "advertising", "territory": "US" });
    let questions = json!({ "questions": [question] });
    let with_images = json!({ "id": license, "include_images": true });
    vec![
        ("get_license", json!({ "id": license }), get(format!("/licenses/{license}"))),
        ("get_license", with_images, get(format!("/licenses/{license}?include_images=true"))),
        ("may_i", questions.clone(), (Method::POST, "/decisions".to_owned(), Some(questions))),
        (
            "list_grants",
            json!({ "license_id": license }),
            get(format!("/grants?license_id={license}")),
        ),
        ("read_offer", json!({ "id": request }), get(format!("/requests/{request}"))),
    ]
}

#[db_test]
async fn tools_show_what_the_api_shows(world: World) {
    let eve = Member::join(&world.app, "eve@example.com", Some("Brand")).await;
    let pax = Member::join(&world.app, "pax@example.com", None).await;
    let licenses = furnish(&world, &[&world.brand, &eve]).await;
    let held = world.as_brand(Method::GET, "/grants", None).await.json();
    let request = text(&held["data"][0]["request_id"]);
    let (mut same, mut seen) = (0, 0);
    for member in [&world.agency, &world.brand, &eve, &pax] {
        for license in &licenses {
            for (tool, arguments, api) in pairs(license, &request) {
                let expected = by_api(&world, member, &api).await;
                let found = by_tool(&world, member, tool, arguments).await;
                assert_eq!(found, expected, "{tool} {} {license}", member.email);
                same += 1;
                seen += usize::from(found.get("code").is_none());
            }
        }
        for (tool, path) in [("list_grants", "/grants"), ("search_catalog", "/metadata")] {
            let arguments = json!({ "page": 1, "per_page": 5 });
            let api = (Method::GET, format!("{path}?page=1&per_page=5"), None);
            let expected = by_api(&world, member, &api).await;
            assert_eq!(by_tool(&world, member, tool, arguments).await, expected);
        }
    }
    assert!(seen * 4 > same && seen < same, "{seen} of {same}: some see more than others");
}
