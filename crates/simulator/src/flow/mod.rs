//! Bulk data as flows over routes of the machine.

pub(crate) mod carried;
pub(crate) mod finish;
pub(crate) mod flow_network;
pub(crate) mod ideal;
pub(crate) mod loads;
pub(crate) mod origin;
pub(crate) mod owner;
pub(crate) mod pace;
pub(crate) mod rates;
