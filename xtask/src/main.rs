//! Repository chores: test set-up, budgets, fuzzing.

fn main() {}
