//! The same pictures as `OpenCV`'s ORB sees them, as an independent opinion.

use std::path::PathBuf;

use grantor_recognition::Strength;
use image::GrayImage;
use serde_json::Value;

use super::false_match::in_common;
use super::number::count;
use super::pictures::{FOLDER, script};
use super::{AROUND, Row, SUITE};
use crate::measure::{Outcome, report};

/// Collects the pictures in files.
pub(crate) struct Oracle {
    folder: PathBuf,
}

impl Oracle {
    pub(crate) fn new() -> Outcome<Self> {
        let folder = PathBuf::from(FOLDER).join("oracle");
        if folder.is_dir() {
            std::fs::remove_dir_all(&folder)?;
        }
        std::fs::create_dir_all(folder.join("references"))?;
        Ok(Self { folder })
    }

    pub(crate) fn add(
        &mut self,
        transform: &str,
        name: &str,
        reference: &GrayImage,
        copy: &GrayImage,
    ) -> Outcome {
        let file = format!("{name}.png");
        let known = self.folder.join("references").join(&file);
        if !known.exists() {
            reference.save(known)?;
        }
        let copies = self.folder.join("copies").join(transform);
        std::fs::create_dir_all(&copies)?;
        Ok(copy.save(copies.join(file))?)
    }

    /// Reports what `OpenCV` finds. Its threshold is the highest count of any unrelated pair and one
    /// more, which is far less strict than ours. It is given the right pairs, and searches nothing.
    pub(crate) fn compare(self, rows: &[Row]) -> Outcome {
        let folder = self.folder.to_string_lossy().into_owned();
        let answer: Value = serde_json::from_str(&script("oracle.py", &folder)?)?;
        let others = answer["others"].as_array().ok_or("no other pairs")?;
        let unrelated: Vec<u64> = others.iter().filter_map(unrelated).collect();
        let most = unrelated.iter().max().copied().unwrap_or(0);
        let text = format!("OpenCV: {} unrelated pairs, at most {most} agree", unrelated.len());
        report(SUITE, &text);
        for row in rows {
            let copies = answer["copies"][row.name].as_object().ok_or("a transform is missing")?;
            let found = copies.values().filter_map(Value::as_u64).filter(|it| *it > most).count();
            let share = 100.0 * count(found) / count(copies.len().max(1));
            let own = row.share(Some(Strength::Strong));
            let note = if own < share { " (below)" } else { "" };
            report(SUITE, &format!("| {} | {own:.1} | {share:.1} |{note}", row.name));
        }
        Ok(())
    }
}

/// How many features of a copy and another reference agree; `None` if they may have something in
/// common.
fn unrelated(pair: &Value) -> Option<u64> {
    let [transform, copy, other] = [0, 1, 2].map(|at: usize| pair[at].as_str());
    let alone = !AROUND.iter().any(|it| transform.is_some_and(|name| name.contains(it)));
    (alone && in_common(copy?, other?).is_none()).then(|| pair[3].as_u64()).flatten()
}
