//! Pictures that show a part of a reference image, and others that show one in a part of them.

use grantor_domain::limit::Limits;
use grantor_testkit::app::{TestApp, TestConfig};
use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::{Engine, Fixture, db_test};
use image::imageops::{crop_imm, flip_horizontal};
use image::{ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};

use super::{Watch, item};
use crate::license::{Member, World};
use crate::picture::{add, license, middle, saved, scene, with_insets};

/// A watch of a license with two reference images, and a site with pictures.
pub(crate) struct Parts {
    pub(crate) watch: Watch,
    license: String,
    images: Vec<Value>,
    site: Listener,
}

/// What is at the site: parts of the first reference image, both in a collage, and another picture.
pub(crate) fn altered(name: &str) -> Option<RgbImage> {
    let (own, other) = (scene(1), scene(9));
    Some(match name {
        "/crop.png" => middle(&own),
        "/mirror.png" => flip_horizontal(&middle(&own)),
        "/inset.png" => with_insets(other, &[(&own, 200, 100)]),
        "/collage.png" => {
            let canvas = RgbImage::from_pixel(480, 360, Rgb([200; 3]));
            let all = [own, scene(2), other, scene(10)];
            let places = [(0, 0), (240, 0), (0, 180), (240, 180)];
            let insets = all.iter().zip(places).map(|(it, (left, top))| (it, left, top));
            with_insets(canvas, &insets.collect::<Vec<_>>())
        }
        "/other.png" => other,
        _ => return None,
    })
}

fn answer(call: &Call) -> Script {
    match altered(&call.path) {
        Some(picture) => Script::ok(&saved(&picture, ImageFormat::Png)),
        None => Script::answer(404, b""),
    }
}

impl Fixture for Parts {
    async fn on(engine: Engine) -> Self {
        let allowed = "127.0.0.0/8".parse().unwrap();
        let config = TestConfig { limits: Limits::off(), allowed, ..TestConfig::default() };
        let world = World::in_app(TestApp::with_config(engine, config).await).await;
        let watch = Watch::over(world).await;
        let license = watch.license(json!({})).await;
        let files = [1, 2].map(|it| saved(&scene(it), ImageFormat::Png));
        let (app, token) = (&watch.world.app, &watch.world.agency.console);
        let added = add(app, token, &license, &[&files[0], &files[1]]).await;
        assert_eq!(added["hints"], json!([]));
        let images = added["images"].as_array().unwrap().iter().map(|it| it["imageId"].clone());
        let images = images.collect();
        Self { watch, license, images, site: Listener::start(answer).await.unwrap() }
    }
}

impl Parts {
    /// Pushes a picture on a page of its own and returns the mentions of it.
    pub(crate) async fn push(&self, path: &str) -> Vec<Value> {
        let mut pushed = item(&format!("https://wire.example{path}"), "Look!");
        pushed["imageUrl"] = json!(self.site.url(path));
        let answer = self.watch.push(json!([pushed])).await;
        assert_eq!(answer.status, 201, "{}", answer.json());
        answer.json()["data"]["items"][0]["mentions"].as_array().unwrap().clone()
    }
}

/// The corners of a rectangle, in any order, give or take a little.
fn is_around(placement: &Value, [left, top, right, bottom]: [f64; 4]) -> bool {
    let corners = placement["outline"].as_array().unwrap().iter();
    let corners = corners.map(|it| [it[0].as_f64().unwrap(), it[1].as_f64().unwrap()]);
    let near = |one: f64, other: f64| (one - other).abs() < 0.03;
    let corners: Vec<[f64; 2]> = corners.collect();
    corners.len() >= 4
        && corners.iter().all(|[x, y]| {
            (near(*x, left) || near(*x, right)) && (near(*y, top) || near(*y, bottom))
        })
}

#[db_test]
async fn a_part_is_known_in_what_is_pushed(parts: Parts) {
    let whole = [0.0, 0.0, 1.0, 1.0];
    for (path, corners, scale, mirrored) in [
        ("/crop.png", whole, 2.0, false),
        ("/mirror.png", whole, 2.0, true),
        ("/inset.png", [0.417, 0.278, 0.917, 0.778], 0.5, false),
    ] {
        let found = parts.push(path).await;
        let [mention] = found.as_slice() else { panic!("{path}: {found:?}") };
        let by = &mention["match"];
        let (method, term) = (&by["method"], &by["term"]);
        assert_eq!((method, term), (&json!("local_features"), &parts.images[0]), "{path}");
        assert_eq!((by.get("distance"), &by["kind"]), (None, &json!("image")), "{path}");
        assert!(by["confidence"].as_f64().unwrap() > 0.9, "{path}: {by}");
        let placement = &by["placement"];
        assert!(is_around(placement, corners), "{path}: {placement}");
        assert_eq!(placement["mirrored"], mirrored, "{path}");
        let near = |of: &str, value: f64, most: f64| {
            (placement[of].as_f64().unwrap() - value).abs() <= most
        };
        assert!(near("scale", scale, 0.1) && near("rotation", 0.0, 2.0), "{path}: {placement}");
        assert_eq!(mention["verdict"], "unlicensed", "{path}: the match is strong");
    }
    assert_eq!(parts.push("/other.png").await, Vec::<Value>::new());
}

