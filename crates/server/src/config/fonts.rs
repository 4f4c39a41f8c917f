//! Reads the additional fonts of certificates.

use grantor_receipt::CertificateFonts;

use super::problem::Malformed::{self, Because};

/// Reads the fonts from the files at these paths, which commas separate.
pub(super) fn read(paths: &str) -> Result<CertificateFonts, Malformed> {
    let mut fonts = CertificateFonts::default();
    for path in paths.split(',').map(str::trim).filter(|it| !it.is_empty()) {
        let data = std::fs::read(path)
            .map_err(|error| Because(format!("{path} cannot be read: {error}")))?;
        fonts.add(data).map_err(|error| Because(format!("{path} {error}")))?;
    }
    Ok(fonts)
}
