//! The columns of a file, matched by the names in its header.

use serde::{Deserialize, Serialize};

use super::{ImportKind, ImportRow};
use crate::error::{Error, Result};

/// A column that an import understands.
pub(super) struct Known {
    /// The name in the sample file.
    pub(super) label: &'static str,
    /// Other names, also the German ones.
    others: &'static [&'static str],
    /// The cells of the sample file.
    pub(super) samples: [&'static str; 2],
}

const fn known_as(
    label: &'static str,
    others: &'static [&'static str],
    samples: [&'static str; 2],
) -> Known {
    Known { label, others, samples }
}

static TALENTS: [Known; 9] = [
    known_as("Name", &["Full name", "Talent"], ["Zoë Lindqvist", "Marcus Okafor"]),
    known_as("External ID", &["ID", "Talent external ID", "Externe ID"], ["T-1001", "T-1002"]),
    known_as("Also known as", &["Aliases", "Alias", "Auch bekannt als"], ["Zoe L.; DJ Zoë", ""]),
    known_as("Email", &["Email address", "Mail", "E-Mail-Adresse"], ["zoe@example.com", ""]),
    known_as("Phone", &["Phone number", "Telephone", "Telefon"], ["", ""]),
    known_as("Bio", &["Biography", "About", "Kurzbiografie"], ["Singer and songwriter", "Actor"]),
    known_as("Social media", &["Social", "Profiles"], ["Instagram: @zoe; X: @zoe", ""]),
    known_as("Status", &[], ["Active", "Inactive"]),
    known_as("Tags", &["Tag"], ["Music, VIP", "Film"]),
];

static LICENSES: [Known; 16] = [
    known_as(
        "Name",
        &["Title", "License", "License name", "Titel", "Lizenz"],
        ["Winter campaign", "Podcast voice"],
    ),
    known_as("External ID", &["ID", "License external ID", "Externe ID"], ["L-2001", "L-2002"]),
    known_as("Talent", &["Talent name"], ["Zoë Lindqvist", ""]),
    known_as("Talent external ID", &["Talent ID", "Externe ID des Talents"], ["", "T-1002"]),
    known_as("Type", &["License type", "Art"], ["Advertising", "Voice"]),
    known_as("Description", &["Beschreibung"], ["Coats and scarves", ""]),
    known_as("Status", &[], ["Draft", "Draft"]),
    known_as(
        "Uses",
        &["Permitted uses", "Use", "Erlaubte Nutzungen", "Nutzungen"],
        ["Advertising; Social media", "Voice"],
    ),
    known_as(
        "Countries",
        &["Territories", "Country", "Länder", "Gebiete"],
        ["DACH; France", "Worldwide"],
    ),
    known_as("Fee", &["Price", "Amount", "Gebühr", "Preis"], ["1,500", "250"]),
    known_as("Currency", &["Währung"], ["EUR", "USD"]),
    known_as("Fee per", &["Per", "Gebühr pro"], ["Campaign", "Month"]),
    known_as("Monitoring", &["Watch", "Monitor", "Überwachung"], ["Yes", "No"]),
    known_as("Valid from", &["Starts", "Start", "Gültig ab", "Beginn"], ["2030-01-01", ""]),
    known_as(
        "Expires",
        &["Expires at", "Valid until", "Ends", "End", "Läuft ab", "Gültig bis", "Ende"],
        ["2031-12-31", ""],
    ),
    known_as("Tags", &["Tag"], ["Winter", ""]),
];

/// The columns that an import of this kind understands.
pub(super) fn known(kind: ImportKind) -> &'static [Known] {
    match kind {
        ImportKind::Talents => &TALENTS,
        ImportKind::Licenses => &LICENSES,
    }
}

/// The columns of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Columns {
    /// The name of the column that each place of a row belongs to, if it is imported.
    places: Vec<Option<String>>,
    /// The header of the columns that are not imported.
    ignored: Vec<String>,
}

impl Columns {
    /// Matches a header. Case, spaces and punctuation do not matter.
    pub fn read(kind: ImportKind, header: &[String]) -> Result<Self> {
        let mut columns = Self { places: Vec::with_capacity(header.len()), ignored: Vec::new() };
        for text in header {
            let found = known(kind).iter().find(|it| {
                plain(it.label) == plain(text)
                    || it.others.iter().any(|it| plain(it) == plain(text))
            });
            match found {
                Some(it) if columns.has(it.label) => {
                    let message = format!("must have the column {} only once", it.label);
                    return Err(Error::field("file", message));
                }
                Some(it) => columns.places.push(Some(it.label.to_owned())),
                None => {
                    columns.places.push(None);
                    let shown: String = text.trim().chars().take(50).collect();
                    columns.ignored.extend(Some(shown).filter(|it| !it.is_empty()));
                }
            }
        }
        columns.check(kind)?;
        Ok(columns)
    }

