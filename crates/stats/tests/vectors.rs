//! Every group of published and independently computed numbers in `data/stats_vectors.json`.

use player::{SplitMix64, permutation};
use serde_json::Value;
use stats::*;

const ELO_TOLERANCE: f64 = 1e-6;
const LLR_TOLERANCE: f64 = 1e-6;

/// Groups checked elsewhere: seeds are derived with SHA-256 in `arena`.
const ELSEWHERE: [&str; 1] = ["seed_derivation"];
/// Groups that are words, not numbers.
const WORDS: [&str; 2] = ["meta", "bradley_terry_conventions"];
/// Groups checked below.
const CHECKED: [&str; 16] = [
    "elo_of_score",
    "score_of_elo",
    "trinomial",
    "pentanomial",
    "penta_vs_tri_same_games",
    "sprt_bounds",
    "llr",
    "trace_h1",
    "trace_h0",
    "bradley_terry",
    "spsa_schedule",
    "splitmix64",
    "opening_permutation",
    "fishtest_sprt_elo",
    "fishtest_overshoot_stop",
    "ordo_crosscheck",
];

fn vectors() -> Value {
    serde_json::from_str(include_str!("data/stats_vectors.json")).unwrap()
}

fn rows(group: &str) -> Vec<Value> {
    vectors()[group].as_array().unwrap().clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn hex(value: &Value) -> u64 {
    u64::from_str_radix(value.as_str().unwrap().trim_start_matches("0x"), 16).unwrap()
}

fn counts<const N: usize>(value: &Value) -> [u64; N] {
    let counts: Vec<u64> = value.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    counts.try_into().unwrap()
}

/// Close in absolute terms, or relative ones for large and tiny numbers alike.
fn close(what: &str, ours: f64, theirs: &Value, tolerance: f64) {
    if theirs.is_null() {
        assert!(!ours.is_finite(), "{what}: {ours} should be infinite");
        return;
    }
    let theirs = number(theirs);
    let allowed = tolerance * theirs.abs().max(1.0);
    assert!((ours - theirs).abs() <= allowed, "{what}: {ours} is not {theirs}");
}

fn close_relative(what: &str, ours: f64, theirs: &Value, tolerance: f64) {
    let theirs = number(theirs);
    let distance = (ours - theirs).abs() / theirs.abs().max(f64::MIN_POSITIVE);
    assert!(ours == theirs || distance <= tolerance, "{what}: {ours} is not {theirs}");
}

fn model(row: &Value) -> EloModel {
    serde_json::from_value(row["model"].clone()).unwrap()
}

fn sprt(row: &Value) -> Sprt {
    Sprt {
        elo0: number(&row["elo0"]),
        elo1: number(&row["elo1"]),
        alpha: row["alpha"].as_f64().unwrap_or(0.05),
        beta: row["beta"].as_f64().unwrap_or(0.05),
        model: model(row),
        min_pairs: 0,
        overshoot: false,
    }
}

#[test]
fn no_group_is_forgotten() {
    for group in vectors().as_object().unwrap().keys() {
        let group = group.as_str();
        let known =
            CHECKED.contains(&group) || ELSEWHERE.contains(&group) || WORDS.contains(&group);
        assert!(known, "the group {group} is not checked");
    }
}

#[test]
fn constants_are_the_stated_ones() {
    let meta = &vectors()["meta"];
    assert_eq!(Z95, number(&meta["z95"]));
    assert_eq!(NELO_PER_T, number(&meta["nelo_per_t"]));
    assert_eq!(ELO_TOLERANCE, number(&meta["suggested_tolerance"]["elo"]));
    assert_eq!(LLR_TOLERANCE, number(&meta["suggested_tolerance"]["llr"]));
}

#[test]
fn elo_and_score_convert() {
    for row in rows("elo_of_score") {
        close("elo", elo_of_score(number(&row["score"])), &row["elo"], ELO_TOLERANCE);
    }
    for row in rows("score_of_elo") {
        close("score", score_of_elo(number(&row["elo"])), &row["score"], 1e-12);
    }
}

fn check_estimate<O: Outcomes>(outcomes: &O, row: &Value) {
    let what = row["counts"].to_string();
    let e = Estimate::of(outcomes);
    assert_eq!(outcomes.samples(), row["samples"].as_u64().unwrap(), "{what}");
    assert_eq!(e.games, row["games"].as_u64().unwrap(), "{what}");
    close(&what, e.score, &row["score"], 1e-12);
    close(&what, e.variance, &row["var_sample"], 1e-12);
    close(&what, e.sigma_per_game, &row["sigma_per_game"], 1e-12);
    close(&what, e.elo, &row["elo"], ELO_TOLERANCE);
    close(&what, e.elo_low, &row["elo_lo"], ELO_TOLERANCE);
    close(&what, e.elo_high, &row["elo_hi"], ELO_TOLERANCE);
    close(&what, e.elo_error, &row["elo_err"], ELO_TOLERANCE);
    close_relative(&what, e.los, &row["los"], 1e-9);
    for (ours, theirs) in [(e.nelo, row.get("nelo")), (e.nelo_error, row.get("nelo_err"))] {
        match theirs {
            Some(theirs) => close(&what, ours.unwrap(), theirs, ELO_TOLERANCE),
            None => assert_eq!(ours, None, "{what}"),
        }
    }
}

#[test]
fn games_are_estimated() {
    for row in rows("trinomial") {
        let games = Trinomial(counts(&row["counts"]));
        check_estimate(&games, &row);
        close("draw ratio", games.draw_ratio(), &row["draw_ratio"], 1e-12);
    }
}

#[test]
fn pairs_are_estimated() {
    for row in rows("pentanomial") {
        let pairs = Pentanomial(counts(&row["counts"]));
        check_estimate(&pairs, &row);
        close("level pairs", pairs.draw_ratio(), &row["draw_ratio_pairs"], 1e-12);
    }
}

#[test]
fn pairs_say_more_than_their_games() {
    for row in rows("penta_vs_tri_same_games") {
        let pairs = Estimate::of(&Pentanomial(counts(&row["penta"])));
        let games = Estimate::of(&Trinomial(counts(&row["tri"])));
        close("score", pairs.score, &row["score"], 1e-12);
        close("score", games.score, &row["score"], 1e-12);
        close("pairs", pairs.elo_error, &row["elo_err_penta"], ELO_TOLERANCE);
        close("games", games.elo_error, &row["elo_err_tri"], ELO_TOLERANCE);
        let ratio = (pairs.sigma_per_game / games.sigma_per_game).powi(2);
        close("variance", ratio, &row["variance_ratio"], 1e-9);
    }
}

#[test]
fn bounds_are_walds() {
    for row in rows("sprt_bounds") {
        let (alpha, beta) = (number(&row["alpha"]), number(&row["beta"]));
        let test = Sprt { alpha, beta, ..Sprt::new(0.0, 5.0).unwrap() };
        let (lower, upper) = test.bounds();
        close("lower", lower, &row["lower"], 1e-12);
        close("upper", upper, &row["upper"], 1e-12);
    }
}

fn check_llr<O: Outcomes>(outcomes: &O, row: &Value) {
    let what = row.to_string();
    let (elo0, elo1, model) = (number(&row["elo0"]), number(&row["elo1"]), model(row));
    close(&what, llr(outcomes, elo0, elo1, model), &row["llr"], LLR_TOLERANCE);
    if let Some(published) = row.get("published") {
        // Published to two decimals, by tools that solve less exactly.
        close(&what, llr(outcomes, elo0, elo1, model), published, 6e-3);
    }
}

#[test]
fn likelihood_ratios_are_exact() {
    for row in rows("llr") {
        match row["counts"].as_array().unwrap().len() {
            3 => check_llr(&Trinomial(counts(&row["counts"])), &row),
            _ => check_llr(&Pentanomial(counts(&row["counts"])), &row),
        }
    }
}

/// The outcomes of a recorded trial, drawn again from its seed and compared with the record.
fn outcomes_of(trace: &Value) -> Vec<usize> {
    let recorded = trace["outcomes"].as_str().unwrap();
    let outcomes: Vec<usize> = recorded.bytes().map(|b| usize::from(b - b'0')).collect();
    let mut random = SplitMix64::new(trace["seed"].as_u64().unwrap());
    let probabilities = numbers(&trace["probs"]);
    let drawn: Vec<usize> = outcomes
        .iter()
        .map(|_| {
            let u = random.next_unit();
            let mut sum = 0.0;
            let below = |p: &f64| {
                sum += p;
                u < sum
            };
            probabilities.iter().position(below).unwrap_or(probabilities.len() - 1)
        })
        .collect();
    assert_eq!(outcomes, drawn);
    outcomes
}

#[test]
fn trials_stop_where_the_record_says() {
    for group in ["trace_h1", "trace_h0"] {
        let record = &vectors()[group];
        let mut trial = Trial::new(sprt(record));
        let mut expected = record["trace"].as_array().unwrap().iter().peekable();
        for (played, outcome) in (1..).zip(outcomes_of(record)) {
            assert_eq!(trial.verdict(), Verdict::Undecided, "before pair {played}");
            trial.push(outcome);
            if let Some(row) = expected.next_if(|row| row["pairs"] == played) {
                assert_eq!(trial.counts().0, counts::<5>(&row["counts"]));
                close(group, trial.llr(), &row["llr"], LLR_TOLERANCE);
            }
        }
        assert!(expected.next().is_none(), "all of the trace was seen");
        let decision = &record["decision"];
        let verdict = match decision["accept"].as_str().unwrap() {
            "H1" => Verdict::AcceptH1,
            _ => Verdict::AcceptH0,
        };
        assert_eq!(trial.verdict(), verdict);
        assert_eq!(trial.counts().samples(), decision["pairs"].as_u64().unwrap());
        assert_eq!(trial.counts().0, counts::<5>(&decision["counts"]));
        close(group, trial.llr(), &decision["llr"], LLR_TOLERANCE);
    }
}

#[test]
fn overshoot_is_corrected() {
    for row in rows("fishtest_overshoot_stop") {
        let record = &vectors()[row["trace"].as_str().unwrap()];
        let mut trial = Trial::new(Sprt { overshoot: true, ..sprt(record) });
        for outcome in outcomes_of(record) {
            trial.push(outcome);
        }
        let what = row.to_string();
        let accepted = row["state"] == "accepted";
        assert_eq!(trial.verdict() == Verdict::AcceptH1, accepted, "{what}");
        assert_eq!(trial.verdict() == Verdict::AcceptH0, !accepted, "{what}");
        assert_eq!(trial.counts().samples(), row["stop_pairs"].as_u64().unwrap(), "{what}");
        assert_eq!(trial.counts().0, counts::<5>(&row["counts"]));
        close(&what, trial.llr(), &row["llr"], LLR_TOLERANCE);
        close(&what, trial.overshoot().below(), &row["o0"], LLR_TOLERANCE);
        close(&what, trial.overshoot().above(), &row["o1"], LLR_TOLERANCE);
    }
}

#[test]
fn estimates_after_a_test_are_unbiased() {
    for row in rows("fishtest_sprt_elo") {
        let pairs = Pentanomial(counts(&row["pentanomial"]));
        let test = sprt(&row);
        let what = row.to_string();
        close(&what, test.llr(&pairs), &row["llr"], LLR_TOLERANCE);
        // Ours is exact where fishtest approximates, which moves its interval by up to 1.2e-4.
        check_unbiased(&row, unbiased_elo(&pairs, &test), 2e-4);
    }
}

fn check_unbiased(row: &Value, ours: UnbiasedElo, tolerance: f64) {
    let what = row.to_string();
    close(&what, ours.elo, &row["median_unbiased_elo"], tolerance);
    close(&what, ours.low, &row["ci95"][0], tolerance);
    close(&what, ours.high, &row["ci95"][1], tolerance);
    close(&what, ours.los, &row["los"], tolerance);
}

/// Fits one of the recorded tables, whether it is given by game or by pair.
fn ratings_of(row: &Value) -> Ratings {
    let encounter = |e: &Value| Encounter {
        first: e[0].as_u64().unwrap() as usize,
        second: e[1].as_u64().unwrap() as usize,
        score: number(&e[2]),
        games: e[3].as_f64().unwrap_or(1.0),
    };
    let encounters = |list: &Value| list.as_array().unwrap().iter().map(encounter).collect();
    let clusters: Vec<Vec<Encounter>> = match row.get("pairs") {
        Some(pairs) => pairs.as_array().unwrap().iter().map(encounters).collect(),
        None => vec![encounters(&row["games"])],
    };
    let options = RatingOptions {
        advantage: row.get("adv").is_some_and(|adv| adv == true),
        phantom_draws: row.get("virtual").map_or(0.0, number),
    };
    rate(row["players"].as_u64().unwrap() as usize, &clusters, options).unwrap()
}

fn close_all(what: &str, ours: &[f64], theirs: &Value) {
    assert_eq!(ours.len(), theirs.as_array().unwrap().len(), "{what}");
    for (ours, theirs) in ours.iter().zip(theirs.as_array().unwrap()) {
        close(what, *ours, theirs, ELO_TOLERANCE);
    }
}

fn close_matrix(what: &str, ours: &[Vec<f64>], theirs: &Value) {
    for (ours, theirs) in ours.iter().zip(theirs.as_array().unwrap()) {
        close_all(what, ours, theirs);
    }
}

#[test]
fn many_players_are_rated() {
    let mut sandwiches = 0;
    for row in rows("bradley_terry") {
        let what = row["name"].as_str().unwrap();
        let ratings = ratings_of(&row);
        close_all(what, &ratings.elo, &row["elo"]);
        close_all(what, &ratings.fisher_error, &row["se_fisher"]);
        close_matrix(what, &ratings.fisher_difference_error, &row["se_diff_fisher"]);
        if let Some(advantage) = row.get("first_player_advantage_elo") {
            close(what, ratings.advantage.unwrap(), advantage, ELO_TOLERANCE);
            let error = ratings.fisher_advantage_error.unwrap();
            close(what, error, &row["se_advantage_fisher"], ELO_TOLERANCE);
        }
        if let Some(errors) = row.get("se_sandwich_pairs") {
            sandwiches += 1;
            close_all(what, &ratings.error, errors);
            close_matrix(what, &ratings.difference_error, &row["se_diff_sandwich_pairs"]);
        }
    }
    assert_eq!(sandwiches, 1);
}

#[test]
fn ordo_agrees() {
    let tables = rows("bradley_terry");
    let ordo = &vectors()["ordo_crosscheck"];
    for number_of_table in 1..=3 {
        let theirs = &ordo[format!("bradley_terry_{number_of_table}")];
        let ours = ratings_of(&tables[number_of_table]);
        for (ours, theirs) in ours.elo.iter().zip(numbers(&theirs["ratings"])) {
            // Ordo prints three decimals and was given its scale to six digits.
            assert!((ours - theirs).abs() < 5e-3, "{ours} is not {theirs}");
        }
        if let Some(white) = theirs.get("white_advantage") {
            assert!((ours.advantage.unwrap() - number(white)).abs() < 1e-2);
        }
    }
}

#[test]
fn spsa_gains_follow_the_schedule() {
    for row in rows("spsa_schedule") {
        let iterations = row["iterations"].as_u64().unwrap();
        let schedule = SpsaSchedule::new(number(&row["c_end"]), number(&row["r_end"]), iterations);
        close("c", schedule.c, &row["c"], 1e-9);
        close("a", schedule.a, &row["a"], 1e-9);
        close("A", schedule.stability, &row["A"], 1e-9);
        for step in row["steps"].as_array().unwrap() {
            let gains = schedule.step(step["iter"].as_u64().unwrap());
            close_relative("c_k", gains.perturbation, &step["c_k"], 1e-9);
            close_relative("R_k", gains.rate, &step["R_k"], 1e-9);
            let moved = gains.update(1.0, 1.0);
            close_relative("step", moved, &step["theta_step_for_result_plus1"], 1e-9);
        }
    }
}

#[test]
fn draws_are_reproducible() {
    for row in rows("splitmix64") {
        let mut random = SplitMix64::new(row["seed"].as_u64().unwrap());
        for value in row["first"].as_array().unwrap() {
            assert_eq!(random.next_u64(), hex(value));
        }
    }
    for row in rows("opening_permutation") {
        let n = row["n"].as_u64().unwrap() as usize;
        let order: Vec<usize> = serde_json::from_value(row["perm"].clone()).unwrap();
        assert_eq!(permutation(n, hex(&row["seed"])), order);
    }
}
