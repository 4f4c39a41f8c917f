//! Pictures that tests make, and the forms they are sent in.

use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use axum::body::{Body, Bytes};
use futures_util::stream;
use grantor_domain::hex;
use grantor_testkit::app::{Answer, TestApp};
use http::Method;
use image::imageops::{FilterType, crop_imm, replace, resize};
use image::{ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};
use tokio::sync::{Notify, oneshot};

/// What a camera noted of the place, which nobody may see.
pub(crate) const PLACE: &str = "Ockham Park 51.3, -0.4";
/// What follows the end of a picture and is none.
pub(crate) const TAIL: &str = "<script>alert(1)</script>";

const BOUNDARY: &str = "----a-boundary-of-the-test";

fn encoded(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let color = |at: u32| u8::try_from(at % 256).unwrap();
    let picture = RgbImage::from_fn(width, height, |x, y| Rgb([color(x * 3), color(y * 5), 90]));
    saved(&picture, format)
}

/// A picture with much in it, another one for each number: squares of many shades.
pub(crate) fn photo(number: u32) -> RgbImage {
    RgbImage::from_fn(360, 240, |x, y| {
        let place = number * 1_000 + x / 24 * 20 + y / 24;
        let mixed = (place.wrapping_mul(0x9e37_79b9) ^ 0x5bd1_e995).wrapping_mul(0x85eb_ca6b);
        let [.., shade] = (mixed ^ (mixed >> 13)).wrapping_mul(0xc2b2_ae35).to_le_bytes();
        Rgb([shade, shade / 2 + 60, 255 - shade])
    })
}

/// A picture as a file.
pub(crate) fn saved(picture: &RgbImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

pub(crate) fn png(width: u32, height: u32) -> Vec<u8> {
    encoded(width, height, ImageFormat::Png)
}

pub(crate) fn webp(width: u32, height: u32) -> Vec<u8> {
    encoded(width, height, ImageFormat::WebP)
}

/// A JPEG with a comment of the place, and something else behind it.
pub(crate) fn jpeg(width: u32, height: u32) -> Vec<u8> {
    let plain = encoded(width, height, ImageFormat::Jpeg);
    let length = u16::try_from(PLACE.len() + 2).unwrap().to_be_bytes();
    let comment = [b"\xff\xfe", &length[..], PLACE.as_bytes()].concat();
    [&plain[..2], &comment, &plain[2..], TAIL.as_bytes()].concat()
}

/// A form of texts, then files under `images[]`, named `a.jpg`, `b.jpg` and so on.
pub(crate) fn form(texts: &[(&str, &str)], files: &[&[u8]]) -> Vec<u8> {
    let mut body = Vec::new();
    let mut part = |head: String, content: &[u8]| {
        let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; {head}\r\n\r\n");
        body.extend([head.as_bytes(), content, b"\r\n"].concat());
    };
    for (name, text) in texts {
        part(format!("name=\"{name}\""), text.as_bytes());
    }
    for (letter, file) in ('a'..='z').cycle().zip(files) {
        let head = format!("name=\"images[]\"; filename=\"{letter}.jpg\"");
        part(format!("{head}\r\nContent-Type: image/jpeg"), file);
    }
    body.extend(format!("--{BOUNDARY}--\r\n").into_bytes());
    body
}

pub(crate) fn form_type() -> String {
    format!("multipart/form-data; boundary={BOUNDARY}")
}

/// A form with a picture whose body waits: first it reports that it is being read, and it arrives
/// when it is told to.
pub(crate) fn held_form() -> (Body, oneshot::Receiver<()>, Arc<Notify>) {
    let (begun, has_begun) = oneshot::channel();
    let rest = Arc::new(Notify::new());
    let (file, go_on) = (form(&[], &[&png(4, 4)]), Arc::clone(&rest));
    let body = Body::from_stream(stream::once(async move {
        begun.send(()).unwrap();
        go_on.notified().await;
        Ok::<_, std::io::Error>(Bytes::from(file))
    }));
    (body, has_begun, rest)
}

/// Sends a form to the console.
pub(crate) async fn send_form(
    app: &TestApp,
    token: &str,
    method: Method,
    path: &str,
    body: Vec<u8>,
) -> Answer {
    // With its length, as clients send it: without one, an upload takes all the memory it might need.
    let request = app.request(method, path).console(token);
    let request = request.header("content-length", &body.len().to_string());
    request.header("content-type", &form_type()).body(body).send().await
}

/// Adds pictures to a license; gives what the answer holds.
pub(crate) async fn add(app: &TestApp, token: &str, license: &str, files: &[&[u8]]) -> Value {
    let path = format!("/v1.0.1/org/talent/license/{license}/image");
    let added = send_form(app, token, Method::PATCH, &path, form(&[], files)).await;
    assert_eq!(added.status, 200, "{}", String::from_utf8_lossy(&added.body));
    added.json()["data"].clone()
}

/// Makes a license over a talent; gives its id.
pub(crate) async fn license(app: &TestApp, token: &str, talent: &str) -> String {
    let path = format!("/v1.0.1/org/talent/license/{talent}");
    let body = json!({ "name": "Spring campaign", "type": "advertising", "status": "private" });
    let made = app.request(Method::POST, &path).console(token).json(&body).send().await;
    assert_eq!(made.status, 201, "{}", made.json());
    made.json()["data"]["licenseId"].as_str().unwrap().to_owned()
}

/// What a URL of ours opens.
pub(crate) async fn fetch(app: &TestApp, url: &str) -> Answer {
    app.get(url.strip_prefix("https://grantor.test").unwrap()).await
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex::encode(digest(&SHA256, bytes).as_ref())
}

/// A picture full of detail, another one for each number: discs and boxes of many sizes. Parts of it
/// can be told from parts of others.
pub(crate) fn scene(number: u32) -> RgbImage {
    let mut seed = u64::from(number) * 7_919 + 3;
    let mut below = |limit: u32| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((seed >> 33) % u64::from(limit)).unwrap()
    };
    let shade = |value: u32| Rgb([u8::try_from(value).unwrap(); 3]);
    // Another ground for each, too, so that they have nothing in common.
    let (across, down) = (number % 4 + 1, number % 3 + 1);
    let ground = |x: u32, y: u32| shade((x * across + y * down) % 128);
    let mut picture = RgbImage::from_fn(480, 360, ground);
    for _ in 0..260 {
        let radius = 2 + below(6) * below(6);
        let (left, top, round) = (below(480), below(360), below(2) == 0);
        let shade = shade(below(256));
        for y in top.saturating_sub(radius)..(top + radius).min(360) {
            for x in left.saturating_sub(radius)..(left + radius).min(480) {
                let (across, down) = (x.abs_diff(left), y.abs_diff(top));
                if !round || across * across + down * down < radius * radius {
                    picture.put_pixel(x, y, shade);
                }
            }
        }
    }
    picture
}

/// A quarter of a picture, from its middle.
pub(crate) fn middle(picture: &RgbImage) -> RgbImage {
    let (width, height) = picture.dimensions();
    crop_imm(picture, width / 4, height / 4, width / 2, height / 2).to_image()
}

/// A picture with others in it, each half as wide and high, with their left and top edges.
pub(crate) fn with_insets(mut picture: RgbImage, insets: &[(&RgbImage, i64, i64)]) -> RgbImage {
    for (inset, left, top) in insets {
        let (width, height) = inset.dimensions();
        let small = resize(*inset, width / 2, height / 2, FilterType::Triangle);
        replace(&mut picture, &small, *left, *top);
    }
    picture
}
