//! Certificates: a page to print for both parties, with a link that only the licensee creates.

use std::io::Read as _;

use grantor_testkit::db_test;
use http::Method;
use serde_json::json;

use super::{days, terms};
use crate::license::{Member, World, text};

/// Every link on the certificate.
fn links(pdf: &[u8]) -> Vec<String> {
    let text: String = pdf.iter().copied().map(char::from).collect();
    let fits = |it: &char| it.is_ascii_alphanumeric() || "-_/:.".contains(*it);
    let found = text.match_indices("https://grantor.test/verify");
    found.map(|(at, _)| text[at..].chars().take_while(fits).collect()).collect()
}

/// The receipt that is attached to a certificate.
fn attached(pdf: &[u8]) -> String {
    let whole: String = pdf.iter().copied().map(char::from).collect();
    let streams = whole.split("\nstream\n").skip(1).filter_map(|it| it.split("endstream").next());
    let plain = streams.map(|it| {
        let raw: Vec<u8> = it.chars().map(|it| it as u8).collect();
        let mut text = String::new();
        let read = flate2::read::ZlibDecoder::new(&*raw).read_to_string(&mut text);
        if read.is_ok() { text } else { it.to_owned() }
    });
    let receipt = plain.map(|it| it.trim().to_owned()).find(|it| it.starts_with("ey"));
    receipt.expect("an attached receipt")
}

impl World {
    /// A grant, and the path of its certificate.
    async fn certified(&self) -> String {
        let grant = self.granted(&self.public().await, terms()).await;
        format!("/grants/{}/certificate.pdf", text(&grant["id"]))
    }

    async fn shared_links(&self) -> usize {
        let query = "SELECT CAST(count(*) AS TEXT) FROM shared_receipts";
        let rows = grantor_testkit::seed::rows(&self.app.database.options, query).await;
        rows[0][0].parse().unwrap()
    }
}

#[db_test]
async fn both_parties_get_the_certificate(world: World) {
    let path = world.certified().await;
    for member in [&world.brand, &world.agency] {
        let answer = member.external(&world.app, Method::GET, &path, None).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-type"), Some("application/pdf"));
        let name = "attachment; filename=\"GR-2026-000001.pdf\"";
        assert_eq!(answer.header("content-disposition"), Some(name));
        assert!(answer.body.starts_with(b"%PDF"));
    }
    let eve = Member::join(&world.app, "eve@example.com", Some("Brand")).await;
    let refused = eve.external(&world.app, Method::GET, &path, None).await;
    assert_eq!(refused.status, 404, "{}", refused.json());
}

#[db_test]
async fn its_code_leads_to_a_link_that_the_licensee_owns(mut world: World) {
    let path = world.certified().await;
    world.pass(days(31)).await;
    let given = world.as_agency(Method::GET, &path, None).await;
    assert_eq!(links(&given.body), ["https://grantor.test/verify"], "the licensor shares nothing");
    assert_eq!(world.shared_links().await, 0);
    let held = world.as_brand(Method::GET, &path, None).await;
    let found = links(&held.body);
    let [link] = &found[..] else { panic!("one link: {found:?}") };
    let page = world.app.get(link.strip_prefix("https://grantor.test").unwrap()).await;
    let shown = String::from_utf8_lossy(&page.body).into_owned();
    assert_eq!(page.status, 200, "{shown}");
    for part in ["GR-2026-000001", "Grâce Hopper", "Brand of bea@example.com", "Winter"] {
        assert!(shown.contains(part), "{part} is missing in {shown}");
    }
    let again = world.as_brand(Method::GET, &path, None).await;
    assert_eq!(links(&again.body), found, "the same link");
    assert_eq!(world.shared_links().await, 1);
}

#[db_test]
async fn a_name_without_a_font_is_in_the_attached_receipt(world: World) {
    let renamed = json!({ "fullname": "星野うらら" });
    let path = format!("/talent/{}", world.talent);
    let made = world.agency.console(&world.app, Method::PATCH, &path, Some(renamed)).await;
    assert_eq!(made.status, 200, "{}", made.json());
    let answer = world.as_agency(Method::GET, &world.certified().await, None).await;
    assert_eq!(answer.status, 200);
    let receipt = attached(&answer.body);
    let verified = world.app.post("/receipts/verify", &json!({ "receipt": receipt })).await;
    assert_eq!(verified.json()["claims"]["talent"]["name"], "星野うらら");
}

#[db_test]
async fn who_may_only_read_creates_no_link(world: World) {
    let path = world.certified().await;
    let body = json!({
        "name": "Reader", "environment": "production", "permissions": ["license:read"],
    });
    let made =
        world.brand.console(&world.app, Method::POST, "/org/create/client", Some(body)).await;
    let pair = &made.json()["data"]["credentials"];
    let pair = json!({ "api_key": pair["clientId"], "api_secret": pair["secretKey"] });
    let token = world.app.post("/auth/token", &pair).await.json();
    let token = text(&token["data"]["access_token"]);
    let answer = world.app.request(Method::GET, &path).bearer(&token).send().await;
    assert_eq!(links(&answer.body), ["https://grantor.test/verify"]);
    assert_eq!(world.shared_links().await, 0);
}
