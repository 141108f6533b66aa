//! The intrinsic functions in the order of their names.

use super::row::{Intrinsic, rows};

/// Those of the standard, and the extensions that stand for themselves.
pub(super) const GENERIC: &[Intrinsic] = rows! {
    Elemental abs(a) = Magnitude;
    Elemental achar(i [kind]);
    Elemental acos(x);
    Elemental acosd(x);
    Elemental acosh(x);
    Elemental acospi(x);
    Elemental adjustl(string);
    Elemental adjustr(string);
    Elemental aimag(z);
    Elemental aint(a [kind]);
    Transformational all(mask [dim]) -> Reduction;
    Inquiry allocated(array);
    Elemental amax0(a1, a2);
    Elemental amin0(a1, a2);
    Elemental and(i, j);
    Elemental anint(a [kind]);
    Transformational any(mask [dim]) -> Reduction;
    Elemental asin(x);
    Elemental asind(x);
    Elemental asinh(x);
    Elemental asinpi(x);
    Inquiry associated(pointer [target]);
    Elemental atan(y [x]);
    Elemental atan2(y, x);
    Elemental atan2d(y, x);
    Elemental atan2pi(y, x);
    Elemental atand(y [x]);
    Elemental atanh(x);
    Elemental atanpi(y [x]);
    Elemental bessel_j0(x);
    Elemental bessel_j1(x);
    Elemental bessel_jn(n, x) -> Sequence;
    Elemental bessel_y0(x);
    Elemental bessel_y1(x);
    Elemental bessel_yn(n, x) -> Sequence;
    Elemental bge(i, j);
    Elemental bgt(i, j);
    TypeInquiry bit_size(i);
    Elemental ble(i, j);
    Elemental blt(i, j);
    Elemental btest(i, pos);
    Inquiry c_sizeof(x);
    Elemental ceiling(a [kind]) = Integer;
    Elemental char(i [kind]);
    Elemental cmplx(x [y, kind]);
    Transformational command_argument_count();
    Elemental complex(x, y);
    Elemental conjg(z);
    Elemental cos(x);
    Elemental cosd(x);
    Elemental cosh(x);
    Inquiry coshape(coarray [kind]) -> Unknown;
    Elemental cospi(x);
    Elemental cotan(x);
    Elemental cotand(x);
    Transformational count(mask [dim, kind]) -> Reduction;
    Transformational cshift(array, shift [dim]) -> Shifted;
    Elemental dble(a);
    TypeInquiry digits(x);
    Elemental dim(x, y) = PositiveDifference;
    Transformational dot_product(vector_a, vector_b) -> VectorProduct;
    Elemental dprod(x, y);
    Impure dsecnds(t);
    Elemental dshiftl(i, j, shift);
    Elemental dshiftr(i, j, shift);
    Impure dtime(values: out);
    Transformational eoshift(array, shift [boundary, dim]) -> Shifted;
    TypeInquiry epsilon(x);
    Elemental erf(x);
    Elemental erfc(x);
    Elemental erfc_scaled(x);
    Impure etime(values: out);
    Elemental exp(x);
    Elemental exponent(x);
    TypeInquiry extends_type_of(a, mold);
    Transformational failed_images([team, kind]) -> Unknown;
    Impure fdate();
    Transformational findloc(array, value [dim, mask, kind, back]) -> Location;
    Elemental floor(a [kind]) = Integer;
    Elemental fraction(x);
    Elemental gamma(x);
    Transformational get_team([level]);
    Impure getcwd(c: out);
    Impure getgid();
    Impure getpid();
    Impure getuid();
    TypeInquiry huge(x);
    Elemental hypot(x, y);
    Elemental iachar(c [kind]);
    Transformational iall(array [dim, mask]) -> Reduction;
    Elemental iand(i, j) = And;
    Transformational iany(array [dim, mask]) -> Reduction;
    Impure iargc();
    Elemental ibclr(i, pos);
    Elemental ibits(i, pos, len);
    Elemental ibset(i, pos);
    Elemental ichar(c [kind]);
    Elemental ieor(i, j) = ExclusiveOr;
    Impure ierrno();
    Inquiry image_index(coarray, sub [team]);
    Elemental image_status(image [team]);
    Elemental index(string, substring [back, kind]);
    Elemental int(a [kind]) = Integer;
    Elemental int2(a);
    Elemental int8(a);
    Elemental ior(i, j) = Or;
    Transformational iparity(array [dim, mask]) -> Reduction;
    Impure irand([i]);
    Inquiry is_contiguous(array);
    Elemental is_iostat_end(i);
    Elemental is_iostat_eor(i);
    Elemental ishft(i, shift) = Shift;
    Elemental ishftc(i, shift [size]);
    Elemental isnan(x);
    TypeInquiry kind(x) = Kind;
    Inquiry lbound(array [dim, kind]) -> Bounds = LowerBound;
    Inquiry lcobound(coarray [dim, kind]) -> Unknown;
    Elemental leadz(i);
    TypeInquiry len(string [kind]) = Length;
    Elemental len_trim(string [kind]);
    Elemental lge(string_a, string_b);
    Elemental lgt(string_a, string_b);
    Elemental lle(string_a, string_b);
    Elemental llt(string_a, string_b);
    Inquiry loc(x);
    Elemental log(x);
    Elemental log10(x);
    Elemental log_gamma(x);
    Elemental logical(l [kind]);
    Elemental lshift(i, shift);
    Impure malloc(size);
    Elemental maskl(i [kind]);
    Elemental maskr(i [kind]);
    Transformational matmul(matrix_a, matrix_b) -> MatrixProduct;
    Elemental max(a1, a2) = Maximum;
    Elemental max1(a1, a2);
    TypeInquiry maxexponent(x);
    Transformational maxloc(array [dim, mask, kind, back]) -> Location;
    Transformational maxval(array [dim, mask]) -> Reduction = LargestElement;
    Impure mclock();
    Impure mclock8();
    Elemental merge(tsource, fsource, mask) = Choice;
    Elemental merge_bits(i, j, mask);
    Elemental min(a1, a2) = Minimum;
    Elemental min1(a1, a2);
    TypeInquiry minexponent(x);
    Transformational minloc(array [dim, mask, kind, back]) -> Location;
    Transformational minval(array [dim, mask]) -> Reduction = SmallestElement;
    Elemental mod(a, p) = Remainder;
    Elemental modulo(a, p) = Modulo;
    Elemental nearest(x, s);
    TypeInquiry new_line(a);
    Elemental next(a [stat: out]);
    Elemental nint(a [kind]) = Integer;
    Transformational norm2(x [dim]) -> Reduction;
    Elemental not(i);
    Transformational null([mold]) -> Unknown;
    Transformational num_images([team]);
    Elemental or(i, j);
    Elemental out_of_range(x, mold [round]);
    Transformational pack(array, mask [vector]) -> Packed;
    Transformational parity(mask [dim]) -> Reduction;
    Elemental popcnt(i);
    Elemental poppar(i);
    TypeInquiry precision(x);
    Inquiry present(a);
    Elemental previous(a [stat: out]);
    Transformational product(array [dim, mask]) -> Reduction = Product;
    Elemental qext(a);
    Elemental qfloat(a);
    TypeInquiry radix(x);
    Impure ran(i: inout);
    Impure rand([i]);
    TypeInquiry range(x);
    Inquiry rank(a);
    Elemental real(a [kind]);
    Transformational reduce(array, operation [dim, mask, identity, ordered]) -> Reduction;
    Transformational repeat(string, ncopies);
    Transformational reshape(source, shape [pad, order]) -> Reshaped;
    Elemental rrspacing(x);
    Elemental rshift(i, shift);
    TypeInquiry same_type_as(a, b);
    Elemental scale(x, i);
    Elemental scan(string, set [back, kind]);
    Impure secnds(x);
    Impure second();
    Transformational selected_char_kind(name);
    Transformational selected_int_kind(r) = IntegerKind;
    Transformational selected_logical_kind(bits);
    Transformational selected_real_kind([p, r, radix]) = RealKind;
    Elemental set_exponent(x, i);
    Inquiry shape(source [kind]) -> Bounds;
    Elemental shifta(i, shift);
    Elemental shiftl(i, shift);
    Elemental shiftr(i, shift);
    Elemental sign(a, b) = Sign;
    Elemental sin(x);
    Elemental sind(x);
    Elemental sinh(x);
    Elemental sinpi(x);
    Inquiry size(array [dim, kind]) = Extent;
    Inquiry sizeof(x);
    Elemental spacing(x);
    Transformational spread(source, dim, ncopies) -> Spread;
    Elemental sqrt(x);
    Transformational stopped_images([team, kind]) -> Unknown;
    Inquiry storage_size(a [kind]);
    Transformational sum(array [dim, mask]) -> Reduction = Sum;
    Elemental tan(x);
    Elemental tand(x);
    Elemental tanh(x);
    Elemental tanpi(x);
    Transformational team_number([team]);
    Transformational this_image([coarray, dim, team]) -> Unknown;
    Impure time();
    Impure time8();
    TypeInquiry tiny(x);
    Elemental trailz(i);
    Transformational transfer(source, mold [size]) -> Transferred;
    Transformational transpose(matrix) -> Transposed;
    Transformational trim(string);
    Inquiry ubound(array [dim, kind]) -> Bounds = UpperBound;
    Inquiry ucobound(coarray [dim, kind]) -> Unknown;
    Transformational unpack(vector, mask, field) -> Unpacked;
    Elemental verify(string, set [back, kind]);
    Elemental xor(i, j);
};

