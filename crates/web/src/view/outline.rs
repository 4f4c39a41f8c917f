//! Where a picture shows a reference image: an outline over the picture, and words.

use grantor_domain::check::CheckMethod;
use grantor_domain::evidence::EvidenceMatch;
use grantor_domain::likeness::Placement;
use grantor_messages::text;
use maud::{Markup, html};

/// Turns of fewer degrees are not worth mentioning.
const LEAST_TURN: i16 = 3;

/// A picture with the outline of the part that shows a reference image, if that is known.
pub(crate) fn outlined(picture: Markup, placement: Option<&Placement>) -> Markup {
    let Some(placement) = placement else { return picture };
    let corners = placement.outline.iter().map(|[x, y]| format!("{x},{y}"));
    let points = corners.collect::<Vec<_>>().join(" ");
    html! {
        span.outlined {
            (picture)
            svg viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true" {
                // Visible on pictures of any color.
                polygon.halo points=(points) {}
                polygon points=(points) {}
            }
        }
    }
}

/// How the picture shows the reference image, or may show it if the match is weak.
pub(crate) fn placement_words(placement: &Placement, strong: bool) -> String {
    let is_part = placement.region().is_some();
    let shows = match (is_part, strong) {
        (true, true) => text!("view-outline-part"),
        (true, false) => text!("view-outline-part-doubtful"),
        (false, true) => text!("view-outline-whole"),
        (false, false) => text!("view-outline-whole-doubtful"),
    };
    let mut words = vec![shows.to_owned()];
    if is_part {
        let percent = covered(&placement.outline).to_string();
        words.push(text!("view-outline-share", percent = percent));
    }
    if placement.mirrored {
        words.push(text!("view-outline-mirrored").to_owned());
    }
    let degrees = placement.rotation.unsigned_abs().to_string();
    if placement.rotation >= LEAST_TURN {
        words.push(text!("view-outline-turned", degrees = degrees));
    } else if placement.rotation <= -LEAST_TURN {
        words.push(text!("view-outline-turned-back", degrees = degrees));
    }
    words.join(" ")
}

/// How much of the picture lies within an outline, in percent.
fn covered(outline: &[[u16; 2]]) -> u64 {
    let next = outline.iter().cycle().skip(1);
    let cross = |([x, y], [to_x, to_y]): (&[u16; 2], &[u16; 2])| {
        i64::from(*x) * i64::from(*to_y) - i64::from(*to_x) * i64::from(*y)
    };
    // Twice the area, in millionths of the picture.
    let doubled = outline.iter().zip(next).map(cross).sum::<i64>().unsigned_abs();
    ((doubled + 10_000) / 20_000).max(1)
}

/// How a likeness was recognized, and how likely that is right, as far as the evidence says.
pub(crate) fn recognition_facts(found: &EvidenceMatch) -> Vec<(&'static str, Markup)> {
    let mut all = vec![];
    if let Some(method) = found.method {
        all.push((text!("view-recognized-by"), html! { (method_label(method)) }));
    }
    if let Some(confidence) = found.confidence {
        let percent = format!("{:.0}", confidence * 100.0);
        let words = text!("view-likely-right", percent = percent);
        all.push((text!("view-confidence"), html! { (words) }));
    }
    all
}

fn method_label(method: CheckMethod) -> &'static str {
    match method {
        CheckMethod::FullName => text!("view-method-full-name"),
        CheckMethod::SingleName => text!("view-method-single-name"),
        CheckMethod::PerceptualHash => text!("view-method-perceptual-hash"),
        CheckMethod::LocalFeatures => text!("view-method-local-features"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placement(rotation: i16, mirrored: bool) -> Placement {
        let outline = vec![[0, 0], [500, 0], [500, 250], [0, 250]];
        Placement { outline, scale: 496, rotation, mirrored }
    }

    #[test]
    fn an_outline_lies_over_its_picture() {
        let picture = || html! { img src="/a.jpg" alt="A"; };
        let plain = outlined(picture(), None).into_string();
        assert_eq!(plain, picture().into_string());
        let drawn = outlined(picture(), Some(&placement(0, false))).into_string();
        assert!(drawn.contains(&plain), "{drawn}");
        let points = "points=\"0,0 500,0 500,250 0,250\">";
        assert!(drawn.contains(&format!("<polygon class=\"halo\" {points}")), "{drawn}");
        assert!(drawn.contains(&format!("<polygon {points}")), "{drawn}");
    }

    #[test]
    fn a_placement_is_told_in_words() {
        let plain = placement_words(&placement(2, false), true);
        let expected = "A part of the picture shows the reference image. \
            That part covers about 13% of the picture.";
        assert_eq!(plain, expected);
        let turned = placement_words(&placement(-90, true), true);
        assert!(turned.contains("90°") && turned.len() > plain.len(), "{turned}");
        assert_ne!(placement_words(&placement(90, true), true), turned);
    }

    #[test]
    fn a_weak_match_is_told_as_such() {
        let part = placement_words(&placement(0, false), false);
        assert!(part.starts_with("A part of the picture may show the reference image."), "{part}");
        let outline = vec![[0, 0], [1_000, 0], [1_000, 1_000], [0, 1_000]];
        let whole = Placement { outline, ..placement(0, false) };
        let expected = "The picture may show the reference image or a part of it.";
        assert_eq!(placement_words(&whole, false), expected);
    }
}
