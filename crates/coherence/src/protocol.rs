//! Protocol tables: one row for each state of a directory and each request to it.
