//! Statement parameters and column values, the same for both engines.

use std::error::Error as StdError;
use std::rc::Rc;

use grantor_domain::Timestamp;
use rusqlite::types::{ToSqlOutput, Value as SqliteValue, ValueRef};
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use uuid::Uuid;

/// One parameter of a statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value<'a> {
    Null,
    Bool(bool),
    Integer(i64),
    Real(f64),
    Text(&'a str),
    Bytes(&'a [u8]),
    Uuid(Uuid),
    /// For `= ANY($1)`, which looks up many keys at once.
    Uuids(&'a [Uuid]),
}

/// A parameter as PostgreSQL gets it; `None` is NULL.
#[derive(Debug)]
pub(crate) struct Encoded(pub(crate) Option<BytesMut>);

/// A type that can be a statement parameter.
pub(crate) trait Param {
    fn value(&self) -> Value<'_>;
}

macro_rules! param {
    ($($type:ty, $self:ident => $value:expr;)*) => {$(
        impl Param for $type {
            fn value(&self) -> Value<'_> {
                let $self = self;
                $value
            }
        }
    )*};
}

param! {
    bool, it => Value::Bool(*it);
    i64, it => Value::Integer(*it);
    u32, it => Value::Integer(i64::from(*it));
    f64, it => Value::Real(*it);
    str, it => Value::Text(it);
    String, it => Value::Text(it);
    Vec<u8>, it => Value::Bytes(it);
    [u8], it => Value::Bytes(it);
    Uuid, it => Value::Uuid(*it);
    Vec<Uuid>, it => Value::Uuids(it);
    [Uuid], it => Value::Uuids(it);
    Timestamp, it => Value::Integer(it.as_micros());
}

impl<T: Param> Param for Option<T> {
    fn value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, Param::value)
    }
}

impl<T: Param + ?Sized> Param for &T {
    fn value(&self) -> Value<'_> {
        (**self).value()
    }
}

/// Lists parameters: `params![id, name, &now]`.
macro_rules! params {
    ($($param:expr),* $(,)?) => {
        &[$($crate::value::Param::value(&$param)),*]
    };
}
pub(crate) use params;

/// The parameters of a statement that looks up `N` keys. Fewer keys are padded by repeating the
/// last one, which does not change the result. There must be at least one key.
pub(crate) fn padded<P: Param, const N: usize>(keys: &[P]) -> [Value<'_>; N] {
    std::array::from_fn(|at| keys[at.min(keys.len() - 1)].value())
}

/// Declares how the typed ids of the domain are stored.
macro_rules! id_params {
    ($($id:ident),* $(,)?) => {$(
        impl Param for grantor_domain::id::$id {
            fn value(&self) -> Value<'_> {
                Value::Uuid(self.as_uuid())
            }
        }

        impl Column for grantor_domain::id::$id {
            fn from_sqlite(value: ValueRef<'_>) -> Option<Self> {
                Uuid::from_sqlite(value).map(Self::from)
            }

            fn from_postgres(row: &tokio_postgres::Row, index: usize) -> Option<Self> {
                Uuid::from_postgres(row, index).map(Self::from)
            }
        }
    )*};
}

id_params!(
    TenantId,
    UserId,
    AdminId,
    ClientId,
    LicenseId,
    TalentId,
    LogId,
    EventId,
    MailId,
    SessionId,
    InvitationId,
    ExchangeId,
    ChoreId,
    ImageId,
    CatalogPictureId,
    LicenseTemplateId,
    PermissionId,
    PlatformId,
    MentionId,
    EvidenceId,
    BookmarkId,
    WebhookId,
    DeliveryId,
    TeamId,
    PaxId,
    PodId,
    SourceId,
    FeedId,
    WebSubId,
    PushId,
    ProfileId,
    RunId,
    CardId,
    SubscriptionId,
    BillId,
    ExportId,
    TemplateId,
    RequestId,
    OfferId,
    MessageId,
    GrantId,
    SharedReceiptId,
    NoticeId,
    ChatAddressId,
    ChatMessageId,
    CaseCommentId,
    CaseLetterId,
    SavedViewId,
    StaffViewId,
    HelpRequestId,
    TagId,
    BatchId,
    PasskeyId,
    NodeId,
);

