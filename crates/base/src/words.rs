//! Enums whose values are words in files. Each word is declared once, next to its value and
//! description.

use std::fmt::Debug;

/// Words of an enum, for files and their schema.
#[derive(Debug, PartialEq, Eq)]
pub struct Words {
    /// Name in the schema of the files.
    pub name: &'static str,
    /// Description of the enum.
    pub doc: &'static str,
    /// Words and their descriptions.
    pub all: &'static [(&'static str, &'static str)],
}

/// An enum that [`words!`](crate::words!) declares.
pub trait Word: Copy + Debug + PartialEq + 'static {
    const WORDS: &'static Words;
    /// The word for a value in files.
    fn word(self) -> &'static str;
    /// The value of a word; `None` if no value has the word.
    fn from_word(word: &str) -> Option<Self>;
}

/// Declares an enum with a word for each value. A schema name after `as` allows the enum in files;
/// the doc comment of a value then describes its word in the schema. With `#[derive(Default)]`,
/// `(default)` follows the word of the default.
#[macro_export]
macro_rules! words {
    ($(#[doc = $doc:literal])* $(#[derive($derive:ident)])? pub enum $name:ident as $file:literal {
        $($(#[doc = $text:literal])* $value:ident = $word:literal $(($mark:ident))?,)+
    }) => {
        $crate::words! {
            $(#[doc = $doc])* $(#[derive($derive)])?
            pub enum $name { $($(#[doc = $text])* $value = $word $(($mark))?,)+ }
        }

        impl $crate::Word for $name {
            const WORDS: &'static $crate::Words = &$crate::Words {
                name: $file,
                doc: concat!($($doc, "\n"),*),
                all: &[$(($word, concat!($($text, "\n"),*))),+],
            };
            fn word(self) -> &'static str {
                self.name()
            }
            fn from_word(word: &str) -> Option<$name> {
                $name::from_name(word)
            }
        }

        impl $crate::parameter::Field for $name {
            const KIND: $crate::parameter::Kind = $crate::parameter::Kind::Word(<$name as $crate::Word>::WORDS);
            fn value(&self) -> $crate::parameter::Value {
                $crate::parameter::Value::Word(self.name())
            }
            fn from_value(value: $crate::parameter::Value) -> Option<$name> {
                value.word().and_then($name::from_name)
            }
        }
    };
    ($(#[doc = $doc:literal])* $(#[derive($derive:ident)])? pub enum $name:ident {
        $($(#[doc = $text:literal])* $value:ident = $word:literal $(($mark:ident))?,)+
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $(#[derive($derive)])?
        pub enum $name { $($(#[doc = $text])* $(#[$mark])? $value,)+ }

        impl $name {
            /// Every value, in the order of declaration.
            pub const ALL: [$name; [$($word),+].len()] = [$($name::$value),+];

            /// The words, in the order of declaration.
            pub const NAMES: [&'static str; [$($word),+].len()] = [$($word),+];

            /// The word in files and on the command line.
            pub fn name(self) -> &'static str {
                match self { $($name::$value => $word,)+ }
            }

            /// The value of a word; `None` if no value has the word.
            pub fn from_name(name: &str) -> Option<$name> {
                $name::ALL.into_iter().find(|value| value.name() == name)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}
