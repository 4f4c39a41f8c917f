//! The peak memory of preparing an image. Each image is measured in a separate process.

use std::process::Command;

use super::*;

/// The documented maximum per image.
const PROMISED: u64 = 64 * 1024;
const NAME: &str = "tests::memory::measure";
const FILE: &str = "GRANTOR_TEST_PICTURE";
/// Set to measure a downscaled copy instead.
const COPY: &str = "GRANTOR_TEST_COPY";

type Wanted = Result<(u32, u32), InvalidImage>;

#[test]
fn no_picture_takes_more_than_is_promised() {
    check(pictures(), false);
}

#[test]
fn no_copy_takes_more_than_is_promised() {
    check(copied(), true);
}

fn check(pictures: Vec<(&'static str, Vec<u8>, Wanted)>, copied: bool) {
    let folder = tempfile::tempdir().unwrap();
    let mut measured = Vec::new();
    for (name, bytes, wanted) in pictures {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", NAME, "--ignored", "--nocapture"]).env(FILE, &file);
        if copied {
            command.env(COPY, "yes");
        }
        let run = command.output().unwrap();
        let text = String::from_utf8_lossy(&run.stdout);
        assert!(text.contains(&format!("outcome {wanted:?}")), "{name}: {text}");
        let grown = text.lines().find_map(|line| line.split_once("grown by ")?.1.parse().ok());
        let grown: u64 = grown.unwrap_or_else(|| panic!("{name}: {text}"));
        measured.push((grown, name));
    }
    let most = measured.iter().max().unwrap();
    assert!(most.0 <= PROMISED, "in KiB: {measured:?}");
}

#[test]
#[ignore = "run by the tests above, in a process of its own"]
#[expect(clippy::disallowed_methods, reason = "the tests above say which picture")]
fn measure() {
    let Some(file) = std::env::var_os(FILE) else { return };
    let copied = std::env::var_os(COPY).is_some();
    let before = status("VmRSS:");
    let bytes = std::fs::read(file).unwrap();
    let outcome = if copied {
        downscale(bytes, 1024, 480).map(|it| (it.width, it.height))
    } else {
        prepare(bytes).map(|it| (it.width, it.height))
    };
    let grown = status("VmHWM:") - before;
    let text = format!("\noutcome {outcome:?}\ngrown by {grown}\n");
    std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes()).unwrap();
}

fn status(name: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Large images of each kind, and images that are too large.
fn pictures() -> Vec<(&'static str, Vec<u8>, Wanted)> {
    let refused =
        |width, height, megapixels| Err(InvalidImage::TooMuchMemory { width, height, megapixels });
    let turn = |jpeg: &[u8]| {
        let note = [b"Exif\0\0".as_slice(), &exif(6, "text")].concat();
        with_segments(jpeg, &[segment(0xe1, &note)])
    };
    let grain = jpeg_of(&noise(1_800, 1_200));
    vec![
        ("baseline", flat_jpeg(8_000, 6_000, 0xc0), Ok((8_000, 6_000))),
        ("noise", grain.clone(), Ok((1_800, 1_200))),
        ("progressive", flat_jpeg(2_500, 2_000, 0xc2), Ok((2_500, 2_000))),
        ("large progressive", flat_jpeg(2_600, 2_000, 0xc2), refused(2_600, 2_000, 5)),
        ("sideways", turn(&flat_jpeg(4_000, 3_000, 0xc0)), Ok((3_000, 4_000))),
        ("sideways noise", turn(&grain), Ok((1_200, 1_800))),
        ("large sideways", turn(&flat_jpeg(6_000, 4_000, 0xc0)), refused(6_000, 4_000, 20)),
        ("bomb", flat_png(20_000, 600, false), Ok((20_000, 600))),
        ("interlaced", flat_png(4_000, 3_000, true), Ok((4_000, 3_000))),
        ("lossless", flat_webp(3_000, 2_000), Ok((3_000, 2_000))),
        ("lossless noise", encoded(&noise(1_200, 1_200), ImageFormat::WebP), Ok((1_200, 1_200))),
    ]
}

/// Images whose copies take the most memory: of large drafts, and of what is large by itself.
fn copied() -> Vec<(&'static str, Vec<u8>, Wanted)> {
    vec![
        ("baseline", flat_jpeg(8_000, 6_000, 0xc0), Ok((1_024, 768))),
        ("square", flat_jpeg(2_046, 2_046, 0xc0), Ok((1_024, 1_024))),
        ("noise", jpeg_of(&noise(1_800, 1_200)), Ok((1_024, 683))),
        ("progressive", flat_jpeg(2_500, 2_000, 0xc2), Ok((1_024, 819))),
        ("bomb", flat_png(20_000, 600, false), Ok((1_024, 31))),
        ("interlaced", flat_png(4_000, 3_000, true), Ok((667, 500))),
    ]
}

fn noise(width: u32, height: u32) -> RgbImage {
    let mut random = Random(3);
    RgbImage::from_fn(width, height, |_, _| ::image::Rgb(std::array::from_fn(|_| random.byte())))
}

fn flat_webp(width: u32, height: u32) -> Vec<u8> {
    encoded(&RgbImage::new(width, height), ImageFormat::WebP)
}

/// One color, so that a few bytes inflate to a large image.
fn flat_png(width: u32, height: u32, interlaced: bool) -> Vec<u8> {
    // Each row has a filter byte, and the passes of an interlaced image have more rows.
    let lines = |width: u32, height: u32| height as usize * (1 + 4 * width as usize);
    let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4)];
    let pass = |(x, y, across, down): (u32, u32, u32, u32)| {
        lines((width - x).div_ceil(across), (height - y).div_ceil(down))
    };
    let length = if interlaced {
        passes.into_iter().chain([(1, 0, 2, 2), (0, 1, 1, 2)]).map(pass).sum()
    } else {
        lines(width, height)
    };
    let size = [width.to_be_bytes(), height.to_be_bytes()].concat();
    let header = [size.as_slice(), &[8, 6, 0, 0, u8::from(interlaced)]].concat();
    let pixels = super::tail::zlib(&vec![0; length], flate2::Compression::best());
    let chunks = [("IHDR", header), ("IDAT", pixels), ("IEND", Vec::new())];
    let chunks = chunks.map(|(kind, data)| png_chunk(kind, &data)).concat();
    [b"\x89PNG\r\n\x1a\n".as_slice(), &chunks].concat()
}

/// One gray in three components at full resolution, baseline or progressive by its marker. Every
/// code is a single 0 bit: "no difference", and for a baseline block "end of block".
fn flat_jpeg(width: u16, height: u16, marker: u8) -> Vec<u8> {
    let [w, h] = [width.to_be_bytes(), height.to_be_bytes()];
    let frame = [8, h[0], h[1], w[0], w[1], 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0];
    let baseline = marker == 0xc0;
    let codes = |class: u8| [&[class, 1], [0; 16].as_slice()].concat();
    let blocks = usize::from(width.div_ceil(8)) * usize::from(height.div_ceil(8)) * 3;
    let bits = if baseline { 2 * blocks } else { blocks };
    [
        vec![0xff, 0xd8],
        segment(0xdb, &[&[0], [1; 64].as_slice()].concat()),
        segment(marker, &frame),
        segment(0xc4, &codes(0x00)),
        segment(0xc4, &codes(0x10)),
        segment(0xda, &[3, 1, 0, 2, 0, 3, 0, 0, if baseline { 63 } else { 0 }, 0]),
        vec![0; bits.div_ceil(8)],
        vec![0xff, 0xd9],
    ]
    .concat()
}
