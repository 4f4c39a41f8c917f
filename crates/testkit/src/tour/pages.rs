//! The pages of the tour. A new page is a row here and nothing else.

/// Who looks at a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// Nobody is signed in.
    Nobody,
    /// The sample's agency.
    Person,
    /// The operator's staff.
    Admin,
}

/// A width, a height, and what pictures of it are called.
pub(crate) type Screen = (u32, u32, &'static str);

pub(crate) const WIDE: Screen = (1280, 900, "wide");
pub(crate) const PHONE: Screen = (390, 844, "phone");

/// The name of its pictures, its address, who looks, and on which screens the documentation
/// shows it.
///
/// What stands in braces in an address is a JSON pointer into what `grantor demo --json` prints, as
/// in `/app/licenses/{/licenses/0/licenseId}`.
pub(crate) type Row = (&'static str, &'static str, Who, &'static [Screen]);

use Who::Nobody;

pub(crate) const PAGES: &[Row] = &[
    ("documentation", "/docs/", Nobody, &[]),
    ("magic-link", "/app/magic?token=sample", Nobody, &[WIDE, PHONE]),
];
