//! What it means to choose a move: tasks, limits, choices, parameters and the registry.