#[db_test]
async fn a_part_is_known_in_a_check(parts: Parts) {
    let world = &parts.watch.world;
    for (path, matches) in
        [("/crop.png", 1), ("/mirror.png", 1), ("/inset.png", 1), ("/other.png", 0)]
    {
        let body = json!({ "image_url": parts.site.url(path) });
        let seen = world.agency.external(&world.app, http::Method::POST, "/checks", Some(body));
        let seen = seen.await.json();
        let found = seen["matches"].as_array().unwrap();
        assert_eq!(found.len(), matches, "{path}: {seen}");
        for found in found {
            assert_eq!(found["method"], "local_features", "{path}");
            assert_eq!(found["placement"]["mirrored"], path == "/mirror.png", "{path}");
            assert_eq!(found.get("region").is_some(), path == "/inset.png", "{path}: {seen}");
        }
    }
}

/// Every picture of a collage is found, not just the likeliest.
#[db_test]
async fn the_pictures_of_a_collage_are_known(parts: Parts) {
    let world = &parts.watch.world;
    let second = world.license(json!({ "status": "public" })).await;
    let file = saved(&scene(2), ImageFormat::Png);
    let added = add(&world.app, &world.agency.console, &second, &[&file]).await;
    assert_eq!(added["hints"][0]["resembles"][0]["imageId"], parts.images[1]);
    let body = json!({ "image_url": parts.site.url("/collage.png") });
    let agency = &world.agency;
    let seen = agency.external(&world.app, http::Method::POST, "/checks", Some(body)).await.json();
    let matches = seen["matches"].as_array().unwrap();
    assert_eq!(matches.len(), 2, "{seen}");
    for found in matches {
        assert_eq!((&found["method"], &found["strong"]), (&json!("local_features"), &json!(true)));
        assert!((found["placement"]["scale"].as_f64().unwrap() - 0.5).abs() < 0.05, "{found}");
        let region = &found["region"];
        assert!((region["width"].as_f64().unwrap() - 0.5).abs() < 0.05, "{found}");
        assert!(found.get("distance").is_none(), "{found}");
    }
    let mention = parts.push("/collage.png").await.remove(0);
    assert_eq!(mention["match"]["method"], "local_features");
}

/// Adds pictures to a private license of another agency, which nobody else can see.
async fn add_elsewhere(parts: &Parts, pictures: &[RgbImage]) {
    let app = &parts.watch.world.app;
    let eve = Member::join(app, "eve@example.com", Some("Agency")).await;
    let body = json!({ "fullname": "Noa Lindqvist" });
    let made = eve.console(app, http::Method::POST, "/org/talent", Some(body)).await.json();
    let license = license(app, &eve.console, made["data"]["talentId"].as_str().unwrap()).await;
    let files: Vec<_> = pictures.iter().map(|it| saved(it, ImageFormat::Png)).collect();
    for files in files.chunks(10) {
        let files: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
        add(app, &eve.console, &license, &files).await;
    }
}

/// The licenses that a check finds in the part, and the reference images in what is pushed.
async fn found_in_part(parts: &Parts) -> [Vec<Value>; 2] {
    let world = &parts.watch.world;
    let body = json!({ "image_url": parts.site.url("/crop.png") });
    let seen = world.agency.external(&world.app, http::Method::POST, "/checks", Some(body));
    let seen = seen.await.json()["matches"].as_array().unwrap().clone();
    let pushed = parts.push("/crop.png").await;
    [
        seen.iter().map(|it| it["license_id"].clone()).collect(),
        pushed.iter().map(|it| it["match"]["term"].clone()).collect(),
    ]
}

/// Only a few candidates are compared. Many images of another must not take all places.
#[db_test]
async fn many_images_of_another_hide_no_match(parts: Parts) {
    let whole = scene(1);
    let near = |it: u32| crop_imm(&whole, 60 + it, 45 + it, 380 - it, 285 - it).to_image();
    add_elsewhere(&parts, &(0..40).map(near).collect::<Vec<_>>()).await;
    let own = [vec![json!(parts.license)], vec![parts.images[0].clone()]];
    assert_eq!(found_in_part(&parts).await, own);
}

/// Whoever adds exactly the picture that is misused does not hide what it shows.
#[db_test]
async fn a_copy_that_another_has_hides_no_match(parts: Parts) {
    add_elsewhere(&parts, &[middle(&scene(1))]).await;
    let own = [vec![json!(parts.license)], vec![parts.images[0].clone()]];
    assert_eq!(found_in_part(&parts).await, own);
}

/// The evidence says where the copy shows the image, and its hash covers that.
#[db_test]
async fn the_evidence_says_where_it_was_found(parts: Parts) {
    let mention = parts.push("/inset.png").await.remove(0);
    let world = &parts.watch.world;
    let path = format!("/mentions/{}/evidence", mention["mentionId"].as_str().unwrap());
    let evidence = world.get(&path).await.json()["revisions"][0].clone();
    let by = &evidence["match"];
    assert_eq!(by["placement"], mention["match"]["placement"], "{evidence}");
    assert_eq!(by["confidence"], mention["match"]["confidence"], "{evidence}");
    assert!(by["confidence"].as_f64().unwrap() > 0.9, "{evidence}");
    assert_eq!((&by["method"], &by["distance"]), (&json!("local_features"), &Value::Null));
    assert!(evidence["picture"]["copy"].is_object(), "{evidence}");
    let mut hashed = evidence.as_object().unwrap().clone();
    hashed.insert("mention_id".to_owned(), mention["mentionId"].clone());
    assert_eq!(json!(grantor_receipt::revision_hash(&hashed).unwrap()), evidence["sha256"]);
    for (member, other) in [("/placement/rotation", json!(90)), ("/confidence", json!(0.5))] {
        let mut changed = hashed.clone();
        *changed["match"].pointer_mut(member).unwrap() = other;
        let hash = json!(grantor_receipt::revision_hash(&changed).unwrap());
        assert_ne!(hash, evidence["sha256"], "{member}");
    }
}
