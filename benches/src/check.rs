//! Checks through the service: the time of a picture against a million reference images, and of a
//! text of 100 KB against a million names.

use std::fmt::Write as _;
use std::time::Duration;

use grantor_domain::check::CheckInput;
use grantor_media::Images;
use grantor_service::watching::{check, likeness, talent_names};
use grantor_service::{App, Context};
use grantor_storage::Options;
use grantor_testkit::app::TestApp;
use grantor_testkit::{Engine, Fixture as _, seed};

use crate::likeness::corpus::file;
use crate::likeness::{Original, originals};
use crate::measure::{Outcome, clock, median, report};
use crate::names::corpus::{names, plain, written};

/// The number of names and of reference images.
const SIZE: usize = 1_000_000;
/// The number of public licenses, which have the images and belong to a tenth as many talents.
const LICENSES: u32 = 10_000;
/// Names per statement.
const AT_ONCE: usize = 10_000;
/// The bytes of a text, the most that a check takes.
const TEXT: usize = 100 << 10;
/// What a check may take, in milliseconds of wall time.
const IMAGE_GOAL: f64 = 300.0;
const TEXT_GOAL: f64 = 50.0;
const ROUNDS: usize = 12;
const SUITE: &str = "checks";

/// Runs the suite on `SQLite`.
pub(crate) async fn run() -> Outcome {
    let app = TestApp::on(Engine::Sqlite).await;
    let options = &app.database.options;
    seed::public_licenses(options, LICENSES).await;
    let names = names(SIZE);
    insert_names(options, &names).await?;
    let originals = originals(&Images::new(2), ROUNDS).await?;
    insert_images(options, &originals).await?;
    seed::tidy(options).await;
    let started = clock();
    while talent_names::settle(&app.app).await? > 0 {}
    let written = started.elapsed().as_secs_f64();
    report(SUITE, &format!("the keys of {SIZE} names: written once in {written:.1} s"));
    compare_pictures(&app, &originals).await?;
    compare_texts(&app, &names).await
}

async fn compare_pictures(app: &TestApp, originals: &[Original]) -> Outcome {
    let started = clock();
    likeness::refresh(&app.app).await?;
    let loaded = started.elapsed().as_secs_f64();
    let count = app.app.likenesses.len();
    report(SUITE, &format!("{count} hashes: in memory after {loaded:.1} s"));
    let mut pictures = Vec::new();
    for original in originals {
        pictures.push(CheckInput::Image(file(&original.picture, 85)?));
    }
    measure(&app.app, "a picture against a million hashes", IMAGE_GOAL, pictures).await
}

/// On a node whose filter is complete, and on one that was just started.
async fn compare_texts(app: &TestApp, names: &[String]) -> Outcome {
    let text = written(&plain(names, TEXT * ROUNDS));
    let (mut texts, mut rest) = (Vec::new(), text.as_str());
    for _ in 0..ROUNDS {
        let (one, after) = rest.split_at(rest.floor_char_boundary(TEXT));
        texts.push(one.to_owned());
        rest = after;
    }
    let inputs = || texts.iter().map(|it| CheckInput::Text(it.clone())).collect();
    let memory = app.app.names.memory() >> 10;
    report(SUITE, &format!("the filter of names takes {memory} KiB"));
    measure(&app.app, "a text of 100 KB against a million names", TEXT_GOAL, inputs()).await?;
    let fresh = app.another_node(8).await;
    measure(&fresh, "the same on a node without a filter", TEXT_GOAL, inputs()).await
}

/// Measures checks by somebody who is not signed in.
async fn measure(app: &App, name: &str, goal: f64, inputs: Vec<CheckInput>) -> Outcome {
    let context = Context::operator(Duration::ZERO);
    let (mut times, mut matches) = (Vec::new(), 0);
    for input in inputs {
        let started = clock();
        let checked = check::check(app, &context, None, input).await?;
        times.push(started.elapsed().as_secs_f64() * 1_000.0);
        matches += checked.matches.len();
    }
    let millis = median(times);
    let part = millis / goal;
    report(
        SUITE,
        &format!(
            "{name}: {millis:.1} ms of wall time, {part:.2} of the {goal} ms that it may take; \
             {matches} matches in {ROUNDS} checks"
        ),
    );
    Ok(())
}

/// Adds talents without licenses, and gives the first names to those with public ones.
async fn insert_names(options: &Options, names: &[String]) -> Outcome {
    let public = usize::try_from(LICENSES / 10)?;
    let mut script = String::from("BEGIN;");
    for (number, name) in names.iter().take(public).enumerate() {
        let number = number + 1;
        write!(
            script,
            "UPDATE talents SET fullname = '{name}' WHERE talent_id = unhex(printf('2%031x', \
             {number}));"
        )?;
    }
    script.push_str("COMMIT");
    seed::run(options, script).await;
    let mark = "INSERT INTO name_stale (talent_id, mark) SELECT talent_id, 1 FROM talents";
    let mut number = public;
    for chunk in names[public..].chunks(AT_ONCE) {
        let mut rows = Vec::with_capacity(chunk.len());
        for name in chunk {
            number += 1;
            rows.push(format!(
                "(unhex(printf('2%031x', {number})), unhex(printf('1%031x', 1)), '{name}', '[]', \
                 '', '{{}}', 'active', 0, {number}, {number})"
            ));
        }
        let rows = rows.join(", ");
        let script = format!(
            "INSERT INTO talents (talent_id, tenant_id, fullname, aliases, names_key, \
             social_media, status, license_count, created_at, updated_at) VALUES {rows}"
        );
        seed::run(options, script).await;
    }
    seed::run(options, mark.to_owned()).await;
    Ok(())
}

/// Adds random hashes, and those of the pictures that are checked.
async fn insert_images(options: &Options, originals: &[Original]) -> Outcome {
    let series = format!(
        "(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {SIZE})
          SELECT n FROM c)"
    );
    let id = "unhex(printf('4%031x', n))";
    let mut script = format!(
        "INSERT INTO images (image_id, license_id, content_type, width, height, bytes, sha256,
           created_at)
         SELECT {id}, unhex(printf('3%031x', n % {LICENSES} + 1)), 'image/jpeg', 1, 1, 1, '', n
         FROM {series};
         INSERT INTO image_hashes (image_id, hash, quality, hashed_at)
         SELECT {id}, randomblob(32), 100, n FROM {series};"
    );
    for (number, original) in (1..).zip(originals) {
        write!(
            script,
            "UPDATE image_hashes SET hash = unhex('{}')
             WHERE image_id = unhex(printf('4%031x', {number}));",
            original.hash
        )?;
    }
    seed::run(options, script).await;
    Ok(())
}
