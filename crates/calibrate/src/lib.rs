//! Machine and runtime files fitted to measurements of a machine, and the kernels that measure.