    fn check(&self, kind: ImportKind) -> Result<()> {
        let lacks = |name: &str| {
            let message = format!("must have a column {name} in its first row");
            Err(Error::field("file", message))
        };
        match kind {
            ImportKind::Talents if !self.has("Name") => lacks("Name"),
            ImportKind::Licenses if !self.has("Name") && !self.has("External ID") => lacks("Name"),
            ImportKind::Licenses if !self.has("Talent") && !self.has("Talent external ID") => {
                lacks("Talent or Talent external ID")
            }
            _ => Ok(()),
        }
    }

    /// Whether the file has this column.
    #[must_use]
    pub fn has(&self, label: &str) -> bool {
        self.places.iter().flatten().any(|it| it == label)
    }

    /// The header of the columns that are not imported.
    #[must_use]
    pub fn ignored(&self) -> &[String] {
        &self.ignored
    }

    /// The names of the columns that are imported, in the order of the file.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.places.iter().flatten().map(String::as_str)
    }

    /// The cells of a row by column.
    #[must_use]
    pub fn cells<'a>(&'a self, row: &'a ImportRow) -> Cells<'a> {
        Cells { columns: self, row }
    }
}

/// The letters and digits of a header.
fn plain(text: &str) -> String {
    text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The cells of a row by column.
#[derive(Clone, Copy, Debug)]
pub struct Cells<'a> {
    columns: &'a Columns,
    row: &'a ImportRow,
}

impl<'a> Cells<'a> {
    /// The text of a cell; `None` if it is empty or the file does not have the column.
    #[must_use]
    pub fn get(&self, label: &str) -> Option<&'a str> {
        let at = self.columns.places.iter().position(|it| it.as_deref() == Some(label))?;
        let text = self.row.cells.get(at)?.trim();
        Some(text).filter(|it| !it.is_empty())
    }

    /// Whether no column that is imported has a text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.columns.labels().all(|it| self.get(it).is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(names: &[&str]) -> Vec<String> {
        names.iter().map(|it| (*it).to_owned()).collect()
    }

    #[test]
    fn columns_are_found_by_their_names() {
        let names = header(&["E-Mail", "full_name", "Shoe size", "EXTERNAL-ID", ""]);
        let columns = Columns::read(ImportKind::Talents, &names).unwrap();
        assert_eq!(columns.labels().collect::<Vec<_>>(), ["Email", "Name", "External ID"]);
        assert_eq!(columns.ignored(), ["Shoe size"]);
        let cells = vec!["a@b.example".to_owned(), " Ada Lovelace ".to_owned(), "37".to_owned()];
        let row = ImportRow { row: 2, cells };
        let cells = columns.cells(&row);
        assert_eq!((cells.get("Name"), cells.get("External ID")), (Some("Ada Lovelace"), None));
        let empty = ImportRow { row: 3, cells: vec![" ".to_owned()] };
        assert!(columns.cells(&empty).is_empty() && !cells.is_empty());
    }

    #[test]
    fn a_file_without_its_main_columns_is_refused() {
        let refused = |kind, names: &[&str]| {
            let error = Columns::read(kind, &header(names)).unwrap_err();
            error.fields()["file"].clone()
        };
        assert_eq!(
            refused(ImportKind::Talents, &["Email"]),
            "must have a column Name in its first row"
        );
        assert_eq!(
            refused(ImportKind::Licenses, &["Title", "Type"]),
            "must have a column Talent or Talent external ID in its first row"
        );
        assert_eq!(
            refused(ImportKind::Talents, &["Name", "Full name"]),
            "must have the column Name only once"
        );
    }

    #[test]
    fn each_header_means_one_column() {
        for kind in ImportKind::ALL {
            let mut seen = Vec::new();
            for it in known(kind) {
                seen.extend(it.others.iter().chain([&it.label]).map(|it| plain(it)));
            }
            let count = seen.len();
            seen.sort();
            seen.dedup();
            assert_eq!(seen.len(), count, "{kind}");
        }
    }
}
