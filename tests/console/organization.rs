//! `/org/information`.

use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::{Home, PASSWORD, access, account, faults, refusal, refused};
use crate::license::{Member, World};

const INFORMATION: &str = "/v1.0.1/org/information";

impl Home {
    async fn inform(&self, body: Value) -> grantor_testkit::app::Answer {
        self.send(Method::PATCH, INFORMATION, Some(body)).await
    }
}

/// What a new agency shows.
pub(super) fn fresh(id: &Value) -> Value {
    json!({
        "organizationId": id, "name": "Babbage Talent", "type": "Agency",
        "basicInfo": {
            "description": "Talents", "website": null, "industry": null, "foundedYear": null,
        },
        "address": {
            "street": null, "city": null, "region": null, "postalCode": null, "country": null,
        },
        "contact": { "email": null, "phone": null, "person": null },
        "taxInfo": { "taxId": null, "vatNumber": null, "legalName": null },
        "createdAt": "2026-01-01T00:00:00.000000Z", "status": "active",
    })
}

fn told() -> Value {
    json!({
        "name": "Babbage & Sons",
        "basicInfo": {
            "description": "Talents and engines", "website": "https://babbage.example/about",
            "industry": "Entertainment", "foundedYear": 1843,
        },
        "address": {
            "street": "1 Dorset Street", "city": "London", "region": "Greater London",
            "postalCode": "W1U 4EE", "country": "GB",
        },
        "contact": {
            "email": "office@babbage.example", "phone": "+44 20 5550 0143", "person": "Ada",
        },
        "taxInfo": { "taxId": "12 345", "vatNumber": "GB123", "legalName": "Babbage Ltd" },
    })
}

#[db_test]
async fn an_organization_tells_of_itself_and_clears_it_again(home: Home) {
    let shown = home.send(Method::GET, INFORMATION, None).await.json()["data"].clone();
    let mut expected = fresh(&shown["organizationId"]);
    assert_eq!(shown, expected);
    let changed = home.inform(told()).await;
    for (name, value) in told().as_object().unwrap() {
        expected[name] = value.clone();
    }
    let message = "Organization updated";
    let body = json!({ "data": expected, "message": message, "status": "success" });
    assert_eq!((changed.whole(), changed.header("x-ignored-fields")), ((200, body), None));
    let cleared = json!({
        "address": null, "contact": { "phone": null }, "basicInfo": { "description": null },
    });
    let cleared = home.inform(cleared).await.json()["data"].clone();
    expected["address"] = fresh(&Value::Null)["address"].clone();
    expected["contact"]["phone"] = Value::Null;
    expected["basicInfo"]["description"] = Value::Null;
    assert_eq!(cleared, expected);
    assert_eq!(home.send(Method::GET, INFORMATION, None).await.json()["data"], expected);
}

#[db_test]
async fn every_fault_is_named_and_nothing_is_changed(home: Home) {
    let wrong = json!({
        "name": "x", "basicInfo": { "website": "babbage", "foundedYear": "1843" },
        "address": { "country": "GBR", "street": 1 }, "contact": { "email": "x", "phone": "1" },
        "taxInfo": "none",
    });
    let (status, details) = faults(&home.inform(wrong).await);
    let web = "must be a URL such as https://example.com with at most 200 characters";
    assert_eq!(status, 400);
    let email = details["contact.email"].clone();
    assert!(email.is_string());
    let expected = json!({
        "name": "must be 2 to 100 characters",
        "basicInfo.website": web,
        "basicInfo.foundedYear": "must be a year from 1000 to 9999",
        "address.country": "must be an ISO 3166-1 alpha-2 code such as US",
        "address.street": "must be a string",
        "contact.email": email,
        "contact.phone": "must be a phone number of 5 to 15 digits such as +1 202 555 0143",
        "taxInfo": "must be an object",
    });
    assert_eq!(details, expected);
    let shown = home.send(Method::GET, INFORMATION, None).await.json()["data"].clone();
    assert_eq!(shown, fresh(&shown["organizationId"]));
}

