//! Differential evolution, SPSA, CMA-ES and regression behind one ask/tell trait.
