//! Variants, names and string conversions of enums whose variants have a name in the API.

/// Adds `ALL` to enums that derive `VariantArray`.
macro_rules! enum_variants {
    ($($type:ty),* $(,)?) => {$(
        impl $type {
            /// All variants, in the order of their declaration. Documents and messages list them in
            /// this order.
            pub const ALL: [Self; <Self as strum::VariantArray>::VARIANTS.len()] = {
                let all = <Self as strum::VariantArray>::VARIANTS.as_array();
                let Some(all) = all else { unreachable!() };
                *all
            };
        }
    )*};
}
pub(crate) use enum_variants;

/// Implements `Display` and `FromStr` for enums that have `ALL` and `name`. The error of `FromStr`
/// is a message for a field that lists the allowed names.
macro_rules! enum_text {
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
pub(crate) use enum_text;

/// Adds `ALL`, `name`, `Display` and `FromStr` to enums that derive `VariantArray` and
/// `VariantNames`.
macro_rules! enum_names {
    ($($type:ty),* $(,)?) => {
        $crate::enum_names::enum_variants!($($type),*);
        $crate::enum_names::enum_text!($($type),*);
        $(
            impl $type {
                /// The name in the API, the database, forms and the log.
                #[must_use]
                pub const fn name(self) -> &'static str {
                    <Self as strum::VariantNames>::VARIANTS[self as usize]
                }
            }

            // The names are in the order of the variants, so a discriminant must be a place in it.
            const _: () = {
                let mut place = 0;
                while place < <$type>::ALL.len() {
                    assert!(<$type>::ALL[place] as usize == place);
                    place += 1;
                }
            };
        )*
    };
}
pub(crate) use enum_names;
