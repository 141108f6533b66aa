//! What a statement does to a name or an expression where it stands.

/// The mode in which a name, a designator or an expression is accessed.
///
/// The modes are the contexts that the standard distinguishes: the value is used; the variable is defined or becomes
/// undefined (19.6.7, variable definition context); a pointer gets or loses its target (19.6.8, pointer association
/// context); a procedure is called; a name is introduced (19.4, statement and construct entities), declared, or only
/// mentioned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Access {
    /// Its value is used. Whether `f(x)` is an array element or calls a function, only the names tell.
    Read,
    /// R1217 output-item: its value is used. The variable of an implied DO around it is defined.
    Output,
    /// R1032: the variable of an assignment; the one of ASSIGN.
    Assigned,
    /// R1033: the object of a pointer assignment.
    PointerAssigned,
    /// R940: an object of NULLIFY.
    Nullified,
    /// R932: an object of ALLOCATE.
    Allocated,
    /// R932: an object of DEALLOCATE.
    Deallocated,
    /// R1216: an input-item. The variable of an implied DO around it is defined.
    Input,
    /// R1124 do-variable, also of an io-implied-do (R1220).
    DoVariable,
    /// R1126 index-name, R776 ac-do-variable, R840 data-i-do-variable: an entity of its construct or its list (19.4).
    Index,
    /// A variable that a specifier of the statement defines, perhaps only in case of an error: STAT=, ERRMSG=, IOSTAT=,
    /// IOMSG=, SIZE=, ID=, NEWUNIT=, ACQUIRED_LOCK=, what INQUIRE is asked for, the buffer of ENCODE, the associated
    /// variable of DEFINE FILE.
    Specifier,
    /// R1201 io-unit of WRITE: an internal-file-variable is defined, a unit number is read.
    OutputUnit,
    /// R1171 event-variable, R1180 lock-variable, R1176 team-variable, F2023 notify-variable: read and defined.
    Synchronized,
    /// R1524 actual-arg of a CALL or of an undefined macro, or a specifier of unknown meaning: read, defined or both,
    /// as the procedure has it.
    Argument,
    /// R1521 procedure-designator of a CALL, or the name of an undefined macro.
    Called,
    /// R1105 selector: what is done to the associate name is done to it.
    Selector,
    /// R839 data-stmt-object: it has its value when execution begins.
    Initialized,
    /// R871 equivalence-object: it shares its storage.
    Equivalenced,
    /// R869 namelist-group-object, R1130 locality: a variable that is mentioned without being used here.
    Listed,
    /// R1104 associate-name: an entity of its construct (19.4).
    Bound,
    /// R803 entity-decl and whatever else a declaration, a heading or USE makes known.
    Declared,
    /// The name of something that is no data object: a type, a module, an interface, a construct, a procedure bound to
    /// a type.
    Named,
}

impl Access {
    /// Whether only a variable can stand here: neither a function reference nor a value.
    pub fn is_of_variable(self) -> bool {
        match self {
            Access::Assigned
            | Access::PointerAssigned
            | Access::Nullified
            | Access::Allocated
            | Access::Deallocated
            | Access::Input
            | Access::DoVariable
            | Access::Index
            | Access::Specifier
            | Access::Synchronized
            | Access::Initialized
            | Access::Equivalenced => true,
            Access::Read
            | Access::Output
            | Access::OutputUnit
            | Access::Argument
            | Access::Called
            | Access::Selector
            | Access::Listed
            | Access::Bound
            | Access::Declared
            | Access::Named => false,
        }
    }

    /// Whether a data object is meant, or a procedure that is called: the name means something in its scope, declared
    /// or not.
    pub fn is_of_object(self) -> bool {
        match self {
            Access::Bound | Access::Declared | Access::Named => false,
            Access::Read
            | Access::Output
            | Access::Assigned
            | Access::PointerAssigned
            | Access::Nullified
            | Access::Allocated
            | Access::Deallocated
            | Access::Input
            | Access::DoVariable
            | Access::Index
            | Access::Specifier
            | Access::OutputUnit
            | Access::Synchronized
            | Access::Argument
            | Access::Called
            | Access::Selector
            | Access::Initialized
            | Access::Equivalenced
            | Access::Listed => true,
        }
    }
}
