//! The catalog: what everybody may see, and nothing more.

use grantor_testkit::db_test;
use serde_json::{Value, json};

use super::kit::{Browser, WebFixture};
use super::license::{license, talent};
use crate::picture::png;

#[db_test]
async fn everybody_reads_what_is_public(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let more = [
        ("name", "Winter"),
        ("status", "public"),
        ("description", "Coats"),
        ("externalId", "W-1"),
        ("terms", "{\"inner\": 1}"),
        ("territories", "WORLD"),
    ];
    let id = license(&mut ada, &more).await;
    license(&mut ada, &[("name", "Hidden"), ("status", "private")]).await;
    let mut guest = fixture.browser();
    let seen = guest.get("/app/catalog").await;
    seen.says(200, &["Winter", "Coats", "Grace Hopper", "Babbage Talent", "Worldwide", "Sign in"]);
    seen.hides("Hidden");
    let seen = guest.get(&seen.link(&format!("/app/catalog/{id}"))).await;
    seen.says(200, &["Winter", "Advertising"]).hides("W-1").hides("inner").hides("/objects/");
    seen.hides("<h2>Winter</h2>");
    seen.says(200, &[&format!("For developers License ID {id}")]);
    ada.get("/app/catalog").await.says(200, &["Winter", "Sign out"]);
}

#[db_test]
async fn the_catalog_is_searched(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    fixture.browser().get("/app/catalog").await.says(200, &["No public licenses yet"]);
    license(&mut ada, &[("name", "Winter"), ("status", "public")]).await;
    license(&mut ada, &[("name", "Summer"), ("status", "public")]).await;
    let mut guest = fixture.browser();
    guest.get("/app/catalog?search=win*&sort=title").await.says(200, &["Winter"]).hides("Summer");
    guest.get("/app/catalog?type=voice").await.says(200, &["No licenses found"]);
    guest.get("/app/catalog?type=odd&limit=999").await.says(400, &["Type must", "Limit must"]);
}

#[db_test]
async fn what_is_not_public_is_not_there(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    for status in ["draft", "private"] {
        let id = license(&mut ada, &[("name", "Hidden"), ("status", status)]).await;
        let seen = fixture.browser().get(&format!("/app/catalog/{id}")).await;
        seen.says(404, &["Page not found"]).hides("Hidden");
    }
    fixture.browser().get("/app/catalog/odd").await.says(404, &["Page not found"]);
}

/// Sends the form of the catalog picture with this file.
pub(super) async fn upload(browser: &mut Browser<'_>, license: &str, file: &[u8]) {
    let seen = browser.upload(&picture_path(license), &[], &[file]).await;
    assert_eq!(seen.status, 303, "{}", seen.text);
}

fn picture_path(license: &str) -> String {
    format!("/app/licenses/{license}/catalog-picture")
}

#[db_test]
async fn a_card_shows_the_picture_or_initials(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let more = [("name", "Winter"), ("status", "public"), ("uses", "voice"), ("territories", "DE")];
    let id = license(&mut ada, &more).await;
    let mut guest = fixture.browser();
    let seen = guest.get("/app/catalog").await;
    seen.says(200, &["GH", "Uses Voice", "Where Germany", "Price on request"]);
    seen.says(200, &["Request this license"]).hides("/app/catalog/pictures/");
    assert_eq!(seen.link("/app/requests/new"), format!("/app/requests/new?license={id}"));
    ada.get("/app/catalog").await.says(200, &["Winter"]).hides("Request this license");

    upload(&mut ada, &id, &png(600, 400)).await;
    let seen = guest.get("/app/catalog").await;
    let card = seen.between("<img src=\"/app/catalog/pictures/", "\"").expect("a picture");
    assert!(card.ends_with("/card.jpg"), "{card}");
    seen.hides("class=\"initials\"").hides("/objects/");
    let shown = fixture.app.get(&format!("/app/catalog/pictures/{card}")).await;
    assert_eq!((shown.status.as_u16(), shown.header("content-type")), (200, Some("image/jpeg")));
    let seen = guest.get(&format!("/app/catalog/{id}")).await;
    let full = format!("/app/catalog/pictures/{}", card.replace("card.jpg", "full.jpg"));
    assert!(seen.page.contains(&format!("src=\"{full}\"")), "{}", seen.page);
}

