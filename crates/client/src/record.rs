//! Parts that several records have.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A record and its entity tag, which a later change may require.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versioned<T> {
    /// The record.
    pub value: T,
    /// The entity tag, for `If-Match`.
    pub etag: Option<String>,
}

/// A record that is named by another one.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Named {
    /// The ID.
    pub id: String,
    /// The name or title.
    pub name: String,
    /// Members that this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// An organization, or a person who manages themselves.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Party {
    /// The ID.
    pub id: String,
    /// The name.
    pub name: String,
    /// The type, such as `Agency`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Members that this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A fee.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Fee {
    /// The amount, a decimal number.
    pub amount: String,
    /// The ISO 4217 currency code.
    pub currency: String,
    /// What the fee is for, such as `month`.
    pub per: String,
    /// Members that this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}
