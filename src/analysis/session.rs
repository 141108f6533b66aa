//! What the analyses have in common, and how one is run over the files of a project.

use crate::diagnostics::Rule;
use crate::workspace::{Asks, FileView, Project, Summaries, SummaryLookup};

/// Something that can be said of the files of a project.
pub trait Analysis: Sync {
    /// What it is called: the name of its command.
    const NAME: &'static str;
    /// What it says, in one line.
    const ABOUT: &'static str;
    /// The rules of its findings, those of the source itself apart.
    const RULES: &'static [&'static Rule];
    /// Gives the files that a file asks for, if what others must know of a file takes more than to read it once more:
    /// then it is found out once, after what it needs itself.
    const ASKS: Option<Asks> = None;
    /// What can be asked of it.
    type Options;
    /// What it must know of a file to analyse another.
    type Summary: Send + Sync;
    /// What it says of a file.
    type Outcome;

    /// The analysis with these options, at the beginning of a run.
    fn new(options: Self::Options) -> Self;

    /// What others must know of a file. It is asked for only when one of them needs it.
    fn summarise(&self, view: &FileView<'_>, others: &SummaryLookup<'_, Self::Summary>) -> Self::Summary;

    /// What it says of a file.
    fn analyse(&self, view: &FileView<'_>, context: &Context<'_, Self::Summary>) -> Self::Outcome;
}

/// What an analysis can know beside the file that it looks at.
pub struct Context<'c, S> {
    /// The files that are analysed together, and their modules.
    pub project: &'c Project,
    /// What they tell each other.
    pub summaries: SummaryLookup<'c, S>,
}

/// An analysis over the files of a project.
pub struct Session<'p, A: Analysis> {
    project: &'p Project,
    analysis: A,
    summaries: Summaries<A::Summary>,
}

impl<'p, A: Analysis> Session<'p, A> {
    /// The beginning of a run.
    pub fn new(project: &'p Project, options: A::Options) -> Self {
        Session { project, analysis: A::new(options), summaries: Summaries::default() }
    }

    /// The files.
    pub fn project(&self) -> &'p Project {
        self.project
    }

    /// What the analysis says of a file.
    pub fn analyse(&self, view: &FileView<'_>) -> A::Outcome {
        self.with(|analysis, context| analysis.analyse(view, context))
    }

    /// What else the analysis can say.
    pub fn with<R>(&self, ask: impl FnOnce(&A, &Context<'_, A::Summary>) -> R) -> R {
        let summarise =
            |view: &FileView<'_>, others: &SummaryLookup<'_, A::Summary>| self.analysis.summarise(view, others);
        let summaries = SummaryLookup::new(self.project, &self.summaries, &summarise, A::ASKS);
        ask(&self.analysis, &Context { project: self.project, summaries })
    }
}

/// What an analysis says of one file, in a run of its own.
pub fn analyse<A: Analysis>(view: &FileView<'_>, options: A::Options) -> A::Outcome {
    Session::<A>::new(view.project(), options).analyse(view)
}
