//! Where a picture shows a reference image: an outline over the picture, and words.

use grantor_domain::check::CheckMethod;
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

/// How the picture shows the reference image.
pub(crate) fn placement_words(placement: &Placement) -> String {
    let percent = ((placement.scale + 5) / 10).to_string();
    let shows = match placement.region() {
        Some(_) => text!("view-outline-part"),
        None => text!("view-outline-whole"),
    };
    let mut words = vec![shows.to_owned(), text!("view-outline-size", percent = percent)];
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

/// How a likeness was recognized.
pub(crate) fn method_label(method: CheckMethod) -> &'static str {
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
        let plain = placement_words(&placement(2, false));
        assert!(plain.contains("50%") && !plain.contains('°'), "{plain}");
        let turned = placement_words(&placement(-90, true));
        assert!(turned.contains("90°") && turned.len() > plain.len(), "{turned}");
        assert_ne!(placement_words(&placement(90, true)), turned);
    }
}
