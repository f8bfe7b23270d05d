//! The program as its users meet it, in one binary so that it links once.

mod architecture;
