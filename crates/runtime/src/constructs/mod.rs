//! Constructs inside a region, each in a file of its own.
