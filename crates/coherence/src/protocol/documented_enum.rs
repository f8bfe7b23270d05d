//! Enums whose documentation appears in printed tables.

/// Declares an enum whose variants have a name and a meaning, which is also their documentation.
macro_rules! documented_enum {
    ($(#[$about:meta])* $name:ident { $($(#[$attribute:meta])* $variant:ident = $meaning:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $(#[doc = $meaning] $(#[$attribute])* $variant,)* }

        impl $name {
            /// All variants, in the order of printed tables.
            pub const ALL: [$name; [$($name::$variant),*].len()] = [$($name::$variant),*];

            /// Name in printed tables.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => stringify!($variant),)* }
            }

            /// Meaning as a sentence.
            pub fn meaning(self) -> &'static str {
                match self { $($name::$variant => $meaning,)* }
            }
        }
    };
}

pub(super) use documented_enum;
