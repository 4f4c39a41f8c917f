//! Verdicts on what sources find, by who published it.

use grantor_testkit::{db_test, seed};
use http::Method;
use image::ImageFormat;
use image::imageops::{FilterType, flip_horizontal, resize};
use serde_json::{Value, json};

use super::{SAID, Watching, rss};
use crate::license::text;
use crate::picture::add;
use crate::sighting::picture::{drawn, encoded};
use crate::sighting::platform;
use grantor_testkit::listener::Script;

const IMAGE: &str =
    "A reference image appears on a site whose owner is not known to have a license";
const SHARED: &str = "A reference image appears on a profile whose owner is unknown. People share \
                      images there, so please check who posted it";
const NAMED: &str = "Naming somebody is not a use of their likeness by itself. Please check what \
                     the name is used for";
const OWNED: &str = "The publisher owns the talent's licenses";
const PERMITTED: &str = "The publisher has an active permission";

impl Watching {
    /// Adds a reference image to the license, and a copy of it to the site.
    async fn picture(&self) {
        let (app, token) = (&self.world().app, &self.world().agency.console);
        add(app, token, &self.license, &[&encoded(&drawn(1), ImageFormat::Png)]).await;
        let copy = resize(&flip_horizontal(&drawn(1)), 320, 224, FilterType::Triangle);
        self.put("/copy.jpg", Script::ok(&encoded(&copy, ImageFormat::Jpeg)));
    }

    /// The verdict and the reason at a URL.
    async fn verdict(&self, url: &str) -> [String; 2] {
        let found = self.mentions().await;
        let mention = found.iter().find(|it| it["url"] == url);
        let mention = mention.unwrap_or_else(|| panic!("nothing at {url}: {found:?}"));
        ["verdict", "verdict_reason"].map(|it| text(&mention[it]))
    }

    async fn rescan(&self, id: &str) {
        let asked = self.scan_now(id).await;
        assert!(asked.status.is_success(), "{}", asked.json());
        assert_eq!(self.scan().await, 1);
    }
}

#[db_test]
async fn on_a_site_of_its_own_an_image_is_a_use_and_a_name_is_not(site: Watching) {
    site.picture().await;
    site.put_text("/feed", &rss(&[("/1", SAID, Some("/copy.jpg")), ("/2", SAID, None)]));
    let id = site.source(&site.site.url("/feed"), json!({})).await;
    assert_eq!(site.scan().await, 1);
    let (pictured, named) = (site.site.url("/1"), site.site.url("/2"));
    assert_eq!(site.verdict(&pictured).await, ["unlicensed", IMAGE]);
    assert_eq!(site.verdict(&named).await, ["needs_review", NAMED]);
    // The agency proves that the site is its own.
    let domain = format!("127.0.0.1:{}", site.site.port());
    platform(site.world(), &site.world().agency, &domain).await;
    let proved = format!(
        "UPDATE platforms SET status = 'verified', verification_method = 'dns', verified_at = 1
         WHERE domain = '{domain}'"
    );
    seed::run(&site.world().app.database.options, proved).await;
    site.rescan(&id).await;
    for url in [pictured, named] {
        assert_eq!(site.verdict(&url).await, ["licensed", OWNED]);
    }
    let told = ["mention.created", "mention.created", "mention.updated", "mention.updated"];
    assert_eq!(site.watch.told().await, told);
}

#[db_test]
async fn a_hosted_profile_is_its_owners(site: Watching) {
    site.picture().await;
    let profile = site.neighbor("/@ada");
    site.put_text("/@ada.rss", &rss(&[("/@ada/1", "Look", Some("/copy.jpg"))]));
    site.put_text("/@ada", "<head><meta name=description content='Ada'></head>");
    let id = site.source(&profile, json!({})).await;
    assert_eq!(site.scan().await, 1);
    let post = site.neighbor("/@ada/1");
    assert_eq!(site.verdict(&post).await, ["needs_review", SHARED]);
    // The brand proves the profile, and the agency gives it a permission.
    let brand = async |what: &str, body: Option<Value>| {
        let world = site.world();
        let answer = world.brand.external(&world.app, Method::POST, what, body).await;
        (answer.status.as_u16(), answer.json())
    };
    let (status, claimed) = brand("/profiles", Some(json!({ "url": profile }))).await;
    assert_eq!(status, 201, "{claimed}");
    let verify = format!("/profiles/{}/verify", text(&claimed["id"]));
    let (status, unproved) = brand(&verify, None).await;
    assert_eq!(status, 409, "{unproved}");
    let page =
        format!("<head><meta name=description content='Ada {}'></head>", text(&claimed["code"]));
    site.put_text("/@ada", &page);
    let (status, proved) = brand(&verify, None).await;
    assert_eq!(status, 200, "{proved}");
    let granted = site.world().grant(&site.license, "viewer").await;
    assert_eq!(granted.status, 201, "{}", granted.json());
    site.rescan(&id).await;
    assert_eq!(site.verdict(&post).await, ["licensed", PERMITTED]);
}

#[db_test]
async fn the_description_of_an_image_names_people_too(site: Watching) {
    site.put_text(
        "/page",
        "<!doctype html><meta charset=utf-8><title>Gallery</title><p>Look</p>
         <img src='/a.png' alt='Grâce Hopper'>",
    );
    site.source(&site.site.url("/page"), json!({})).await;
    assert_eq!(site.scan().await, 1);
    let found = site.mentions().await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(text(&found[0]["excerpt"]).contains("Grâce Hopper"), "{found:?}");
}
