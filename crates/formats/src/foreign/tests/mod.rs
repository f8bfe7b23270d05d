//! Samples of every layout, mistakes in them, and whatever else a file may hold.
