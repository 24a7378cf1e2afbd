//! Elo, likelihood of superiority, pentanomial SPRT and Bradley-Terry ratings.
