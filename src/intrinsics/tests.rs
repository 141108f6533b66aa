//! The table against the standard, written down once more in its order (Fortran 2023, table 16.1), and the values of
//! functions.

use std::collections::BTreeSet;

use super::*;
use crate::syntax::Intent;

const ELEMENTAL: &str = "abs achar acos acosd acosh acospi adjustl adjustr aimag aint anint asin asind asinh asinpi atan atan2 \
    atan2d atan2pi atand atanh atanpi bessel_j0 bessel_j1 bessel_jn bessel_y0 bessel_y1 bessel_yn bge bgt ble blt btest ceiling \
    char cmplx conjg cos cosd cosh cospi dble dim dprod dshiftl dshiftr erf erfc erfc_scaled exp exponent floor fraction gamma \
    hypot iachar iand ibclr ibits ibset ichar ieor image_status index int ior is_iostat_end is_iostat_eor ishft ishftc leadz \
    len_trim lge lgt lle llt log log_gamma log10 logical maskl maskr max merge merge_bits min mod modulo nearest next nint not \
    out_of_range popcnt poppar previous real rrspacing scale scan set_exponent shifta shiftl shiftr sign sin sind sinh sinpi \
    spacing sqrt tan tand tanh tanpi trailz verify";

const INQUIRY: &str = "allocated associated coshape image_index is_contiguous lbound lcobound present rank shape size storage_size \
    ubound ucobound";

const TYPE_INQUIRY: &str = "bit_size digits epsilon extends_type_of huge kind len maxexponent minexponent new_line precision radix \
    range same_type_as tiny";

const TRANSFORMATIONAL: &str = "all any command_argument_count count cshift dot_product eoshift failed_images findloc get_team iall \
    iany iparity matmul maxloc maxval minloc minval norm2 null num_images pack parity product reduce repeat reshape \
    selected_char_kind selected_int_kind selected_logical_kind selected_real_kind spread stopped_images sum team_number \
    this_image transfer transpose trim unpack";

const SUBROUTINES: &str = "atomic_add atomic_and atomic_cas atomic_define atomic_fetch_add atomic_fetch_and atomic_fetch_or \
    atomic_fetch_xor atomic_or atomic_ref atomic_xor co_broadcast co_max co_min co_reduce co_sum cpu_time date_and_time \
    event_query execute_command_line get_command get_command_argument get_environment_variable move_alloc mvbits random_init \
    random_number random_seed split system_clock tokenize";

/// The specific names of Fortran 77, each with what it stands for; those that convert stand for themselves.
const FORTRAN_77: &str = "alog=log alog10=log10 amax0=amax0 amax1=max amin0=amin0 amin1=min amod=mod cabs=abs ccos=cos cexp=exp \
    clog=log csin=sin csqrt=sqrt dabs=abs dacos=acos dasin=asin datan=atan datan2=atan2 dcos=cos dcosh=cosh ddim=dim dexp=exp \
    dint=aint dlog=log dlog10=log10 dmax1=max dmin1=min dmod=mod dnint=anint dprod=dprod dsign=sign dsin=sin dsinh=sinh \
    dsqrt=sqrt dtan=tan dtanh=tanh float=real iabs=abs idim=dim idint=int idnint=nint ifix=int isign=sign max0=max max1=max1 \
    min0=min min1=min1 sngl=real";

fn known(name: &str) -> &'static Intrinsic {
    function(name).unwrap_or_else(|| panic!("{name} is not known"))
}

#[test]
fn the_tables_are_sorted_and_names_are_unique() {
    for table in [functions::GENERIC, functions::OF_MODULES, subroutines::SUBROUTINES] {
        assert!(table.windows(2).all(|pair| pair[0].name < pair[1].name));
    }
    assert!(functions::SPECIFIC.windows(2).all(|pair| pair[0].0 < pair[1].0));
    let generic: BTreeSet<&str> = functions::GENERIC.iter().map(|row| row.name).collect();
    assert!(functions::SPECIFIC.iter().all(|(specific, of)| generic.contains(of) && !generic.contains(specific)));
}

#[test]
fn classes_are_those_of_the_standard() {
    let classes = [
        (ELEMENTAL, Class::Elemental),
        (INQUIRY, Class::Inquiry),
        (TYPE_INQUIRY, Class::TypeInquiry),
        (TRANSFORMATIONAL, Class::Transformational),
    ];
    for (names, class) in classes {
        names.split_whitespace().for_each(|name| assert_eq!(known(name).class, class, "{name}"));
    }
    assert!(SUBROUTINES.split_whitespace().all(|name| subroutine(name).is_some() && function(name).is_none()));
    assert!(subroutine("random").is_none() && function("foo").is_none());
}

#[test]
fn specific_names_stand_for_their_generic_one() {
    for pair in FORTRAN_77.split_whitespace() {
        let (specific, generic) = pair.split_once('=').expect("a pair");
        assert_eq!(known(specific), known(generic), "{specific}");
        assert_eq!(known(specific).name, generic);
    }
}

