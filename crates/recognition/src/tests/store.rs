//! What is stored is read as it was written, and stays what it is.

use super::Picture;
use crate::{
    Finding, Reference, STRICT_ALIKE, STRICT_SCORE, STRICT_SPREAD, SURE_SCORE, Strength,
    WEAK_ALIKE, WEAK_SCORE, WEAK_SPREAD, compare, confidence, entries_from_bytes, entries_to_bytes,
};

#[test]
fn features_are_read_as_they_are_written() {
    let described = Picture::drawn(7, 500, 400).described();
    let bytes = described.reference.to_bytes();
    assert_eq!(bytes.len(), 5 + 32 * 32 + 37 * described.reference.len());
    let read = Reference::from_bytes(&bytes).unwrap();
    assert_eq!(read.to_bytes(), bytes);
    let query = Picture::drawn(7, 500, 400).query();
    let [own, stored] = [&described.reference, &read].map(|it| compare(&query, false, it).unwrap());
    assert!((own.score - stored.score).abs() < 0.05 * own.score, "{own:?} {stored:?}");
    let entries = entries_to_bytes(&described.entries);
    assert_eq!(entries_from_bytes(&entries), Some(described.entries));
}

#[test]
fn damaged_features_are_refused() {
    let bytes = Picture::drawn(7, 500, 400).described().reference.to_bytes();
    let other_version: Vec<u8> = [9].into_iter().chain(bytes[1..].iter().copied()).collect();
    let too_many: Vec<u8> = bytes.iter().copied().chain([0; 37 * 400]).collect();
    for wrong in [&[][..], &bytes[..4], &bytes[..bytes.len() - 1], &other_version, &too_many] {
        assert_eq!(Reference::from_bytes(wrong), None);
    }
    assert!(entries_from_bytes(&[0; 9]).is_none() && entries_from_bytes(&[0; 8 * 201]).is_none());
}

#[test]
fn a_finding_has_a_strength_and_a_confidence() {
    let finding = |score, spread, alike| Finding {
        score,
        spread,
        alike,
        features: 20,
        mirrored: false,
        scale: 1.0,
        rotation: 0.0,
        outline: vec![],
    };
    let (weak, strong) = (Some(Strength::Weak), Some(Strength::Strong));
    let [(_, most), (more, less), (_, least)] = STRICT_ALIKE;
    for (score, spread, alike, strength) in [
        (0.0, 1.0, Some(1.0), None),
        (WEAK_SCORE - 0.1, 1.0, Some(1.0), None),
        (300.0, WEAK_SPREAD - 0.01, Some(1.0), None),
        (WEAK_SCORE, WEAK_SPREAD, Some(WEAK_ALIKE), weak),
        (STRICT_SCORE, STRICT_SPREAD, Some(most), strong),
        (300.0, STRICT_SPREAD - 0.01, Some(1.0), weak),
        (more - 0.1, 1.0, Some(most - 0.01), weak),
        (more - 0.1, 1.0, Some(WEAK_ALIKE - 0.01), None),
        (more, 1.0, Some(less), strong),
        (more, 1.0, Some(less - 0.01), None),
        (SURE_SCORE, 1.0, Some(least), strong),
        (300.0, 1.0, Some(least - 0.01), None),
        (SURE_SCORE - 0.1, 1.0, None, weak),
        (SURE_SCORE, 1.0, None, strong),
    ] {
        let finding = finding(score, spread, alike);
        assert_eq!(finding.strength(), strength, "{finding:?}");
        let surest = if strength == strong { score } else { STRICT_SCORE };
        assert!(strength.is_none() || finding.confidence() <= confidence(surest), "{finding:?}");
    }
    let sure = [0.0, WEAK_SCORE, STRICT_SCORE, 1e6].map(confidence);
    assert!(sure.is_sorted() && sure[0] < 0.01 && sure[3] < 1.0, "{sure:?}");
    assert!((0.42..0.44).contains(&sure[1]) && (0.91..0.93).contains(&sure[2]), "{sure:?}");
}
