//! File types beside the types that they become: which field is which, both ways, is said once.

use crate::quantity::Quantity;
use numalab_machine::Crowding;

/// A value as a file holds it, of a value as the simulator does.
pub(crate) trait InFile<T> {
    /// The simulator's value.
    fn read(&self) -> T;
    /// The file's value.
    fn write(value: &T) -> Self;
}

impl<T: Copy> InFile<T> for Quantity<T> {
    fn read(&self) -> T {
        self.0
    }
    fn write(value: &T) -> Self {
        Quantity(*value)
    }
}

impl<T, F: InFile<T>> InFile<Option<T>> for Option<F> {
    fn read(&self) -> Option<T> {
        self.as_ref().map(F::read)
    }
    fn write(value: &Option<T>) -> Self {
        value.as_ref().map(F::write)
    }
}

impl InFile<Crowding> for Vec<[f64; 2]> {
    fn read(&self) -> Crowding {
        Crowding(self.iter().map(|&[lines, fraction]| (lines, fraction)).collect())
    }
    fn write(value: &Crowding) -> Self {
        value.0.iter().map(|&(lines, fraction)| [lines, fraction]).collect()
    }
}

/// Numbers are the same in both.
macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl InFile<$number> for $number {
            fn read(&self) -> $number {
                *self
            }
            fn write(value: &$number) -> $number {
                *value
            }
        })*
    };
}

numbers!(f64, u32, u8);

/// Tables whose keys are the fields of a type. A field that is missing here does not compile.
macro_rules! mirror {
    ($file:ident for $target:ident { $($field:ident),* $(,)? }) => {
        impl $crate::mirror::InFile<$target> for $file {
            fn read(&self) -> $target {
                $target { $($field: $crate::mirror::InFile::read(&self.$field),)* }
            }
            fn write(value: &$target) -> $file {
                $file { $($field: $crate::mirror::InFile::write(&value.$field),)* }
            }
        }
    };
}

/// Words that stand one for one for the values of a type.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident for $target:ty { $($(#[$word_doc:meta])* $word:ident = $value:path,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub(crate) enum $name { $($(#[$word_doc])* $word,)* }
        impl From<$name> for $target {
            fn from(word: $name) -> $target {
                match word { $($name::$word => $value,)* }
            }
        }
        impl From<$target> for $name {
            fn from(value: $target) -> $name {
                match value { $($value => $name::$word,)* }
            }
        }
    };
}

pub(crate) use {mirror, words};
