//! The first page, for a reader in a hurry: of each paper what it claims, what holds, what does not and
//! why, and one picture.

use serde::Deserialize;

use super::{Report, Section, doc::Block, forest};
use crate::verdict::{ClaimVerdict, Judged};

const PAPERS: &str = include_str!("../../experiments/papers.toml");

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Papers {
    #[serde(rename = "paper")]
    papers: Vec<Paper>,
}

/// A paper, in a sentence.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Paper {
    name: String,
    /// How the ids of its experiments begin.
    begins: Vec<String>,
    claim: String,
    /// The experiment whose claims are drawn.
    picture: String,
}

fn papers() -> Vec<Paper> {
    let papers: Papers = toml::from_str(PAPERS).expect("a test reads the file");
    papers.papers
}

impl Paper {
    fn has(&self, section: &Section) -> bool {
        self.begins.iter().any(|begin| section.experiment.id.starts_with(begin))
    }
}

impl Report {
    /// The first page.
    pub(super) fn overview(&self) -> Vec<Block> {
        let mut blocks = vec![Block::Text(
            "Five papers about programs that play Gomoku, measured again by one program: what each \
             claims, what of it holds here, and what does not."
                .to_owned(),
        )];
        for paper in papers() {
            let sections: Vec<&Section> =
                self.sections.iter().filter(|section| paper.has(section)).collect();
            if !sections.is_empty() {
                blocks.extend(page(&paper, &sections));
            }
        }
        blocks
    }
}

fn page(paper: &Paper, sections: &[&Section]) -> Vec<Block> {
    let judged: Vec<&Judged> = sections.iter().flat_map(|section| &section.judged).collect();
    let mut blocks = vec![
        Block::Heading(2, paper.name.clone(), String::new()),
        Block::List(vec![
            format!("*It claims*: {}", paper.claim),
            format!("*What holds*: {}", holds(&judged)),
            format!("*What does not*: {}", fails(&judged)),
        ]),
    ];
    let drawn = sections.iter().find(|section| section.experiment.id == paper.picture);
    if let Some((svg, section)) = drawn.and_then(|s| Some((forest::draw(&s.judged)?, s))) {
        let name = format!("{}-overview", section.experiment.id);
        let caption = format!(
            "{}. Green agrees, orange differs, gray is undecided.",
            section.experiment.title
        );
        blocks.push(Block::Svg { name, svg, caption });
    }
    blocks
}

fn with(judged: &[&Judged], verdict: ClaimVerdict) -> Vec<Judged> {
    judged
        .iter()
        .filter(|judged| judged.verdict == verdict)
        .map(|judged| (*judged).clone())
        .collect()
}

/// How many claims hold, and the most essential of them.
fn holds(judged: &[&Judged]) -> String {
    let agreeing = with(judged, ClaimVerdict::Agrees);
    let run = judged.iter().filter(|judged| judged.verdict != ClaimVerdict::NotRun).count();
    let essential: Vec<String> = agreeing
        .iter()
        .filter(|judged| judged.claim.essential)
        .map(|judged| quoted(&judged.claim.text))
        .collect();
    let among =
        if essential.is_empty() { String::new() } else { format!(": {}", essential.join("; ")) };
    format!("{} of {run} claims measured{among}.", agreeing.len())
}

/// How many claims differ, and the first of them with its reason.
fn fails(judged: &[&Judged]) -> String {
    let differing = with(judged, ClaimVerdict::Differs);
    let undecided = with(judged, ClaimVerdict::Undecided).len();
    let Some(first) =
        differing.iter().find(|judged| judged.claim.why.is_some()).or(differing.first())
    else {
        return format!("nothing that was measured ({undecided} undecided).");
    };
    let ours = first.measure.map_or("–".to_owned(), |measure| measure.plain(measure.value));
    format!(
        "{} differ and {undecided} are undecided; for one, {} has {ours} here. {}",
        differing.len(),
        quoted(&first.claim.text),
        first.reason
    )
}

/// A claim inside a sentence.
fn quoted(text: &str) -> String {
    format!("“{}”", text.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::papers;

    #[test]
    fn every_experiment_of_a_paper_is_on_the_first_page() {
        let papers = papers();
        assert_eq!(papers.len(), 5);
        for experiment in crate::all() {
            let is_named = |begin: &String| experiment.id.starts_with(begin);
            let n = papers.iter().filter(|paper| paper.begins.iter().any(is_named)).count();
            assert_eq!(n, usize::from(experiment.id != "beyond"), "{}", experiment.id);
        }
        for paper in papers {
            assert!(crate::find(&paper.picture).is_ok(), "{}", paper.picture);
        }
    }
}
