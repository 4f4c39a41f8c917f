//! String conversions for enums whose variants have a name in the API.

/// Implements `Display` and `FromStr` for enums that have `ALL` and `name`. The error of `FromStr`
/// is a message for a field that lists the allowed names.
macro_rules! enum_names {
    ($($type:ty),* $(,)?) => {$(
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                let found = Self::ALL.into_iter().find(|it| it.name() == text);
                let names = || Self::ALL.map(Self::name).join(", ");
                found.ok_or_else(|| format!("must be one of {}", names()))
            }
        }
    )*};
}
pub(crate) use enum_names;
