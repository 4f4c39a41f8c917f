//! Rows of talents.

use super::cell::{english, parts};
use super::column::Cells;
use crate::email::Email;
use crate::error::{Error, Fields, Result};
use crate::license::ExternalId;
use crate::person::{Bio, FullName, Phone};
use crate::tag::Tags;
use crate::talent::{Aliases, SocialMedia, TalentStatus};

/// A talent as a row describes it. Empty cells are `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TalentRow {
    /// The licensed name.
    pub fullname: FullName,
    /// The agency's own ID for the talent.
    pub external_id: Option<ExternalId>,
    /// Other names.
    pub aliases: Option<Aliases>,
    /// The email address.
    pub email: Option<Email>,
    /// The phone number.
    pub phone: Option<Phone>,
    /// The bio.
    pub bio: Option<Bio>,
    /// The social media profiles.
    pub social_media: Option<SocialMedia>,
    /// Whether they are on the roster.
    pub status: Option<TalentStatus>,
    /// The tags.
    pub tags: Option<Tags>,
}

impl TalentRow {
    /// Reads a row; the error names every wrong column.
    pub fn parse(cells: &Cells<'_>) -> Result<Self> {
        let mut fields = Fields::default();
        let mut cell = Reader { cells, fields: &mut fields };
        let fullname = cell.read("Name", FullName::parse);
        let row = Unnamed {
            external_id: cell.read("External ID", ExternalId::choose),
            aliases: cell
                .read("Also known as", |it| Aliases::parse(&parts(it).collect::<Vec<_>>())),
            email: cell.read("Email", Email::parse),
            phone: cell.read("Phone", Phone::parse),
            bio: cell.read("Bio", Bio::parse),
            social_media: cell.read("Social media", social_media),
            status: cell.read("Status", status),
            tags: cell.read("Tags", Tags::parse),
        };
        if cells.get("Name").is_none() {
            fields.add("Name", "is required");
        }
        fields.finish()?;
        let fullname = fullname.ok_or_else(|| Error::field("Name", "is required"))?;
        let Unnamed { external_id, aliases, email, phone, bio, social_media, status, tags } = row;
        Ok(Self { fullname, external_id, aliases, email, phone, bio, social_media, status, tags })
    }
}

/// A talent without the name, which is required.
struct Unnamed {
    external_id: Option<ExternalId>,
    aliases: Option<Aliases>,
    email: Option<Email>,
    phone: Option<Phone>,
    bio: Option<Bio>,
    social_media: Option<SocialMedia>,
    status: Option<TalentStatus>,
    tags: Option<Tags>,
}

/// Reads cells and collects their errors.
struct Reader<'a, 'b> {
    cells: &'a Cells<'b>,
    fields: &'a mut Fields,
}

impl Reader<'_, '_> {
    fn read<T, E: std::fmt::Display>(
        &mut self,
        label: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let text = self.cells.get(label)?;
        self.fields.take(label, parse(text))
    }
}

/// Reads profiles such as `Instagram: @name; X: @name`.
fn social_media(text: &str) -> Result<SocialMedia, String> {
    let mut pairs = Vec::new();
    for part in text.split([';', '\n']).map(str::trim).filter(|it| !it.is_empty()) {
        let (platform, handle) =
            part.split_once(':').ok_or("must be written like Instagram: @name; X: @name")?;
        pairs.push((platform.trim(), handle.trim()));
    }
    SocialMedia::parse(pairs)
}

fn status(text: &str) -> Result<TalentStatus, &'static str> {
    english(text).to_lowercase().parse().map_err(|_: String| "must be Active or Inactive")
}

#[cfg(test)]
mod tests {
    use super::super::{Columns, ImportKind, ImportRow};
    use super::*;

    fn parse(cells: &[(&str, &str)]) -> Result<TalentRow> {
        let header: Vec<_> = cells.iter().map(|it| it.0.to_owned()).collect();
        let columns = Columns::read(ImportKind::Talents, &header).unwrap();
        let row = ImportRow { row: 2, cells: cells.iter().map(|it| it.1.to_owned()).collect() };
        TalentRow::parse(&columns.cells(&row))
    }

    #[test]
    fn a_row_is_a_talent() {
        let row = parse(&[
            ("Name", "Ada Lovelace"),
            ("Also known as", "Countess; A. L."),
            ("Social media", "Instagram: @ada; Site: https://ada.example"),
            ("Status", "INACTIVE"),
            ("Tags", "Math, VIP"),
            ("Email", ""),
        ])
        .unwrap();
        assert_eq!(row.fullname.as_str(), "Ada Lovelace");
        assert_eq!(row.aliases.unwrap().as_slice(), ["Countess", "A. L."]);
        assert_eq!(row.social_media.unwrap().as_map()["Site"], "https://ada.example");
        assert_eq!((row.status, row.email), (Some(TalentStatus::Inactive), None));
        assert_eq!(row.tags.unwrap().joined(), "Math, VIP");
    }

    #[test]
    fn every_wrong_cell_is_named() {
        let error = parse(&[
            ("Name", " "),
            ("External ID", "a b"),
            ("Email", "nobody"),
            ("Social media", "@ada"),
            ("Status", "retired"),
        ])
        .unwrap_err();
        let named: Vec<_> =
            error.fields().iter().map(|(name, it)| format!("{name} {it}")).collect();
        assert_eq!(
            named,
            [
                "Email must be an email address such as name@example.com",
                "External ID must be 1 to 128 letters, digits and the characters . _ : -",
                "Name is required",
                "Social media must be written like Instagram: @name; X: @name",
                "Status must be Active or Inactive",
            ]
        );
    }
}
