//! Calibration: machine and runtime files fitted to measurements of a machine, and the kernels that measure.

mod budget;
mod compile;
pub mod doctor;
pub mod experiments;
mod export;
pub mod fit;
mod kernels;
pub mod loops;
mod process;
mod run;
mod synthesize;
mod together;

pub use budget::{Budget, BudgetError};
pub use compile::{CompileError, Compiler, Program, Trouble};
pub use experiments::{Experiment, Role};
pub use export::{ExportError, export};
pub use kernels::kernels;
pub use loops::{LoopCost, OwnLoop};
pub use run::{KernelRun, Measuring, RunError, Watch, run};
pub use synthesize::synthesize;
pub use together::{SlowPair, slow_pairs};