/// Procedures of the module ISO_C_BINDING (clause 18.2.3) that are asked about by name. They read no value of a
/// variable: inquiry functions, as Fortran 2008 called them.
pub(super) const OF_MODULES: &[Intrinsic] = rows! {
    Inquiry c_funloc(x);
    Inquiry c_loc(x);
};

/// The names that stand for a generic one: those of Fortran 77 (table 16.2), and of the compilers for further kinds.
/// AMAX0, AMIN0, MAX1 and MIN1 are none of them, as they convert.
#[rustfmt::skip]
pub(super) const SPECIFIC: &[(&str, &str)] = &[
    ("algama", "log_gamma"), ("alog", "log"), ("alog10", "log10"), ("amax1", "max"), ("amin1", "min"), ("amod", "mod"),
    ("besj0", "bessel_j0"), ("besj1", "bessel_j1"), ("besjn", "bessel_jn"), ("besy0", "bessel_y0"),
    ("besy1", "bessel_y1"), ("besyn", "bessel_yn"), ("cabs", "abs"), ("ccos", "cos"), ("cdabs", "abs"),
    ("cdcos", "cos"), ("cdexp", "exp"), ("cdlog", "log"), ("cdsin", "sin"), ("cdsqrt", "sqrt"), ("cexp", "exp"),
    ("clog", "log"), ("cqabs", "abs"), ("csin", "sin"), ("csqrt", "sqrt"), ("dabs", "abs"), ("dacos", "acos"),
    ("dacosd", "acosd"), ("dacosh", "acosh"), ("dasin", "asin"), ("dasind", "asind"), ("dasinh", "asinh"),
    ("datan", "atan"), ("datan2", "atan2"), ("datan2d", "atan2d"), ("datand", "atand"), ("datanh", "atanh"),
    ("dbesj0", "bessel_j0"), ("dbesj1", "bessel_j1"), ("dbesjn", "bessel_jn"), ("dbesy0", "bessel_y0"),
    ("dbesy1", "bessel_y1"), ("dbesyn", "bessel_yn"), ("dcmplx", "cmplx"), ("dconjg", "conjg"), ("dcos", "cos"),
    ("dcosd", "cosd"), ("dcosh", "cosh"), ("dcotan", "cotan"), ("dcotand", "cotand"), ("ddim", "dim"), ("derf", "erf"),
    ("derfc", "erfc"), ("dexp", "exp"), ("dfloat", "dble"), ("dfloti", "dble"), ("dflotj", "dble"), ("dgamma", "gamma"),
    ("dimag", "aimag"), ("dint", "aint"), ("dlgama", "log_gamma"), ("dlog", "log"), ("dlog10", "log10"),
    ("dmax1", "max"), ("dmin1", "min"), ("dmod", "mod"), ("dnint", "anint"), ("dreal", "real"), ("dsign", "sign"),
    ("dsin", "sin"), ("dsind", "sind"), ("dsinh", "sinh"), ("dsqrt", "sqrt"), ("dtan", "tan"), ("dtand", "tand"),
    ("dtanh", "tanh"), ("float", "real"), ("floati", "real"), ("floatj", "real"), ("iabs", "abs"), ("idim", "dim"),
    ("idint", "int"), ("idnint", "nint"), ("ifix", "int"), ("iiabs", "abs"), ("iint", "int"), ("imag", "aimag"),
    ("imagpart", "aimag"), ("imax0", "max"), ("imin0", "min"), ("imod", "mod"), ("iqint", "int"), ("isign", "sign"),
    ("jiabs", "abs"), ("jint", "int"), ("jmax0", "max"), ("jmin0", "min"), ("jmod", "mod"), ("lnblnk", "len_trim"),
    ("max0", "max"), ("min0", "min"), ("qabs", "abs"), ("qcos", "cos"), ("qexp", "exp"), ("qlog", "log"),
    ("qmax1", "max"), ("qmin1", "min"), ("qsin", "sin"), ("qsqrt", "sqrt"), ("realpart", "real"), ("sngl", "real"),
    ("zabs", "abs"), ("zcos", "cos"), ("zexp", "exp"), ("zlog", "log"), ("zsin", "sin"), ("zsqrt", "sqrt"),
];