#[db_test]
async fn what_nobody_can_write_is_ignored_by_name(home: Home) {
    let body = json!({ "plan": "Pro", "type": "Brand", "address": { "planet": "Mars" } });
    let changed = home.inform(body).await;
    assert_eq!(changed.header("x-ignored-fields"), Some("plan, type, address.planet"));
    assert_eq!((changed.status.as_u16(), &changed.json()["data"]["type"]), (200, &json!("Agency")));
}

#[db_test]
async fn a_name_stays_unique_among_organizations(home: Home) {
    account(&home.app, "eve@example.com", "Navy").await;
    let taken = home.inform(json!({ "name": "NAVY" })).await;
    let message = "An organization with this name already exists";
    assert_eq!(taken.whole(), (409, refused("RESOURCE_EXISTS", message)));
    let own = home.inform(json!({ "name": "BABBAGE talent" })).await;
    assert_eq!((own.status.as_u16(), &own.json()["data"]["name"]), (200, &json!("BABBAGE talent")));
    assert_eq!(home.inform(json!({ "name": "Lovelace" })).await.status, 200);
    let eve = access(&home.app.sign_in("eve@example.com", PASSWORD).await);
    let body = Some(json!({ "name": "Babbage Talent" }));
    let freed = home.send_as(&eve, Method::PATCH, INFORMATION, body).await;
    assert_eq!(freed.status, 200, "a name that was given up is free");
}

#[db_test]
async fn only_who_manages_the_organization_changes_it(home: Home) {
    for role in ["Organization_User", "Team_Lead", "Team_Member"] {
        let team = home.team(role).await;
        let token = home.join(&team, &format!("{role}@example.com"), role).await.1;
        let body = Some(json!({ "name": "Mine" }));
        let answer = home.send_as(&token, Method::PATCH, INFORMATION, body).await;
        let message = format!("The role {role} does not allow you to manage the organization");
        assert_eq!(answer.whole(), (403, refused("INSUFFICIENT_PERMISSIONS", &message)));
        let read = home.send_as(&token, Method::GET, INFORMATION, None).await;
        assert_eq!(read.status, 200, "{role} reads");
    }
    let person = Member::join(&home.app, "self@example.com", None).await;
    let body = Some(json!({ "contact": { "phone": "+1 202 555 0143" } }));
    let own = person.console(&home.app, Method::PATCH, "/org/information", body).await;
    assert_eq!(own.json()["data"]["contact"]["phone"], "+1 202 555 0143");
    let nobody = home.app.request(Method::PATCH, INFORMATION).json(&json!({})).send().await;
    assert_eq!(refusal(&nobody), (401, "UNAUTHORIZED".to_owned()));
}

#[db_test]
async fn licenses_show_the_new_name_at_once(world: World) {
    let id = world.license(json!({ "status": "public" })).await;
    world.grant(&id, "viewer").await;
    let path = format!("/licenses/{id}");
    let before = world.get(&path).await;
    let body = Some(json!({ "name": "Babbage & Sons" }));
    world.agency.console(&world.app, Method::PATCH, "/org/information", body).await;
    let after = world.get(&path).await;
    assert_ne!(before.header("etag"), after.header("etag"));
    let brand = world.brand.external(&world.app, Method::GET, "/licenses", None).await.json();
    let catalog = world.app.get("/metadata").await.json();
    for owner in [&after.json()["owner"], &brand["data"][0]["owner"], &catalog["data"][0]["owner"]]
    {
        assert_eq!(owner["name"], "Babbage & Sons");
    }
    let changed = world.patch(&id, json!({ "title": "Summer" })).await.json();
    assert_eq!(changed["version"], after.json()["version"].as_u64().unwrap() + 1);
}
