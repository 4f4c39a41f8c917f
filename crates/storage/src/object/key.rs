//! Names of objects: a kind from a fixed list and a UUID, so that no name can lead out of the
//! directory or the bucket.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

/// A kind of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    /// A stored picture.
    Image,
    /// The thumbnail of a picture.
    Thumbnail,
    /// The copy of a picture in which a talent was recognized.
    Evidence,
    /// The copy of the reference image that evidence was found by.
    Reference,
    /// The picture of a license in the catalog.
    CatalogPicture,
    /// The thumbnail of a picture in the catalog.
    CatalogThumbnail,
    /// An empty marker that names the database to which the objects belong.
    Database,
}

impl ObjectKind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Image,
        Self::Thumbnail,
        Self::Evidence,
        Self::Reference,
        Self::CatalogPicture,
        Self::CatalogThumbnail,
        Self::Database,
    ];

    /// The directory of this kind's objects.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Image => "images",
            Self::Thumbnail => "thumbnails",
            Self::Evidence => "evidence",
            Self::Reference => "references",
            Self::CatalogPicture => "catalog_pictures",
            Self::CatalogThumbnail => "catalog_thumbnails",
            Self::Database => "databases",
        }
    }
}

/// An object's name, such as `images/<uuid>` or `thumbnails/<uuid>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ObjectKey {
    kind: ObjectKind,
    id: Uuid,
}

impl ObjectKey {
    /// The key of an object that belongs to the record with this id.
    #[must_use]
    pub const fn new(kind: ObjectKind, id: Uuid) -> Self {
        Self { kind, id }
    }

    /// The object's kind.
    #[must_use]
    pub const fn kind(self) -> ObjectKind {
        self.kind
    }

    /// The id of the record to which the object belongs.
    #[must_use]
    pub const fn id(self) -> Uuid {
        self.id
    }
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.kind.as_str(), self.id)
    }
}

impl FromStr for ObjectKey {
    type Err = InvalidObjectKey;

    /// Accepts exactly what [`fmt::Display`] writes, so that each object has one name.
    fn from_str(text: &str) -> Result<Self, InvalidObjectKey> {
        let (kind, id) = text.split_once('/').ok_or(InvalidObjectKey)?;
        let kind = ObjectKind::ALL.into_iter().find(|it| it.as_str() == kind);
        let id = Uuid::try_parse(id).map_err(|_| InvalidObjectKey)?;
        let key = Self { kind: kind.ok_or(InvalidObjectKey)?, id };
        if key.to_string() == text { Ok(key) } else { Err(InvalidObjectKey) }
    }
}

/// The text is not an object key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not an object key")]
pub struct InvalidObjectKey;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_has_one_name_that_leads_nowhere_else() {
        let id = "0190a5e4-7b3c-7def-8123-456789abcdef";
        for kind in ObjectKind::ALL {
            let text = format!("{}/{id}", kind.as_str());
            let key: ObjectKey = text.parse().unwrap();
            assert_eq!((key.kind(), key.id(), key.to_string()), (kind, id.parse().unwrap(), text));
        }
        for other in [
            String::new(),
            "images".into(),
            "images/".into(),
            "images/../../etc/passwd".into(),
            "images/..".into(),
            format!("/images/{id}"),
            format!("images//{id}"),
            format!("../images/{id}"),
            format!("images/../{id}"),
            format!("images/{id}/"),
            format!("images/{id}\0"),
            format!("images\\{id}"),
            format!("Images/{id}"),
            format!("mail/{id}"),
            format!("images/{}", id.to_uppercase()),
            format!("images/{{{id}}}"),
            format!("images/{}", id.replace('-', "")),
        ] {
            assert_eq!(other.parse::<ObjectKey>(), Err(InvalidObjectKey), "{other:?}");
        }
    }
}
