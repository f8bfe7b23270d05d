//! slurm.
