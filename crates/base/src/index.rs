//! Index types: one type for each kind of numbered items, so that indices of two kinds cannot be confused. `None` is
//! stored as a sentinel.

/// Type that [`index_type`](crate::index_type) declares: the number of an item among items of one kind.
pub trait Index: Copy + Ord {
    /// The number as an index into a slice.
    fn index(self) -> usize;
}

// Glossary: processor: A hardware thread, by the operating system's number.
/// Declares an index type that counts from 0. `Option` of an index is as small as the number itself.
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
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(transparent)]
        $visible struct $name(::core::num::NonZeroU32);

        #[allow(dead_code)]
        impl $name {
            /// The largest index: `u32::MAX - 1`.
            $visible const LAST: $name = $name(::core::num::NonZeroU32::MAX);

            /// The index of this number, which must be below `u32::MAX`.
            #[inline]
            $visible const fn new(number: u32) -> $name {
                match ::core::num::NonZeroU32::new(number.wrapping_add(1)) {
                    Some(next) => $name(next),
                    None => panic!("index out of range: `u32::MAX` is the sentinel of `None`"),
                }
            }

            /// The first `count` indices, ascending.
            $visible fn first(count: u32) -> impl DoubleEndedIterator<Item = $name> + ExactSizeIterator {
                (0..count).map($name::new)
            }

            /// The number, counted from 0.
            #[inline]
            $visible const fn number(self) -> u32 {
                self.0.get() - 1
            }

            /// The number as an index into a slice.
            #[inline]
            $visible const fn index(self) -> usize {
                self.number() as usize
            }
        }

        impl ::core::hash::Hash for $name {
            #[inline]
            fn hash<H: ::core::hash::Hasher>(&self, state: &mut H) {
                self.0.hash(state);
            }

            /// Packs two indices into a word: a list of indices is as short in a snapshot as a list of numbers.
            fn hash_slice<H: ::core::hash::Hasher>(all: &[$name], state: &mut H) {
                for pair in all.chunks(2) {
                    let low = pair.first().map_or(0, |index| index.0.get());
                    let high = pair.get(1).map_or(0, |index| index.0.get());
                    state.write_u64(u64::from(low) | u64::from(high) << 32);
                }
            }
        }

        impl $crate::Index for $name {
            #[inline]
            fn index(self) -> usize {
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
    /// A thread of a team, with its OpenMP thread number.
    pub ThreadId
}

index_type! {
    /// A hardware thread, with the operating system's number.
    pub ProcessorId
}
