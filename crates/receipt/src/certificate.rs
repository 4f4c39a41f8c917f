//! The printable certificate of a grant: one A4 page as PDF/A-3, with a QR code to the shared link
//! and the receipt as an attachment. Long conditions continue on further pages.

mod draw;
mod face;
mod font;
mod layout;
mod lines;
mod qr;

use grantor_domain::{Error, Result, Timestamp};

pub use font::{CertificateFonts, InvalidFont};

/// The name of the attachment.
const ATTACHMENT: &str = "receipt.sd-jwt";

/// What a certificate shows. Texts are shown as given. A text with characters that no font has is
/// replaced by a remark, never by another spelling.
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
    /// How the talent is credited, if that was agreed. The receipt does not contain it.
    pub credit_line: Option<&'a str>,
    /// When the grant was made.
    pub issued_at: Timestamp,
    /// Where anybody can verify the grant.
    pub verify_at: VerifyAt<'a>,
    /// The receipt to attach.
    pub receipt: &'a str,
}

/// Where a grant can be verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerifyAt<'a> {
    /// At a URL that shows this grant.
    SharedLink(&'a str),
    /// At the URL where anybody can verify any receipt, such as the attached one.
    AnyReceipt(&'a str),
}

impl<'a> VerifyAt<'a> {
    fn url(self) -> &'a str {
        match self {
            Self::SharedLink(url) | Self::AnyReceipt(url) => url,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::SharedLink(_) => "Verify this grant",
            Self::AnyReceipt(_) => "Verify the attached receipt at",
        }
    }

    fn note(self) -> &'static str {
        match self {
            Self::SharedLink(_) => {
                "Scan the code or open the link to see whether this grant is valid today. The \
                 signed receipt is attached to this file as receipt.sd-jwt; anyone can verify it \
                 without an account."
            }
            Self::AnyReceipt(_) => {
                "The signed receipt is attached to this file as receipt.sd-jwt. Save it from a PDF \
                 viewer and open it on that page to see whether this grant is valid today; anyone \
                 can do so without an account. A printed copy alone cannot be verified."
            }
        }
    }
}

/// Renders the certificate as a PDF file. The built-in font is used where it has all characters,
/// and else these.
pub fn render(certificate: &Certificate<'_>, fonts: &CertificateFonts) -> Result<Vec<u8>> {
    let faces = face::Faces::load(fonts).ok_or_else(|| Error::internal("a font is malformed"))?;
    let pages = layout::pages(certificate, &faces);
    draw::document(certificate, &pages)
}

#[cfg(test)]
mod tests;
