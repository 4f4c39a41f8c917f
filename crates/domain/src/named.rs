//! Values with a name on the wire: shown by it and found by it.

/// Gives types that have `ALL` and `name` their `Display` and `FromStr`. The error is a field's
/// message that lists what would have fit.
macro_rules! named {
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
pub(crate) use named;
