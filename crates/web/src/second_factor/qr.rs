//! QR codes as drawings. They stay black on white in every theme, because scanners expect that.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};
use qrcode::{Color, EcLevel, QrCode};

/// The longest text, in bytes. The modules of a longer one would be too small to scan.
const MAX_LENGTH: usize = 400;
/// The white margin, in modules.
const MARGIN: usize = 4;

/// Draws a QR code. `None` if the text is too long.
pub(super) fn draw(text: &str, label: &str) -> Option<Markup> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    let (width, colors) = (code.width(), code.into_colors());
    let mut path = String::new();
    for (y, row) in colors.chunks(width).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|one, next| one == next) {
            if run[0] == Color::Dark {
                let (left, top, length) = (x + MARGIN, y + MARGIN, run.len());
                let _ = write!(path, "M{left} {top}h{length}v1h-{length}z");
            }
            x += run.len();
        }
    }
    let size = width + 2 * MARGIN;
    Some(html! {
        svg.qr viewBox={ "0 0 " (size) " " (size) } role="img" aria-label=(label) {
            (PreEscaped(format!(
                "<rect width=\"{size}\" height=\"{size}\" fill=\"#fff\"/><path d=\"{path}\" fill=\"#000\"/>"
            )))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::draw;

    #[test]
    fn a_code_is_drawn_unless_it_is_too_long() {
        let drawn = draw("otpauth://totp/Grantor:ada?secret=A", "Scan").unwrap().into_string();
        assert!(drawn.contains("<path d=\"M4 4h7v1h-7z"), "a corner: {drawn}");
        assert!(drawn.contains("aria-label=\"Scan\"") && !drawn.contains("style"), "{drawn}");
        assert!(draw(&"x".repeat(401), "Scan").is_none());
    }
}
