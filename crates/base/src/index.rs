//! Numbers of things in lists: a type for each kind of thing, so that none is taken for another's, and `None`
//! where there is nobody.

// Glossary: processor: A hardware thread, by the operating system's number.

/// Declares the type of an index from 0. `Option` of it takes no more room than the number itself.
///
/// ```
/// numalab_base::index_type! {
///     /// A seat of a row.
///     pub SeatId
/// }
/// let seat = SeatId::new(3);
/// assert_eq!((seat.number(), seat.index()), (3, 3));
/// assert_eq!(format!("{seat:?}"), "SeatId(3)");
/// assert_eq!(size_of::<Option<SeatId>>(), size_of::<u32>());
/// ```
#[macro_export]
macro_rules! index_type {
    ($(#[$about:meta])* $visible:vis $name:ident) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visible struct $name(::core::num::NonZeroU32);

        #[allow(dead_code)]
        impl $name {
            /// The thing of this number, which is below `u32::MAX`.
            #[inline]
            $visible const fn new(number: u32) -> $name {
                match ::core::num::NonZeroU32::new(number.wrapping_add(1)) {
                    Some(next) => $name(next),
                    None => panic!("the largest number stands for nobody"),
                }
            }

            /// The first so many, in ascending order.
            $visible fn first(count: u32) -> impl DoubleEndedIterator<Item = $name> + ExactSizeIterator {
                (0..count).map($name::new)
            }

            /// Its number, from 0.
            #[inline]
            $visible const fn number(self) -> u32 {
                self.0.get() - 1
            }

            /// Its place in a list.
            #[inline]
            $visible const fn index(self) -> usize {
                self.number() as usize
            }
        }

        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                write!(f, "{}({})", stringify!($name), self.number())
            }
        }
    };
}

index_type! {
    /// A thread of a team, numbered as OpenMP numbers it.
    pub ThreadId
}

index_type! {
    /// A hardware thread, numbered as the operating system numbers it.
    pub ProcessorId
}
