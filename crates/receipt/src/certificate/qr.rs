//! The QR code of the link.

use qrcode::{Color, EcLevel, QrCode};

/// The longest text, in bytes. The modules of a longer one would be too small to scan.
const MAX_LENGTH: usize = 256;

/// The dark parts of a QR code, as (x, y, width, height) in a square of this size. Empty if the
/// text is too long.
pub(super) fn parts(text: &str, size: f32) -> Vec<[f32; 4]> {
    if text.len() > MAX_LENGTH {
        return vec![];
    }
    let Ok(code) = QrCode::with_error_correction_level(text, EcLevel::M) else { return vec![] };
    let (width, colors) = (code.width(), code.into_colors());
    let module = size / number(width);
    let mut parts = Vec::new();
    for (y, row) in colors.chunks(width).enumerate() {
        let mut x = 0;
        // Neighbors become one part, so that viewers show no gaps between them.
        for run in row.chunk_by(|one, next| one == next) {
            if run[0] == Color::Dark {
                let length = number(run.len()) * module;
                parts.push([number(x) * module, number(y) * module, length, module]);
            }
            x += run.len();
        }
    }
    parts
}

#[expect(clippy::cast_precision_loss, reason = "a QR code has at most 177 modules")]
fn number(count: usize) -> f32 {
    count as f32
}
