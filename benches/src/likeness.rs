//! Likeness hashes: the time to compute one, the time to find one among a million, how many copies
//! are found, and how many unrelated images match.

pub(crate) mod corpus;
pub(crate) mod recognition;

use std::hint::black_box;
use std::time::Duration;

use grantor_domain::likeness::{
    self, HashList, HashQuery, ImageHash, Luma, MIN_QUALITY, STRICT_DISTANCE, VariantHashes,
    WEAK_DISTANCE,
};
use grantor_media::Images;
use grantor_service::context::Waiter;
use image::RgbImage;

use self::corpus::{LARGE, Random, SMALL, TRANSFORMS, draw, file};
use crate::measure::{Outcome, clock, processor_time, report};

/// The number of images to copy.
const PICTURES: usize = 200;
/// The number of unrelated images.
const UNRELATED: u64 = 1_100;
/// The number of hashes in the index.
const HASHES: u32 = 1_000_000;
/// The number of searches for each distance.
const SEARCHES: usize = 100;
/// The number of hashes by which a found picture is looked up.
const VARIANTS: usize = 48;

const SUITE: &str = "images";

pub(crate) async fn run() -> Outcome {
    hashing()?;
    searching()?;
    let images = Images::new(2);
    let originals = originals(&images, PICTURES).await?;
    recall(&images, &originals).await?;
    unrelated()
}

/// A generated image.
pub(crate) struct Original {
    pub(crate) picture: RgbImage,
    pub(crate) hash: ImageHash,
}

/// The first generated images whose hash has enough quality.
pub(crate) async fn originals(images: &Images, count: usize) -> Outcome<Vec<Original>> {
    let mut originals = Vec::new();
    let mut drawn = 0;
    while originals.len() < count {
        let picture = draw(drawn, LARGE);
        drawn += 1;
        let prepared = images.prepare(file(&picture, 90)?, &Waiter::default()).await?;
        if prepared.hashed.quality >= MIN_QUALITY {
            originals.push(Original { picture, hash: prepared.hashed.hash });
        }
    }
    let text = format!("{count} of {drawn} generated images have quality {MIN_QUALITY} or more");
    report(SUITE, &text);
    Ok(originals)
}

/// Reports how many copies are within each distance of their original.
async fn recall(images: &Images, originals: &[Original]) -> Outcome {
    for (name, transform) in TRANSFORMS {
        let mut random = Random(5);
        let mut distances = Vec::new();
        for it in originals {
            let copy = file(&transform(&it.picture, &mut random), 85)?;
            distances.push(distance(&images.see(copy).await?.hashes, it.hash));
        }
        distances.sort_unstable();
        let share = |most: u32| {
            100.0 * real(distances.iter().filter(|it| **it <= most).count()) / real(distances.len())
        };
        let middle = distances[distances.len() / 2];
        let (strict, weak) = (share(STRICT_DISTANCE), share(WEAK_DISTANCE));
        report(
            SUITE,
            &format!("{name}: {strict:.1} % strict, {weak:.1} % weak, median {middle} bits"),
        );
    }
    Ok(())
}

/// Reports how many pairs of different images are within each distance, with all hash variants.
fn unrelated() -> Outcome {
    let mut hashes = Vec::new();
    let mut seen = Vec::new();
    for number in 0..UNRELATED {
        let picture = draw(1_000_000 + number, SMALL);
        let light = light(&picture);
        let luma = luma(&light, &picture)?;
        hashes.push(likeness::hash(luma));
        seen.push(likeness::variant_hashes(luma));
    }
    let worth = hashes.iter().filter(|it| it.quality >= MIN_QUALITY).count();
    let (mut pairs, mut strict, mut weak, mut least) = (0_u64, 0_u64, 0_u64, 256);
    for (at, one) in seen.iter().enumerate() {
        for (other, hashed) in hashes.iter().enumerate() {
            if at != other {
                let distance = distance(one, hashed.hash);
                pairs += 1;
                strict += u64::from(distance <= STRICT_DISTANCE);
                weak += u64::from(distance <= WEAK_DISTANCE);
                least = least.min(distance);
            }
        }
    }
    report(
        SUITE,
        &format!(
            "{pairs} pairs of unrelated images ({worth} of {UNRELATED} images with quality \
             {MIN_QUALITY} or more, all hash variants): {strict} strict matches, {weak} weak \
             matches, smallest distance {least} bits"
        ),
    );
    Ok(())
}

