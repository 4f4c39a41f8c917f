//! The pictures of the benchmark. `benches/likeness/corpus.py` makes them from packages.

use std::path::{Path, PathBuf};
use std::process::Command;

use image::imageops::{FilterType, resize};
use image::{GrayImage, RgbImage};

use crate::measure::{Outcome, report};

/// The scripts.
const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/likeness");
/// Where everything is downloaded to.
pub(crate) const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/likeness");
/// The packages of the scripts, pinned.
const REQUIREMENTS: [&str; 3] =
    ["opencv-python-headless==5.0.0.93", "numpy==2.4.6", "pillow==13.0.0"];
/// The longer side of a picture as it is described.
const SIDE: u32 = 512;

/// The pictures, in parts that have nothing in common.
pub(crate) struct Pictures {
    /// To train the vocabulary, and to generate references.
    pub(crate) training: Vec<PathBuf>,
    /// To be known again.
    pub(crate) references: Vec<PathBuf>,
    /// To put around others. No index has them.
    pub(crate) fillers: Vec<PathBuf>,
}

/// Returns the pictures, after making them if they are not there.
pub(crate) fn pictures() -> Outcome<Pictures> {
    let folder = Path::new(FOLDER).join("pictures");
    if !folder.is_dir() {
        report("likeness", "downloading 1.3 GB of packages with pictures");
        script("corpus.py", FOLDER)?;
    }
    let listed = std::fs::read_dir(folder)?.map(|it| it.map(|it| it.path()));
    let mut files = listed.collect::<Result<Vec<PathBuf>, _>>()?;
    files.sort();
    let part = |kept: fn(usize) -> bool| {
        let own = files.iter().enumerate().filter(move |(at, _)| kept(*at));
        own.map(|(_, file)| file.clone()).collect()
    };
    Ok(Pictures {
        training: part(|at| at % 3 == 0),
        references: part(|at| at % 3 != 0 && at % 6 != 5),
        fillers: part(|at| at % 6 == 5),
    })
}

/// Runs a script in an environment with its packages and returns what it prints.
pub(crate) fn script(name: &str, folder: &str) -> Outcome<String> {
    let environment = format!("{FOLDER}/python");
    let python = format!("{environment}/bin/python");
    let installed = Path::new(&environment).join("installed");
    if !installed.exists() {
        std::fs::create_dir_all(FOLDER)?;
        run(Command::new("python3").args(["-m", "venv", &environment]))?;
        let install = ["-m", "pip", "install", "--quiet"];
        run(Command::new(&python).args(install).args(REQUIREMENTS))?;
        std::fs::write(installed, "")?;
    }
    run(Command::new(python).args([&format!("{SCRIPTS}/{name}"), folder]))
}

fn run(command: &mut Command) -> Outcome<String> {
    let done = command.output()?;
    if !done.status.success() {
        let text = String::from_utf8_lossy(&done.stderr);
        return Err(format!("{command:?} failed: {text}").into());
    }
    Ok(String::from_utf8(done.stdout)?)
}

pub(crate) fn open(file: &Path) -> Outcome<RgbImage> {
    Ok(image::open(file)?.into_rgb8())
}

/// The brightness in the size in which pictures are described.
pub(crate) fn small(picture: &RgbImage) -> GrayImage {
    let gray = image::DynamicImage::ImageRgb8(picture.clone()).into_luma8();
    let longer = gray.width().max(gray.height());
    if longer <= SIDE {
        return gray;
    }
    let side = |it: u32| (it * SIDE / longer).max(1);
    resize(&gray, side(gray.width()), side(gray.height()), FilterType::Triangle)
}