/// A type that a column can be read as. `None` means that the column has another type.
pub(crate) trait Column: Sized {
    fn from_sqlite(value: ValueRef<'_>) -> Option<Self>;
    fn from_postgres(row: &tokio_postgres::Row, index: usize) -> Option<Self>;
}

macro_rules! column {
    ($($type:ty, $sqlite:pat => $value:expr;)*) => {$(
        impl Column for $type {
            fn from_sqlite(value: ValueRef<'_>) -> Option<Self> {
                match value {
                    $sqlite => $value,
                    _ => None,
                }
            }

            fn from_postgres(row: &tokio_postgres::Row, index: usize) -> Option<Self> {
                row.try_get(index).ok()
            }
        }
    )*};
}

column! {
    bool, ValueRef::Integer(it) => Some(it != 0);
    i64, ValueRef::Integer(it) => Some(it);
    f64, ValueRef::Real(it) => Some(it);
    String, ValueRef::Text(it) => std::str::from_utf8(it).ok().map(str::to_owned);
    Vec<u8>, ValueRef::Blob(it) => Some(it.to_vec());
    Uuid, ValueRef::Blob(it) => Uuid::from_slice(it).ok();
}

impl Column for Timestamp {
    fn from_sqlite(value: ValueRef<'_>) -> Option<Self> {
        i64::from_sqlite(value).map(Self::from_micros)
    }

    fn from_postgres(row: &tokio_postgres::Row, index: usize) -> Option<Self> {
        i64::from_postgres(row, index).map(Self::from_micros)
    }
}

impl Column for u32 {
    fn from_sqlite(value: ValueRef<'_>) -> Option<Self> {
        i64::from_sqlite(value).and_then(|it| Self::try_from(it).ok())
    }

    fn from_postgres(row: &tokio_postgres::Row, index: usize) -> Option<Self> {
        i64::from_postgres(row, index).and_then(|it| Self::try_from(it).ok())
    }
}

impl<T: Column> Column for Option<T> {
    fn from_sqlite(value: ValueRef<'_>) -> Option<Self> {
        match value {
            ValueRef::Null => Some(None),
            other => T::from_sqlite(other).map(Some),
        }
    }

    fn from_postgres(row: &tokio_postgres::Row, index: usize) -> Option<Self> {
        match row.try_get::<_, Option<Anything>>(index) {
            Ok(None) => Some(None),
            Ok(Some(Anything)) => T::from_postgres(row, index).map(Some),
            Err(_) => None,
        }
    }
}

/// Reads any type, to tell NULL from a value.
struct Anything;

impl<'a> tokio_postgres::types::FromSql<'a> for Anything {
    fn from_sql(_: &Type, _: &'a [u8]) -> Result<Self, Box<dyn StdError + Sync + Send>> {
        Ok(Self)
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

impl rusqlite::ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::Borrowed(ValueRef::Null),
            Self::Bool(it) => ToSqlOutput::Borrowed(ValueRef::Integer(i64::from(*it))),
            Self::Integer(it) => ToSqlOutput::Borrowed(ValueRef::Integer(*it)),
            Self::Real(it) => ToSqlOutput::Borrowed(ValueRef::Real(*it)),
            Self::Text(it) => ToSqlOutput::Borrowed(ValueRef::Text(it.as_bytes())),
            Self::Bytes(it) => ToSqlOutput::Borrowed(ValueRef::Blob(it)),
            Self::Uuid(it) => ToSqlOutput::Borrowed(ValueRef::Blob(it.as_bytes())),
            Self::Uuids(it) => {
                let keys = it.iter().map(|it| SqliteValue::Blob(it.as_bytes().to_vec())).collect();
                ToSqlOutput::from_rc::<Vec<SqliteValue>>(Rc::new(keys), c"rarray")
            }
        })
    }
}

impl ToSql for Value<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Bool(it) => it.to_sql_checked(ty, out),
            Self::Integer(it) if *ty == Type::INT4 => i32::try_from(*it)?.to_sql(ty, out),
            Self::Integer(it) => it.to_sql_checked(ty, out),
            Self::Real(it) => it.to_sql_checked(ty, out),
            Self::Text(it) => it.to_sql_checked(ty, out),
            Self::Bytes(it) => it.to_sql_checked(ty, out),
            Self::Uuid(it) => it.to_sql_checked(ty, out),
            Self::Uuids(it) => it.to_sql_checked(ty, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl ToSql for Encoded {
    fn to_sql(
        &self,
        _: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        let Some(bytes) = &self.0 else { return Ok(IsNull::Yes) };
        out.extend_from_slice(bytes);
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}