/// The smallest distance of all hash variants of an image.
fn distance(seen: &VariantHashes, hash: ImageHash) -> u32 {
    seen.hashes.iter().map(|it| it.distance(hash)).min().unwrap_or(256)
}

/// Reports the CPU time per megapixel, for images of the size that decoding produces.
fn hashing() -> Outcome {
    let pictures: Vec<RgbImage> = (0..40).map(|it| draw(it, LARGE)).collect();
    let pixels: u32 = pictures.iter().map(|it| it.width() * it.height()).sum();
    let lights: Vec<Vec<u8>> = pictures.iter().map(light).collect();
    for (name, work) in [
        (
            "one hash (for a reference image)",
            (|it| _ = black_box(likeness::hash(it))) as fn(Luma<'_>),
        ),
        ("all hash variants (for a scanned image)", |it| {
            _ = black_box(likeness::variant_hashes(it));
        }),
    ] {
        let before = processor_time("self")?;
        for (picture, light) in pictures.iter().zip(&lights) {
            work(luma(light, picture)?);
        }
        let took = processor_time("self")?.saturating_sub(before);
        let each = took.as_secs_f64() * 1e9 / f64::from(pixels);
        report(SUITE, &format!("{name}: {each:.2} ms per megapixel"));
    }
    Ok(())
}

/// Searches for pictures of which one hash differs in a few bits from one in the list.
fn searching() -> Outcome {
    let mut random = Random(9);
    let mut any = || ImageHash([random.next(), random.next(), random.next(), random.next()]);
    let hashes: Vec<ImageHash> = (0..HASHES).map(|_| any()).collect();
    let before = memory()?;
    let start = clock();
    let mut list = HashList::default();
    for (key, hash) in (0_u128..).zip(&hashes) {
        list.push(key.to_be_bytes(), *hash);
    }
    let (built, taken) = (start.elapsed(), (memory()? - before) / 1_024);
    report(SUITE, &format!("{HASHES} hashes: in a list after {built:.1?}, {taken} MiB"));
    for radius in [STRICT_DISTANCE, WEAK_DISTANCE] {
        let mut times: Vec<Duration> = Vec::new();
        let before = processor_time("self")?;
        for (turn, hash) in hashes.iter().step_by(hashes.len() / SEARCHES).enumerate() {
            let mut similar = *hash;
            similar.0[turn % 4] ^= 0x0101_0010_0100_0001;
            let mut seen: Vec<ImageHash> = (1..VARIANTS).map(|_| any()).collect();
            seen.push(similar);
            let start = clock();
            let found = list.find(&HashQuery::new(seen, radius)).len();
            times.push(start.elapsed());
            if found == 0 {
                return Err("a hash in the list was not found".into());
            }
        }
        // Unlike the times above, CPU time does not include other processes.
        let took = processor_time("self")?.saturating_sub(before);
        let each = took / u32::try_from(times.len())?;
        times.sort_unstable();
        let (middle, late) = (times[times.len() / 2], times[times.len() * 99 / 100]);
        report(
            SUITE,
            &format!(
                "a picture with {VARIANTS} hashes within {radius} bits: {middle:.1?} (median), \
                 {late:.1?} (p99), {each:.1?} of CPU time"
            ),
        );
    }
    Ok(())
}

fn light(picture: &RgbImage) -> Vec<u8> {
    picture.pixels().map(|it| Luma::of_rgb(it.0)).collect()
}

fn luma<'a>(light: &'a [u8], picture: &RgbImage) -> Outcome<Luma<'a>> {
    Luma::new(light, picture.width(), picture.height()).ok_or_else(|| "no pixels".into())
}

/// The resident memory of this process in KiB.
fn memory() -> Outcome<u64> {
    let text = std::fs::read_to_string("/proc/self/status")?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    Ok(line.ok_or("no VmRSS")?.trim().trim_end_matches(" kB").parse()?)
}

#[expect(clippy::cast_precision_loss, reason = "a few hundred images")]
fn real(value: usize) -> f64 {
    value as f64
}
