//! Additional fonts, for characters that the built-in font lacks.

use std::fmt;
use std::sync::Arc;

use krilla::text::Font;
use rustybuzz::Face;
use rustybuzz::ttf_parser::{Permissions, fonts_in_collection};
use thiserror::Error;

/// Fonts that the operator adds for characters that the built-in font of certificates lacks, in the
/// order in which they are tried.
#[derive(Clone, Default)]
pub struct CertificateFonts(Vec<FontFile>);

#[derive(Clone)]
struct FontFile {
    data: Arc<Vec<u8>>,
    /// How many fonts the file contains: one, or those of a collection.
    count: u32,
}

/// Why a file cannot be used as a font.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum InvalidFont {
    /// It is another kind of file, or damaged.
    #[error("is not a TrueType or OpenType font")]
    Format,
    /// Its license does not allow it to be part of a document.
    #[error("is a font that must not be embedded in documents, as the file itself says")]
    Restricted,
}

impl CertificateFonts {
    /// Adds the font in a TrueType or OpenType file, or all fonts of a collection.
    pub fn add(&mut self, data: Vec<u8>) -> Result<(), InvalidFont> {
        let data = Arc::new(data);
        let count = fonts_in_collection(&data).unwrap_or(1);
        if count == 0 {
            return Err(InvalidFont::Format);
        }
        for index in 0..count {
            let face = Face::from_slice(&data, index).ok_or(InvalidFont::Format)?;
            if face.permissions() == Some(Permissions::Restricted) {
                return Err(InvalidFont::Restricted);
            }
            Font::new(Arc::clone(&data).into(), index).ok_or(InvalidFont::Format)?;
        }
        self.0.push(FontFile { data, count });
        Ok(())
    }

    /// The number of fonts.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|it| it.count).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each font: its file, and its place in the file.
    pub(super) fn each(&self) -> impl Iterator<Item = (&Arc<Vec<u8>>, u32)> {
        self.0.iter().flat_map(|it| (0..it.count).map(move |index| (&it.data, index)))
    }
}

impl fmt::Debug for CertificateFonts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CertificateFonts").field("len", &self.len()).finish()
    }
}