#[db_test]
async fn the_first_pictures_are_loaded_at_once(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    for name in ["One", "Two", "Three", "Four", "Five"] {
        let id = license(&mut ada, &[("name", name), ("status", "public")]).await;
        upload(&mut ada, &id, &png(60, 40)).await;
    }
    let seen = fixture.browser().get("/app/catalog").await;
    let pictures: Vec<_> = seen.page.split("<img src=\"/app/catalog/pictures/").skip(1).collect();
    assert_eq!(pictures.len(), 5, "{}", seen.page);
    for (place, picture) in pictures.iter().enumerate() {
        let tag = picture.split('>').next().unwrap();
        assert!(tag.contains("width=\"60\" height=\"40\""), "{tag}");
        assert_eq!(tag.contains("loading=\"eager\""), place < 4, "{tag}");
        assert_eq!(tag.contains("loading=\"lazy\""), place == 4, "{tag}");
        assert_eq!(tag.contains("fetchpriority=\"high\""), place == 0, "{tag}");
    }
}

#[db_test]
async fn an_owner_picks_a_reference_image_or_uploads_a_picture(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = license(&mut ada, &[("name", "Winter"), ("status", "private")]).await;
    let page = format!("/app/licenses/{id}");
    ada.get(&page).await.says(200, &["Catalog picture", "No picture yet.", "Upload a picture"]);
    let seen = ada.upload(&picture_path(&id), &[], &[]).await;
    let required = "Is required, unless you choose a reference image.";
    seen.says(422, &["No picture yet."]).refuses("image", required);
    let added = ada.upload(&format!("{page}/images"), &[], &[&png(64, 48)]).await;
    assert_eq!(added.status, 303, "{}", added.text);
    let seen = ada.get(&page).await;
    let image = seen.between("name=\"imageId\" value=\"", "\"").expect("a choice");
    let choice = [("imageId", image.as_str())];
    let both = ada.upload(&picture_path(&id), &choice, &[&png(4, 4)]).await;
    both.says(422, &[]).refuses("image", "Must be empty if you choose a reference image.");
    let chosen = ada.upload(&picture_path(&id), &choice, &[]).await;
    assert_eq!(chosen.location.as_deref(), Some(page.as_str()));
    let seen = ada.get(&page).await;
    seen.says(200, &["Catalog picture set", "once the license is public", "Replace picture"]);
    assert!(seen.page.contains("alt=\"Catalog picture, 64 × 48\""), "{}", seen.page);
    let preview = ada.get(&format!("{page}/preview")).await;
    assert!(preview.page.contains("src=\"/objects/catalog_pictures/"), "{}", preview.page);
    let seen = ada.follow(&format!("{}/remove", picture_path(&id)), &[]).await;
    seen.says(200, &["Catalog picture removed", "No picture yet."]);
    let mut stranger = fixture.stranger().await;
    let refused = stranger.upload(&picture_path(&id), &[], &[&png(4, 4)]).await;
    assert_eq!(refused.status, 404, "{}", refused.text);
}

#[db_test]
async fn talents_and_owners_with_public_licenses_have_a_page(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = license(&mut ada, &[("name", "Winter"), ("status", "public")]).await;
    license(&mut ada, &[("name", "Hidden"), ("status", "private")]).await;
    let mut guest = fixture.browser();
    let seen = guest.get("/app/catalog").await;
    let [talent, owner] = ["talents", "owners"].map(|it| seen.link(&format!("/app/catalog/{it}/")));
    assert_eq!(talent, "/app/catalog/talents/grace-hopper");
    assert_eq!(owner, "/app/catalog/owners/babbage-talent");
    for (path, name) in [(&talent, "Grace Hopper"), (&owner, "Babbage Talent")] {
        let seen = guest.get(path).await;
        seen.says(200, &[name, "1 public license", "Winter", "Request this license"]);
        seen.hides("Hidden");
    }
    // The talent of the private license has the same name and no page.
    for path in ["/app/catalog/talents/grace-hopper-2", "/app/catalog/owners/nobody"] {
        guest.get(path).await.says(404, &["Page not found"]);
    }
    guest.get(&format!("{talent}?page=7")).await.says(400, &["Winter", "must be at most 1"]);
    let private = [("status", "private"), ("version", "1-public")];
    assert_eq!(ada.post(&format!("/app/licenses/{id}/status"), &private).await.status, 303);
    for path in [talent, owner] {
        guest.get(&path).await.says(404, &["Page not found"]).hides("Grace").hides("Babbage");
    }
}

