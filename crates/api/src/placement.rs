//! Where a picture shows a reference image, in both APIs.

use grantor_domain::likeness::Placement;
use serde::Serialize;
use utoipa::ToSchema;

/// Where and how the picture shows the reference image.
#[derive(Serialize, ToSchema)]
#[schema(as = Placement)]
pub(crate) struct PlacementBody {
    /// The corners of the part of the picture that shows the image, going around it: 3 to 8 points,
    /// because what is outside of the picture is cut off. Each point is a share of the width and of
    /// the height of the picture, from its top left corner.
    #[schema(
        value_type = Vec<Vec<f64>>,
        example = json!([[0.42, 0.28], [0.92, 0.28], [0.92, 0.78], [0.42, 0.78]])
    )]
    outline: Vec<[f64; 2]>,
    /// The size of the image in the picture. At 1, the longer sides of both are equally long.
    #[schema(minimum = 0)]
    scale: f64,
    /// By how many degrees the image is turned clockwise.
    #[schema(minimum = -180, maximum = 180)]
    rotation: i16,
    /// Whether the picture shows a mirror image.
    mirrored: bool,
}

impl From<Placement> for PlacementBody {
    fn from(placement: Placement) -> Self {
        Self {
            outline: placement.corners(),
            scale: Placement::share(placement.scale),
            rotation: placement.rotation,
            mirrored: placement.mirrored,
        }
    }
}
