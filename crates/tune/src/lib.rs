//! Differential evolution, SPSA, CMA-ES and regression behind one ask/tell trait.

mod cma;
mod de;
mod matrix;
mod optimizer;
mod space;
mod spsa;

pub use cma::CmaEs;
pub use de::{Answer, Evolution, Settings};
pub use optimizer::{Duel, Method, Optimizer};
pub use space::{Gene, GeneKind, Genome, Space, SpaceError};
pub use spsa::Spsa;
