//! The names of objects. They are made by the house alone, of a word from a closed list and a UUID,
//! so that no name can lead out of the folder or the bucket.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    /// A picture as it is kept.
    Image,
    /// The small one made of it.
    Thumbnail,
    /// Names the database that the objects belong to; it holds nothing.
    Database,
}

impl ObjectKind {
    /// The kinds there are.
    pub const ALL: [Self; 3] = [Self::Image, Self::Thumbnail, Self::Database];

    /// The folder of its objects.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Image => "images",
            Self::Thumbnail => "thumbnails",
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
    /// The key of a kind of object that belongs to the record of this id.
    #[must_use]
    pub const fn new(kind: ObjectKind, id: Uuid) -> Self {
        Self { kind, id }
    }

    /// What the object is.
    #[must_use]
    pub const fn kind(self) -> ObjectKind {
        self.kind
    }

    /// The record it belongs to.
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

    /// Takes exactly what [`fmt::Display`] writes, so that one object has one name.
    fn from_str(text: &str) -> Result<Self, InvalidObjectKey> {
        let (kind, id) = text.split_once('/').ok_or(InvalidObjectKey)?;
        let kind = ObjectKind::ALL.into_iter().find(|it| it.as_str() == kind);
        let id = Uuid::try_parse(id).map_err(|_| InvalidObjectKey)?;
        let key = Self { kind: kind.ok_or(InvalidObjectKey)?, id };
        if key.to_string() == text { Ok(key) } else { Err(InvalidObjectKey) }
    }
}

/// The text names no object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not the name of an object")]
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