#[test]
fn optional_arguments_are_last_and_keywords_unique() {
    for row in functions::GENERIC.iter().chain(subroutines::SUBROUTINES) {
        assert!(row.arguments.is_sorted_by_key(|dummy| dummy.is_optional), "{}", row.name);
        let keywords: BTreeSet<&str> = row.arguments.iter().map(|dummy| dummy.name).collect();
        assert_eq!(keywords.len(), row.arguments.len(), "{}", row.name);
    }
}

#[test]
fn arguments_are_those_of_the_standard() {
    let written = |row: &Intrinsic| {
        let one = |dummy: &DummyArgument| format!("{}{}", dummy.name, if dummy.is_optional { "?" } else { "" });
        row.arguments.iter().map(one).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(written(known("maxloc")), "array dim? mask? kind? back?");
    assert_eq!(written(known("eoshift")), "array shift boundary? dim?");
    assert_eq!(written(known("spread")), "source dim ncopies");
    assert_eq!(written(known("selected_real_kind")), "p? r? radix?");
    let intents = |name: &str| {
        let row = subroutine(name).expect("a subroutine");
        row.arguments.iter().map(|dummy| dummy.intent).collect::<Vec<Intent>>()
    };
    use Intent::{In, InOut, Out};
    assert_eq!(intents("move_alloc"), [InOut, Out, Out, InOut]);
    assert_eq!(intents("mvbits"), [In, In, In, InOut, In]);
    assert_eq!(intents("random_number"), [Out]);
    assert_eq!(intents("random_seed"), [Out, In, Out]);
    assert_eq!(intents("system_clock"), [Out, Out, Out]);
    assert_eq!(intents("get_command_argument"), [In, Out, Out, Out, InOut]);
    let pure = [Class::Elemental, Class::Inquiry, Class::TypeInquiry, Class::Transformational];
    let changes = |row: &&Intrinsic| row.arguments.iter().any(|dummy| dummy.intent != In);
    let changing = functions::GENERIC.iter().filter(|row| pure.contains(&row.class)).filter(changes);
    assert_eq!(changing.map(|row| row.name).collect::<Vec<_>>(), ["next", "previous"]);
}

#[test]
fn shapes_follow_from_what_functions_do() {
    let with_dim = functions::GENERIC.iter().filter(|row| row.position("dim").is_some());
    for row in with_dim {
        let known = [
            ResultShape::Reduction,
            ResultShape::Location,
            ResultShape::Bounds,
            ResultShape::Shifted,
            ResultShape::Spread,
            ResultShape::Unknown,
        ];
        assert!(known.contains(&row.shape) || row.name == "size", "{}", row.name);
    }
    assert_eq!(known("dot_product").shape, ResultShape::VectorProduct);
    assert_eq!(known("merge").shape, ResultShape::Elemental);
    assert_eq!(known("kind").shape, ResultShape::Scalar);
}

#[test]
fn functions_of_integers_have_their_values() {
    let value = |name: &str, arguments: &[i64]| known(name).evaluation.and_then(|it| it.of_scalars(arguments));
    let cases: &[(&str, &[i64], Option<i64>)] = &[
        ("max", &[3, 9, -4], Some(9)),
        ("min0", &[3, 9, -4], Some(-4)),
        ("abs", &[-7], Some(7)),
        ("abs", &[i64::MIN], None),
        ("ceiling", &[5, 8], Some(5)),
        ("mod", &[-7, 3], Some(-1)),
        ("modulo", &[-7, 3], Some(2)),
        ("modulo", &[7, -3], Some(-2)),
        ("mod", &[7, 0], None),
        ("sign", &[-7, 1], Some(7)),
        ("isign", &[7, -1], Some(-7)),
        ("dim", &[3, 8], Some(0)),
        ("dim", &[8, 3], Some(5)),
        ("iand", &[6, 3], Some(2)),
        ("ior", &[6, 3], Some(7)),
        ("ieor", &[6, 3], Some(5)),
        ("ishft", &[3, 4], Some(48)),
        ("ishft", &[3, -1], None),
        ("selected_int_kind", &[9], Some(4)),
        ("selected_int_kind", &[99], Some(-1)),
        ("selected_real_kind", &[15, 307], Some(8)),
        ("selected_real_kind", &[6], Some(4)),
        ("merge", &[1, 2, 3], None),
        ("sum", &[1], None),
    ];
    for (name, arguments, expected) in cases {
        assert_eq!(value(name, arguments), *expected, "{name}{arguments:?}");
    }
}

#[test]
fn reductions_have_their_values() {
    let value = |name: &str, elements: &[i64]| known(name).evaluation.and_then(|it| it.of_elements(elements));
    assert_eq!(value("maxval", &[3, 9, -4]), Some(9));
    assert_eq!(value("minval", &[3, 9, -4]), Some(-4));
    assert_eq!((value("sum", &[3, 9, -4]), value("sum", &[])), (Some(8), Some(0)));
    assert_eq!((value("product", &[3, 9, -4]), value("product", &[])), (Some(-108), Some(1)));
    assert_eq!(value("sum", &[i64::MAX, 1]), None);
    assert_eq!(value("max", &[1]), None);
}