#[db_test]
async fn an_old_address_of_a_page_leads_to_the_new_one(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let person = talent(&mut ada, "Grace Hopper").await;
    let form = [("talent", person.as_str()), ("type", "voice"), ("name", "Winter")];
    ada.post("/app/licenses/new", &[&form[..], &[("status", "public")]].concat()).await.made();
    let edit = format!("/app/talents/{person}/edit");
    let form = [("fullname", "Zoë Hopper"), ("status", "active")];
    assert_eq!(ada.post(&edit, &form).await.status, 303);
    let mut guest = fixture.browser();
    let seen = guest.get("/app/catalog/talents/grace-hopper").await;
    let new = "/app/catalog/talents/zoe-hopper";
    assert_eq!((seen.status, seen.location.as_deref()), (308, Some(new)));
    guest.get(new).await.says(200, &["Zoë Hopper", "Winter"]);
}

#[db_test]
async fn a_shared_link_has_a_preview(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let more = [
        ("name", "</script><b>Winter"),
        ("status", "public"),
        ("description", "Coats & hats"),
        ("appearanceFee", "250"),
        ("currency", "EUR"),
        ("feePer", "month"),
        ("territories", "DE"),
        ("externalId", "W-1"),
    ];
    let id = license(&mut ada, &more).await;
    upload(&mut ada, &id, &png(600, 400)).await;
    let seen = fixture.browser().get(&format!("/app/catalog/{id}")).await;
    let url = format!("https://grantor.test/app/catalog/{id}");
    let meta = |name: &str| seen.between(&format!("\"{name}\" content=\""), "\"").expect("a tag");
    assert_eq!(meta("og:title"), "&lt;/script&gt;&lt;b&gt;Winter · Grace Hopper");
    assert_eq!([meta("description"), meta("og:description")], ["Coats &amp; hats"; 2]);
    assert_eq!([meta("og:url"), meta("twitter:card")], [url.as_str(), "summary_large_image"]);
    assert_eq!(seen.between("rel=\"canonical\" href=\"", "\"").as_deref(), Some(url.as_str()));
    let image = meta("og:image");
    assert!(image.starts_with("https://grantor.test/app/catalog/pictures/"), "{image}");
    assert_eq!([meta("og:image:width"), meta("og:image:height")], ["600", "400"]);
    let data = seen.between("<script type=\"application/ld+json\">", "</script>").expect("data");
    let data: Value = serde_json::from_str(&data).unwrap();
    let talent = "https://grantor.test/app/catalog/talents/grace-hopper";
    let owner = "https://grantor.test/app/catalog/owners/babbage-talent";
    let expected = json!({
        "@context": "https://schema.org", "@type": "Offer", "@id": url, "url": url,
        "name": "</script><b>Winter", "description": "Coats & hats", "category": "Advertising",
        "businessFunction": "http://purl.org/goodrelations/v1#LeaseOut",
        "availability": "https://schema.org/InStock",
        "image": {
            "@type": "ImageObject", "contentUrl": image, "license": url,
            "acquireLicensePage": url, "creditText": "Babbage Talent",
        },
        "itemOffered": {
            "@type": "CreativeWork", "name": "</script><b>Winter",
            "about": { "@type": "Person", "name": "Grace Hopper", "url": talent },
            "license": url, "acquireLicensePage": url,
            "usageInfo": {
                "@type": "CreativeWork",
                "url": format!("https://grantor.test/metadata/{id}?format=text"),
                "abstract": "Not expressed by schema.org: which uses are covered, that the \
                    licensor must agree first, exclusivity, channels, further terms, and grants \
                    that exist already.",
            },
        },
        "seller": { "@type": "Organization", "name": "Babbage Talent", "url": owner },
        "price": "250.00", "priceCurrency": "EUR",
        "priceSpecification": {
            "@type": "UnitPriceSpecification", "price": "250.00", "priceCurrency": "EUR",
            "unitText": "month",
        },
        "eligibleRegion": ["DE"],
    });
    assert_eq!(data, expected);
    let seen = fixture.browser().get("/app/catalog?search=coats").await;
    let url = "https://grantor.test/app/catalog";
    assert_eq!(seen.between("rel=\"canonical\" href=\"", "\"").as_deref(), Some(url));
}
