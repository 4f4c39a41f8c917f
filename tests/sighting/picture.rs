//! Pictures that go with content.

use grantor_domain::limit::Limits;
use grantor_testkit::app::{TestApp, TestConfig};
use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::{Engine, Fixture, db_test};
use image::imageops::{FilterType, flip_horizontal, resize};
use image::{ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};

use super::{Watch, item};
use crate::license::World;
use crate::picture::add;

pub(super) const PAGE: &str = "https://wire.example/1";

/// A watch whose pictures come from a site beside it.
pub(crate) struct Gallery {
    pub(crate) watch: Watch,
    pub(crate) license: String,
    pub(crate) image: Value,
    pub(super) site: Listener,
}

/// A picture of its own for each number: patches of light and dark.
pub(super) fn drawn(number: u32) -> RgbImage {
    let light = |x: u32, y: u32| {
        let patch = x / 64 * 37 + y / 64 * 101 + 1;
        (patch * patch).wrapping_mul(2_654_435_761_u32.wrapping_mul(number)).to_be_bytes()[0]
    };
    RgbImage::from_fn(640, 448, |x, y| Rgb([light(x, y); 3]))
}

pub(super) fn encoded(picture: &RgbImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// The reference image mirrored and small, another picture, no picture, and nothing.
fn answer(call: &Call) -> Script {
    match &*call.path {
        "/copy.jpg" => {
            let copy = resize(&flip_horizontal(&drawn(1)), 320, 224, FilterType::Triangle);
            Script::ok(&encoded(&copy, ImageFormat::Jpeg))
        }
        "/other.png" => Script::ok(&encoded(&drawn(5), ImageFormat::Png)),
        "/page.html" => Script::ok(b"<p>"),
        _ => Script::answer(404, b""),
    }
}

impl Fixture for Gallery {
    async fn on(engine: Engine) -> Self {
        let allowed = "127.0.0.0/8".parse().unwrap();
        let config = TestConfig { limits: Limits::off(), allowed, ..TestConfig::default() };
        let world = World::in_app(TestApp::with_config(engine, config).await).await;
        let watch = Watch::over(world).await;
        let license = watch.license(json!({})).await;
        let (app, token) = (&watch.world.app, &watch.world.agency.console);
        let reference = encoded(&drawn(1), ImageFormat::Png);
        let added = add(app, token, &license, &[&reference]).await;
        let image = added["images"][0]["imageId"].clone();
        let site = Listener::start(answer).await.unwrap();
        Self { watch, license, image, site }
    }
}

impl Gallery {
    pub(crate) async fn push(&self, path: &str, said: &str) -> Value {
        let mut pushed = item(PAGE, said);
        pushed["imageUrl"] = json!(self.site.url(path));
        let answer = self.watch.push(json!([pushed])).await;
        assert_eq!(answer.status, 201, "{}", answer.json());
        answer.json()["data"]["items"][0].clone()
    }
}

#[db_test]
async fn a_copy_of_a_reference_image_is_known(gallery: Gallery) {
    let found = gallery.push("/copy.jpg", "Look!").await;
    let mention = &found["mentions"][0];
    let by = &mention["match"];
    assert_eq!((&by["kind"], &by["term"]), (&json!("image"), &gallery.image), "{found}");
    assert!(by["distance"].as_u64().unwrap() <= 31, "{found}");
    assert_eq!(
        (&mention["mediaType"], &mention["verdict"]),
        (&json!("image"), &json!("unlicensed"))
    );
    assert_eq!(
        (&mention["excerpt"], &mention["licenseId"]),
        (&json!("Look!"), &json!(gallery.license))
    );
}

/// Whose picture it is, is known from licenses that are watched, and from no other.
#[db_test]
async fn a_picture_of_a_license_that_is_not_watched_is_nobodys(gallery: Gallery) {
    let world = &gallery.watch.world;
    world.patch(&gallery.license, json!({ "can_crawl": false })).await;
    let watched = gallery.watch.license(json!({})).await;
    assert_eq!(gallery.push("/copy.jpg", "Look!").await["mentions"], json!([]));
    world.patch(&gallery.license, json!({ "can_crawl": true })).await;
    let found = gallery.push("/copy.jpg", "Look!").await;
    assert_eq!(found["mentions"][0]["match"]["kind"], "image");
    assert_eq!(gallery.watch.mentions(&watched).await.len(), 1, "every license lists it");
}

#[db_test]
async fn another_picture_is_nobodys(gallery: Gallery) {
    let found = gallery.push("/other.png", "Look!").await;
    assert_eq!(found, json!({ "url": PAGE, "canonicalUrl": PAGE, "mentions": [] }));
}

#[db_test]
async fn a_picture_that_cannot_be_had_leaves_the_text(gallery: Gallery) {
    for (path, error) in [
        ("/none.png", "the server returned status 404"),
        ("/page.html", "must be a JPEG, PNG or WebP image"),
    ] {
        let found = gallery.push(path, "Grace Hopper").await;
        assert_eq!(found["imageError"], error);
        assert_eq!(found["mentions"][0]["match"]["kind"], "name");
    }
}

#[db_test]
async fn a_picture_of_ones_own_network_is_not_fetched(watch: Watch) {
    let site = Listener::start(answer).await.unwrap();
    watch.license(json!({})).await;
    let mut pushed = item(PAGE, "Grace Hopper");
    pushed["imageUrl"] = json!(site.url("/copy.jpg"));
    let found = watch.push(json!([pushed])).await.json()["data"]["items"][0].clone();
    assert!(found["imageError"].is_string(), "{found}");
    assert_eq!((site.connections(), &found["mentions"][0]["match"]["kind"]), (0, &json!("name")));
}
