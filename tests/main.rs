//! The program as its users meet it, in one binary so that it links once.

mod architecture;
mod bad_input;
mod bare;
mod binding;
mod book;
mod calibrate;
mod catalogue;
mod command_line;
mod compare;
mod delivery;
mod determinism;
mod explain;
mod goldens;
mod host_validation;
mod linux_pages;
mod lookup;
mod machines;
mod nothing_lost;
mod other_words;
mod over_time;
mod packages;
mod pages;
mod places;
mod protocols;
mod readme;
mod record;
mod replay;
mod runtimes;
mod series;
#[cfg(unix)]
mod slurm;
mod support;
mod sweep;
mod versions;
mod views;
