//! The printable certificate of a grant: one A4 page as PDF/A-3, with a QR code to the shared link
//! and the receipt as an attachment. Long conditions continue on further pages.

mod draw;
mod face;
mod layout;
mod qr;

use grantor_domain::{Error, Result, Timestamp};

/// The name of the attachment.
const ATTACHMENT: &str = "receipt.sd-jwt";

/// What a certificate shows. Texts are shown as given, except that characters that the font lacks
/// are transliterated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate<'a> {
    /// The grant's number.
    pub number: &'a str,
    /// The name of the tenant that grants.
    pub licensor: &'a str,
    /// The name of the tenant that received the grant.
    pub licensee: &'a str,
    /// The talent's name.
    pub talent: &'a str,
    /// The license's title.
    pub license_title: &'a str,
    /// The permitted uses, as people call them.
    pub uses: &'a [String],
    /// The permitted territories, as people call them.
    pub territories: &'a [String],
    /// The permitted channels. Empty means any.
    pub channels: &'a [String],
    /// When the grant starts.
    pub starts_at: Timestamp,
    /// When the grant ends, if it does.
    pub ends_at: Option<Timestamp>,
    /// Whether the grant is exclusive.
    pub exclusive: bool,
    /// The conditions, if there are any.
    pub conditions: Option<&'a str>,
    /// When the grant was made.
    pub issued_at: Timestamp,
    /// The URL where anybody can verify the grant.
    pub link: &'a str,
    /// The receipt to attach.
    pub receipt: &'a str,
}

/// Renders the certificate as a PDF file.
pub fn render(certificate: &Certificate<'_>) -> Result<Vec<u8>> {
    let faces = face::Faces::load().ok_or_else(|| Error::internal("a font is malformed"))?;
    let pages = layout::pages(certificate, &faces);
    draw::document(certificate, &faces, &pages)
}

#[cfg(test)]
mod tests;
