//! The macro that declares tables of parameters.

/// Declares a struct of parameters, each with its description, unit (the type), default after `=`, and
/// [`Rule`](crate::parameter::Rule)s in brackets:
///
/// ```
/// numalab_base::parameters! {
///     /// One core.
///     pub struct Core as "CoreFile" {
///         /// Clock.
///         clock: numalab_base::Frequency,
///         /// Hardware threads.
///         threads: u32 = 1 => [at_least(1.0)],
///     }
/// }
/// ```
///
/// `new` takes the parameters without a default. `with defaults` before the braces implements
/// `Default`; every parameter must then have a default. `Core::threads` is the declaration
/// of the field `threads`.
#[macro_export]
macro_rules! parameters {
    ($(#[doc = $doc:literal])* pub struct $name:ident as $file:literal with defaults {
        $($(#[doc = $text:literal])* $field:ident: $type:ty = $default:expr
            $(=> [$($rule:ident $(($bound:expr))?),+])?),* $(,)?
    }) => {
        $crate::parameters! {
            $(#[doc = $doc])*
            pub struct $name as $file {
                $($(#[doc = $text])* $field: $type = $default $(=> [$($rule $(($bound))?),+])?,)*
            }
        }
        impl Default for $name {
            fn default() -> $name {
                $name::new()
            }
        }
    };
    ($(#[doc = $doc:literal])* pub struct $name:ident as $file:literal {
        $($(#[doc = $text:literal])* $field:ident: $type:ty $(= $default:expr)?
            $(=> [$($rule:ident $(($bound:expr))?),+])?),* $(,)?
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name { $($(#[doc = $text])* pub $field: $type,)* }

        $crate::parameters!(@new $name () () $({ $field: $type $(= $default)? })*);

        // Declarations, by the names of the fields.
        #[allow(non_upper_case_globals)]
        impl $name {
            $($(#[doc = $text])*
            pub const $field: &'static $crate::parameter::Parameter = &$crate::parameter::Parameter {
                table: $file,
                name: stringify!($field),
                doc: concat!($($text, "\n"),*),
                kind: <$type as $crate::parameter::Field>::KIND,
                optional: <$type as $crate::parameter::Field>::OPTIONAL,
                default: $crate::parameters!(@default $type $(, $default)?),
                rule: $crate::parameter::Rule::NONE$($(.$rule($($bound)?))+)?,
            };)*
        }

        impl $crate::parameter::Parameters for $name {
            const SECTION: &'static $crate::parameter::Section = &$crate::parameter::Section {
                name: $file,
                doc: concat!($($doc, "\n"),*),
                parameters: &[$(*<$name>::$field),*],
            };
            fn values(&self) -> Vec<$crate::parameter::Value> {
                vec![$($crate::parameter::Field::value(&self.$field)),*]
            }
            fn from_values(values: Vec<$crate::parameter::Value>) -> Option<$name> {
                let mut values = values.into_iter();
                Some($name { $($field: $crate::parameter::Field::from_value(values.next()?)?,)* })
            }
        }

        impl $crate::parameter::Field for $name {
            const KIND: $crate::parameter::Kind =
                $crate::parameter::Kind::Table(<$name as $crate::parameter::Parameters>::SECTION);
            fn value(&self) -> $crate::parameter::Value {
                $crate::parameter::Value::Table($crate::parameter::Parameters::values(self))
            }
            fn from_value(value: $crate::parameter::Value) -> Option<$name> {
                $crate::parameter::Parameters::from_values(value.table()?)
            }
        }
    };
    // A constructor that takes the parameters without a default.
    (@new $name:ident ($($needed:ident: $type:ty,)*) ($($other:ident = $default:expr,)*)) => {
        impl $name {
            /// Creates the table from the parameters without a default.
            pub fn new($($needed: $type),*) -> $name {
                $name { $($needed,)* $($other: $default,)* }
            }
        }
    };
    (@new $name:ident $needed:tt ($($other:tt)*) { $field:ident: $type:ty = $default:expr } $($rest:tt)*) => {
        $crate::parameters!(@new $name $needed ($($other)* $field = $default,) $($rest)*);
    };
    (@new $name:ident ($($needed:tt)*) $other:tt { $field:ident: $type:ty } $($rest:tt)*) => {
        $crate::parameters!(@new $name ($($needed)* $field: $type,) $other $($rest)*);
    };
    (@default $type:ty) => { None };
    (@default $type:ty, $default:expr) => {
        Some(|| {
            let default: $type = $default;
            $crate::parameter::Field::value(&default)
        })
    };
}
