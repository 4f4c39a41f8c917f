//! Images known by what they look like: how long a hash takes, how long it takes to find one among
//! a million, which copies are found and what is found that should not be.

mod corpus;

use std::hint::black_box;
use std::time::Duration;

use grantor_domain::likeness::{
    self, HashIndex, ImageHash, Luma, MIN_QUALITY, STRICT_DISTANCE, Seen, WEAK_DISTANCE,
};
use grantor_service::context::Waiter;
use grantor_service::image::Images;
use image::RgbImage;

use self::corpus::{LARGE, Random, SMALL, TRANSFORMS, draw, file};
use crate::measure::{Outcome, clock, processor_time, say};

/// Pictures that are copied.
const PICTURES: u64 = 200;
/// Pictures that have nothing to do with each other.
const STRANGERS: u64 = 1_100;
/// Hashes that are looked through.
const HASHES: u32 = 1_000_000;
/// Looks at each distance.
const LOOKS: usize = 2_000;

const ROOM: &str = "images";

pub(crate) async fn run() -> Outcome {
    hashing()?;
    looking()?;
    let images = Images::new(2);
    let originals = originals(&images).await?;
    recall(&images, &originals).await?;
    strangers()
}

struct Original {
    picture: RgbImage,
    hash: ImageHash,
}

/// The first pictures that have enough in them.
async fn originals(images: &Images) -> Outcome<Vec<Original>> {
    let mut originals = Vec::new();
    let mut drawn = 0;
    while originals.len() < usize::try_from(PICTURES)? {
        let picture = draw(drawn, LARGE);
        drawn += 1;
        let prepared = images.prepare(file(&picture, 90)?, &Waiter::default()).await?;
        if prepared.hashed.quality >= MIN_QUALITY {
            originals.push(Original { picture, hash: prepared.hashed.hash });
        }
    }
    say(ROOM, &format!("{PICTURES} of {drawn} drawn pictures have quality {MIN_QUALITY} or more"));
    Ok(originals)
}

/// How many copies are within each distance of what they are copies of.
async fn recall(images: &Images, originals: &[Original]) -> Outcome {
    for (name, transform) in TRANSFORMS {
        let mut random = Random(5);
        let mut distances = Vec::new();
        for it in originals {
            let copy = file(&transform(&it.picture, &mut random), 85)?;
            distances.push(distance(&images.see(copy).await?, it.hash));
        }
        distances.sort_unstable();
        let share = |most: u32| {
            100.0 * real(distances.iter().filter(|it| **it <= most).count()) / real(distances.len())
        };
        let middle = distances[distances.len() / 2];
        let (strict, weak) = (share(STRICT_DISTANCE), share(WEAK_DISTANCE));
        say(
            ROOM,
            &format!("{name}: {strict:.1} % strict, {weak:.1} % weak, {middle} bits in the middle"),
        );
    }
    Ok(())
}

/// How many pairs of different pictures are within each distance, in any way one is looked up.
fn strangers() -> Outcome {
    let mut hashes = Vec::new();
    let mut seen = Vec::new();
    for number in 0..STRANGERS {
        let picture = draw(1_000_000 + number, SMALL);
        let light = light(&picture);
        let luma = luma(&light, &picture)?;
        hashes.push(likeness::hash(luma));
        seen.push(likeness::see(luma));
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
    say(
        ROOM,
        &format!(
            "{pairs} pairs of different pictures, {worth} of {STRANGERS} of them with quality \
             {MIN_QUALITY} or more and looked up in every way: {strict} strict, {weak} weak, the \
             nearest {least} bits"
        ),
    );
    Ok(())
}

/// The least distance of all hashes a picture is looked up by.
fn distance(seen: &Seen, hash: ImageHash) -> u32 {
    seen.hashes.iter().map(|it| it.distance(hash)).min().unwrap_or(256)
}

/// Processor time for each million pixels, of pictures as large as they are after decoding.
fn hashing() -> Outcome {
    let pictures: Vec<RgbImage> = (0..40).map(|it| draw(it, LARGE)).collect();
    let pixels: u32 = pictures.iter().map(|it| it.width() * it.height()).sum();
    let lights: Vec<Vec<u8>> = pictures.iter().map(light).collect();
    for (name, work) in [
        (
            "one hash, for a reference image",
            (|it| _ = black_box(likeness::hash(it))) as fn(Luma<'_>),
        ),
        ("every hash, for a picture that is met", |it| _ = black_box(likeness::see(it))),
    ] {
        let before = processor_time("self")?;
        for (picture, light) in pictures.iter().zip(&lights) {
            work(luma(light, picture)?);
        }
        let took = processor_time("self")?.saturating_sub(before);
        let each = took.as_secs_f64() * 1e9 / f64::from(pixels);
        say(ROOM, &format!("{name}: {each:.2} ms for each megapixel"));
    }
    Ok(())
}

/// Looks for hashes of which one is there, a few bits away.
fn looking() -> Outcome {
    let mut random = Random(9);
    let mut any = || ImageHash([random.next(), random.next(), random.next(), random.next()]);
    let hashes: Vec<ImageHash> = (0..HASHES).map(|_| any()).collect();
    let before = memory()?;
    let start = clock();
    let mut index = HashIndex::default();
    index.insert_all((0_u128..).zip(hashes.iter().copied()));
    let (built, taken) = (start.elapsed(), (memory()? - before) / 1_024);
    say(ROOM, &format!("{HASHES} hashes: tables in {built:.1?}, {taken} MiB"));
    for radius in [STRICT_DISTANCE, WEAK_DISTANCE] {
        let mut times: Vec<Duration> = Vec::new();
        let (mut read, mut compared) = (0, 0);
        let before = processor_time("self")?;
        for (turn, hash) in hashes.iter().step_by(hashes.len() / LOOKS).enumerate() {
            let mut asked = *hash;
            asked.0[turn % 4] ^= 0x0101_0010_0100_0001;
            let start = clock();
            let look = index.look(asked, radius);
            times.push(start.elapsed());
            if look.matches.is_empty() {
                return Err("a hash that is there was not found".into());
            }
            (read, compared) = (read + look.read, compared + look.compared);
        }
        // What others on the machine took is in the times above, and not in this.
        let took = processor_time("self")?.saturating_sub(before);
        let each = took / u32::try_from(times.len())?;
        times.sort_unstable();
        let (middle, late) = (times[times.len() / 2], times[times.len() * 99 / 100]);
        let (read, compared) = (read / times.len(), compared / times.len());
        say(
            ROOM,
            &format!(
                "a look within {radius} bits: {middle:.0?} in the middle, {late:.0?} of one in a \
                 hundred, {each:.0?} of processor time; {read} entries read, {compared} hashes \
                 compared"
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

/// What this process has in memory, in KiB.
fn memory() -> Outcome<u64> {
    let text = std::fs::read_to_string("/proc/self/status")?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    Ok(line.ok_or("no VmRSS")?.trim().trim_end_matches(" kB").parse()?)
}

#[expect(clippy::cast_precision_loss, reason = "a few hundred pictures")]
fn real(value: usize) -> f64 {
    value as f64
}
