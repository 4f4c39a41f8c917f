//! Where and how a picture shows a reference image, as local features tell it.

use serde::{Deserialize, Serialize};

use super::Region;

/// From this width and height on, a part is the whole picture.
const WHOLE: u16 = 950;

/// Where and how a picture shows a reference image. In JSON, the corners and the scale are shares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Form", into = "Form")]
pub struct Placement {
    /// The corners of the part of the picture that shows the image, in order, in thousandths of the
    /// width and height of the picture.
    pub outline: Vec<[u16; 2]>,
    /// The size of the image in the picture, in thousandths. At 1,000 the longer sides of both are
    /// equally long.
    pub scale: u32,
    /// By how many degrees the image is turned clockwise, from -180 to 180.
    pub rotation: i16,
    /// Whether the picture shows a mirror image.
    pub mirrored: bool,
}

/// The JSON form.
#[derive(Serialize, Deserialize)]
struct Form {
    outline: Vec<[f64; 2]>,
    scale: f64,
    rotation: i16,
    mirrored: bool,
}

impl Placement {
    /// A number of thousandths as a share.
    #[must_use]
    pub fn share(thousandths: u32) -> f64 {
        f64::from(thousandths) / 1_000.0
    }

    /// The corners as shares of the width and height of the picture.
    #[must_use]
    pub fn corners(&self) -> Vec<[f64; 2]> {
        self.outline.iter().map(|it| it.map(|part| Self::share(part.into()))).collect()
    }

    /// The rectangle around the outline; `None` if it is about the whole picture.
    #[must_use]
    pub fn region(&self) -> Option<Region> {
        let side = |axis: usize| {
            let all = || self.outline.iter().map(|it| it[axis]);
            Some((all().min()?, all().max()?))
        };
        let ((left, right), (top, bottom)) = (side(0)?, side(1)?);
        let region = Region { x: left, y: top, width: right - left, height: bottom - top };
        let is_part = region.width < WHOLE || region.height < WHOLE;
        is_part.then_some(region)
    }
}

/// The nearest number of thousandths.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from a float saturates, as intended"
)]
fn thousandths(share: f64) -> u32 {
    (share * 1_000.0).round() as u32
}

impl From<Placement> for Form {
    fn from(placement: Placement) -> Self {
        Self {
            outline: placement.corners(),
            scale: Placement::share(placement.scale),
            rotation: placement.rotation,
            mirrored: placement.mirrored,
        }
    }
}

impl From<Form> for Placement {
    fn from(form: Form) -> Self {
        let part = |share: f64| u16::try_from(thousandths(share)).unwrap_or(1_000).min(1_000);
        Self {
            outline: form.outline.into_iter().map(|it| it.map(part)).collect(),
            scale: thousandths(form.scale),
            rotation: form.rotation,
            mirrored: form.mirrored,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_placement_is_read_as_it_is_written() {
        let placement = Placement {
            outline: vec![[0, 250], [333, 250], [333, 1_000], [0, 999]],
            scale: 481,
            rotation: -15,
            mirrored: true,
        };
        let written = serde_json::to_value(&placement).unwrap();
        let outline = [[0.0, 0.25], [0.333, 0.25], [0.333, 1.0], [0.0, 0.999]];
        assert_eq!(
            written,
            json!({ "outline": outline, "scale": 0.481, "rotation": -15, "mirrored": true })
        );
        assert_eq!(serde_json::from_value::<Placement>(written).unwrap(), placement);
        let region = Region { x: 0, y: 250, width: 333, height: 750 };
        assert_eq!(placement.region(), Some(region));
        let outline = vec![[0, 0], [1_000, 0], [1_000, 960], [0, 960]];
        assert_eq!(Placement { outline, ..placement.clone() }.region(), None);
        assert_eq!(Placement { outline: vec![], ..placement }.region(), None);
    }
}
