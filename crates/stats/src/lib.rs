//! The statistics of matches: who is stronger, by how much, and how sure we are.
//!
//! Nothing here knows the game. Results come in as counts of games ([`Trinomial`]) or, better,
//! of color-swapped pairs ([`Pentanomial`]): a pair cancels the luck of its opening, so the same
//! games say more when they are counted in pairs.
//!
//! ```
//! use stats::{Estimate, Pentanomial, Trinomial};
//!
//! let games = Estimate::of(&Trinomial::new(42, 0, 18));
//! assert_eq!(format!("{:.1} ± {:.1}", games.elo, games.elo_error), "147.2 ± 99.9");
//!
//! let pairs = Estimate::of(&Pentanomial([1, 0, 16, 0, 13]));
//! assert_eq!(format!("{:.1} ± {:.1}", pairs.elo, pairs.elo_error), "147.2 ± 84.4");
//! ```

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod classic;
mod counts;
mod distribution;
mod elo;
mod likelihood;
mod math;
mod matrix;
mod rating;
mod sprt;
mod spsa;
mod unbiased;

pub use classic::{ClassicElo, START_RATING};
pub use counts::{Outcomes, Pentanomial, Trinomial};
pub use elo::{Estimate, NELO_PER_T, Z95, elo_of_score, rating_text, score_of_elo};
pub use likelihood::{EloModel, llr};
pub use rating::{Encounter, RatingError, RatingOptions, Ratings, bounded, rate};
pub use sprt::{Overshoot, Sprt, SprtError, Trial, Verdict};
pub use spsa::{SpsaSchedule, SpsaStep};
pub use unbiased::{UnbiasedElo, unbiased_elo};
