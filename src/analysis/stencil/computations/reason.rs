//! Why an array in a computation can't be described.

/// Why an array gets no specification (docs/semantics.md, section 5).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// Every index of some read is absolute, so that the whole set is unconstrained: there is nothing to say.
    AbsoluteOnly,
    /// An index such as `2*i`, `i*j`, `i + j`, `n - i`.
    NonNeighbourIndex,
    /// `i + n` with `n` not a compile-time constant.
    SymbolicOffset,
    /// `a(idx(i))`.
    IndirectIndex,
    /// The reads of the array, or the reads and the left side, do not agree on their induction variables.
    InconsistentInductionVariables,
    /// `a(i,i+1)` on the left.
    SeveralOffsetsOnLeft,
    /// `b(2*i)` or `b(idx(i))` on the left.
    LeftSideNotNeighbour,
    /// An index without an induction variable, such as a scalar, that the loop changes.
    LoopVaryingIndex,
    /// It can't be said whether the name is an array or a function.
    UndeclaredArray,
    /// A statement that was not understood may define a scalar on the way.
    UnparsedStatementInFlow,
    /// The array is handed to a procedure of which it is not known which elements it reads.
    ProcedureInFlow,
    /// An array section with a stride.
    StridedSection,
    /// The statement shares its line with others: no comment can stand above it alone.
    SeveralStatementsOnLine,
    /// The statement begins in a macro expansion.
    InsideMacro,
    /// The statement stands in an included file that is not annotated: it is none of those given, or files that include
    /// it read differently there.
    InsideInclude,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Reason; 15] = [
        Reason::AbsoluteOnly,
        Reason::NonNeighbourIndex,
        Reason::SymbolicOffset,
        Reason::IndirectIndex,
        Reason::InconsistentInductionVariables,
        Reason::SeveralOffsetsOnLeft,
        Reason::LeftSideNotNeighbour,
        Reason::LoopVaryingIndex,
        Reason::UndeclaredArray,
        Reason::UnparsedStatementInFlow,
        Reason::ProcedureInFlow,
        Reason::StridedSection,
        Reason::SeveralStatementsOnLine,
        Reason::InsideMacro,
        Reason::InsideInclude,
    ];

    /// The name used in reports, JSON and the survey.
    pub fn name(self) -> &'static str {
        match self {
            Reason::AbsoluteOnly => "absolute-only",
            Reason::NonNeighbourIndex => "non-neighbour-index",
            Reason::SymbolicOffset => "symbolic-offset",
            Reason::IndirectIndex => "indirect-index",
            Reason::InconsistentInductionVariables => "inconsistent-induction-variables",
            Reason::SeveralOffsetsOnLeft => "several-offsets-on-left",
            Reason::LeftSideNotNeighbour => "left-side-not-neighbour",
            Reason::LoopVaryingIndex => "loop-varying-index",
            Reason::UndeclaredArray => "undeclared-array",
            Reason::UnparsedStatementInFlow => "unparsed-statement-in-flow",
            Reason::ProcedureInFlow => "procedure-in-flow",
            Reason::StridedSection => "strided-section",
            Reason::SeveralStatementsOnLine => "several-statements-on-line",
            Reason::InsideMacro => "inside-macro",
            Reason::InsideInclude => "inside-include",
        }
    }

    /// One sentence for a person.
    pub fn explanation(self) -> &'static str {
        match self {
            Reason::AbsoluteOnly => "a read has absolute indices only, so there is no shape to state",
            Reason::NonNeighbourIndex => "an index is neither i + c nor fixed in the loop",
            Reason::SymbolicOffset => "an offset is not known at compile time",
            Reason::IndirectIndex => "an index is itself read from an array or computed by a function",
            Reason::InconsistentInductionVariables => {
                "the induction variables of the reads and of the left side do not agree"
            }
            Reason::SeveralOffsetsOnLeft => "one induction variable stands on the left side with two different offsets",
            Reason::LeftSideNotNeighbour => "an index on the left side is not of the form i + c",
            Reason::LoopVaryingIndex => "an index without an induction variable changes inside the loop",
            Reason::UndeclaredArray => "it is not known whether this is an array or a function",
            Reason::UnparsedStatementInFlow => "a statement on the way to this one was not understood",
            Reason::ProcedureInFlow => "a procedure on the way may read other elements than the one that it is handed",
            Reason::StridedSection => "an array section has a stride",
            Reason::SeveralStatementsOnLine => "the statement shares its line with another one",
            Reason::InsideMacro => "the statement begins in a macro",
            Reason::InsideInclude => {
                "the statement stands in an included file that is not given, or is read differently by another one"
            }
        }
    }
}
