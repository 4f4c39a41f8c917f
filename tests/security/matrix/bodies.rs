//! A body that works for every operation that takes one. A new operation fails the tests until it
//! has one here.

use serde_json::{Value, json};

use super::records::Records;
use super::site;

pub(in crate::security) const PASSWORD: &str = "Analytical-Engine-1843";
pub(super) const STARTER: &str = "019b76da-a800-7000-8000-000000000002";
const PRO: &str = "019b76da-a800-7000-8000-000000000003";

/// The body, for these records; the number makes names that nobody has yet.
pub(in crate::security) fn body(name: &str, of: &Records, number: u32) -> Option<Value> {
    people(name, of, number).or_else(|| things(name, of, number)).or_else(|| outside(name, of))
}

fn people(name: &str, of: &Records, number: u32) -> Option<Value> {
    let email = format!("new{number}@example.com");
    Some(match name {
        "POST /auth/switch" => json!({ "organizationId": of.id("organization") }),
        "PATCH /user/profile" => json!({ "bio": "Written writes" }),
        "PATCH /user/change/password" => {
            json!({ "password": PASSWORD, "newPassword": format!("{PASSWORD}{number}") })
        }
        "PATCH /user/notifications" => json!({ "digestHour": 9 }),
        "PATCH /user/notices" => json!({}),
        "PATCH /org/information" => json!({ "basicInfo": { "website": "https://own.example" } }),
        "POST /org/create/team" => json!({ "name": format!("Written team {number}") }),
        "POST /org/invite/team/member/{teamId}" => json!({
            "firstname": "Grace", "lastname": "Hopper", "email": email, "role": "Team_Member",
        }),
        "PATCH /org/team/{teamId}/member/{memberId}" | "PATCH /admin/member/{memberId}" => {
            json!({ "status": "active" })
        }
        // Suspending takes more than the row says; a plan does not.
        "PATCH /admin/organization/{organizationId}" => json!({ "plan": "Free" }),
        "POST /admin/member/invite" => {
            json!({ "fullname": "Grace Hopper", "email": email, "role": "Support_Admin" })
        }
        "POST /org/talent" => json!({ "fullname": "Written Talent", "teamId": of.id("team") }),
        "POST /org/invite/talent" => json!({ "talentId": of.id("talent"), "email": email }),
        "PATCH /talent/{talentId}" => json!({ "bio": "Written sings" }),
        _ => return None,
    })
}

fn things(name: &str, of: &Records, number: u32) -> Option<Value> {
    let text = json!({ "subject": "Hello", "body": "Your code:\n\n{{code}}" });
    Some(match name {
        "POST /org/create/client" => json!({ "name": "Written", "environment": "production" }),
        "PATCH /org/client/{clientId}" | "PATCH /org/chat-addresses/{chatAddressId}" => {
            json!({ "name": "Written again" })
        }
        "PATCH /org/refresh/client" => json!({ "graceSeconds": 60 }),
        "POST /org/talent/license/{talentId}" => json!({ "name": "Written", "type": "voice" }),
        "PATCH /org/license/{licenseId}" | "PATCH /org/platform/{platformId}" => {
            json!({ "description": "Written" })
        }
        "POST /org/license/{licenseId}/permissions" => {
            json!({ "grantee": { "userEmail": "grantee@example.com" }, "role": "viewer" })
        }
        "PUT /org/license/{licenseId}/catalog-picture" => json!({ "imageId": of.id("image") }),
        "POST /console/logs/export" => json!({ "format": "json" }),
        "POST /mail/create/template" => {
            json!({ "name": "password_reset", "subject": "Hello", "body": "{{code}} {{link}}" })
        }
        "POST /mail/preview/template" => {
            json!({ "name": "registration", "subject": "Hello", "body": "{{code}}" })
        }
        "PUT /mail/template/{templateId}" => text,
        "POST /org/subscribe" => json!({ "subscriptionId": PRO, "cardId": of.id("card") }),
        "POST /org/card" => json!({ "token": "tok_visa" }),
        "POST /org/chat-addresses" => json!({
            "name": "Written", "url": format!("https://chat.example/own{number}"),
            "kinds": ["request"],
        }),
        "PATCH /org/letter-templates/takedown" | "PATCH /org/letter-templates/license_offer" => {
            json!({ "subject": "Written" })
        }
        "POST /org/create/platform" => json!({
            "name": "Written", "teamId": of.id("team"), "type": "News Media",
            "domain": format!("own{number}.example"),
        }),
        "POST /console/pax" => {
            json!({ "platformId": of.id("platform"), "name": "Written", "scopes": ["read"] })
        }
        "POST /console/pax/{paxId}/content" => {
            json!({ "items": [{ "url": "https://own.example/1", "title": "x", "text": "y" }] })
        }
        "POST /sources" => json!({
            "url": format!("{}/{number}", site::origin()), "talents": [of.id("talent")],
        }),
        "POST /profiles" => json!({ "url": "https://written.substack.com/" }),
        "POST /pax/pod" => {
            json!({ "platform": { "platformId": of.id("platform") }, "scopes": ["crawl"] })
        }
        _ => return None,
    })
}

fn outside(name: &str, of: &Records) -> Option<Value> {
    Some(match name {
        "PATCH /licenses/{id}" | "PATCH /webhooks/{id}" => json!({ "description": "Written" }),
        "PATCH /mentions/{id}" => json!({ "status": "confirmed" }),
        "POST /mentions/{id}/case" => json!({}),
        "PATCH /mentions/{id}/case" => json!({ "status": "answered" }),
        "POST /mentions/{id}/case/comments" => json!({ "text": "Written" }),
        "POST /mentions/{id}/case/letter" => json!({
            "to": "publisher@example.com", "subject": "Written", "text": "Written",
        }),
        "PATCH /sources/{id}" => json!({ "name": "Written" }),
        "POST /bookmarks" => json!({ "target_type": "license", "target_id": of.id("license") }),
        "POST /webhooks" => json!({ "url": "https://hooks.example/own" }),
        "POST /requests" => json!({
            "license_id": of.id("license"), "uses": ["voice"], "territories": ["US"],
            "starts_at": "2026-02-01T00:00:00Z", "purpose": "Written",
        }),
        "POST /requests/{id}/messages" => json!({ "message": "Written" }),
        "POST /requests/{id}/decline" | "POST /grants/{id}/revoke" => {
            json!({ "reason": "Written" })
        }
        "POST /requests/{id}/offer" => json!({ "terms": terms() }),
        "POST /requests/{id}/accept" => {
            json!({ "terms_hash": format!("sha256:{}", "A".repeat(43)) })
        }
        "POST /licenses/{id}/offers" => json!({
            "licensee": { "email": "someone@example.com" }, "terms": terms(),
        }),
        "POST /checks" => json!({ "text": "Written by nobody" }),
        "POST /decisions" => json!({ "questions": [
            { "license_id": of.id("license"), "use": "voice", "territory": "US" },
        ] }),
        "POST /probe/wish" => json!({ "note": "More" }),
        "POST /webhooks/{id}/replay" => json!({ "since": "2025-12-31T00:00:00Z" }),
        _ => return None,
    })
}

fn terms() -> Value {
    json!({ "uses": ["voice"], "territories": ["US"], "starts_at": "2026-02-01T00:00:00Z" })
}
