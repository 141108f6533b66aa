//! The names of intrinsic functions: those of Fortran 2023 (table 16.1), the specific names of Fortran 77, and the extensions
//! that the common compilers know.

/// Whether a lower-case name is that of an intrinsic function.
pub fn is_intrinsic_function(name: &str) -> bool {
    FUNCTIONS.binary_search(&name).is_ok()
}

/// Whether a lower-case name is that of an intrinsic subroutine.
pub fn is_intrinsic_subroutine(name: &str) -> bool {
    SUBROUTINES.binary_search(&name).is_ok()
}

#[rustfmt::skip]
const FUNCTIONS: &[&str] = &[
    "abs", "achar", "acos", "acosd", "acosh", "acospi", "adjustl", "adjustr", "aimag", "aint", "algama", "all",
    "allocated", "alog", "alog10", "amax0", "amax1", "amin0", "amin1", "amod", "and", "anint", "any", "asin", "asind",
    "asinh", "asinpi", "associated", "atan", "atan2", "atan2d", "atan2pi", "atand", "atanh", "atanpi", "besj0", "besj1",
    "besjn", "bessel_j0", "bessel_j1", "bessel_jn", "bessel_y0", "bessel_y1", "bessel_yn", "besy0", "besy1", "besyn",
    "bge", "bgt", "bit_size", "ble", "blt", "btest", "c_sizeof", "cabs", "ccos", "cdabs", "cdcos", "cdexp", "cdlog",
    "cdsin", "cdsqrt", "ceiling", "cexp", "char", "clog", "cmplx", "command_argument_count", "complex", "conjg", "cos",
    "cosd", "cosh", "coshape", "cospi", "cotan", "cotand", "count", "cqabs", "cshift", "csin", "csqrt", "dabs", "dacos",
    "dacosd", "dacosh", "dasin", "dasind", "dasinh", "datan", "datan2", "datan2d", "datand", "datanh", "dbesj0",
    "dbesj1", "dbesjn", "dbesy0", "dbesy1", "dbesyn", "dble", "dcmplx", "dconjg", "dcos", "dcosd", "dcosh", "dcotan",
    "dcotand", "ddim", "derf", "derfc", "dexp", "dfloat", "dfloti", "dflotj", "dgamma", "digits", "dim", "dimag",
    "dint", "dlgama", "dlog", "dlog10", "dmax1", "dmin1", "dmod", "dnint", "dot_product", "dprod", "dreal", "dsecnds",
    "dshiftl", "dshiftr", "dsign", "dsin", "dsind", "dsinh", "dsqrt", "dtan", "dtand", "dtanh", "dtime", "eoshift",
    "epsilon", "erf", "erfc", "erfc_scaled", "etime", "exp", "exponent", "extends_type_of", "failed_images", "fdate",
    "findloc", "float", "floati", "floatj", "floor", "fraction", "gamma", "get_team", "getcwd", "getgid", "getpid",
    "getuid", "huge", "hypot", "iabs", "iachar", "iall", "iand", "iany", "iargc", "ibclr", "ibits", "ibset", "ichar",
    "idim", "idint", "idnint", "ieor", "ierrno", "ifix", "iiabs", "iint", "imag", "image_index", "image_status",
    "imagpart", "imax0", "imin0", "imod", "index", "int", "int2", "int8", "ior", "iparity", "iqint", "irand",
    "is_contiguous", "is_iostat_end", "is_iostat_eor", "ishft", "ishftc", "isign", "isnan", "jiabs", "jint", "jmax0",
    "jmin0", "jmod", "kind", "lbound", "lcobound", "leadz", "len", "len_trim", "lge", "lgt", "lle", "llt", "lnblnk",
    "loc", "log", "log10", "log_gamma", "logical", "lshift", "malloc", "maskl", "maskr", "matmul", "max", "max0",
    "max1", "maxexponent", "maxloc", "maxval", "mclock", "mclock8", "merge", "merge_bits", "min", "min0", "min1",
    "minexponent", "minloc", "minval", "mod", "modulo", "nearest", "new_line", "next", "nint", "norm2", "not", "null",
    "num_images", "or", "out_of_range", "pack", "parity", "popcnt", "poppar", "precision", "present", "previous",
    "product", "qabs", "qcos", "qexp", "qext", "qfloat", "qlog", "qmax1", "qmin1", "qsin", "qsqrt", "radix", "ran",
    "rand", "rank", "real", "realpart", "reduce", "repeat", "reshape", "rrspacing", "rshift", "same_type_as", "scale",
    "scan", "secnds", "second", "selected_char_kind", "selected_int_kind", "selected_logical_kind",
    "selected_real_kind", "set_exponent", "shape", "shifta", "shiftl", "shiftr", "sign", "sin", "sind", "sinh", "sinpi",
    "size", "sizeof", "sngl", "spacing", "spread", "sqrt", "stopped_images", "storage_size", "sum", "tan", "tand",
    "tanh", "tanpi", "team_number", "this_image", "time", "time8", "tiny", "trailz", "transfer", "transpose", "trim",
    "ubound", "ucobound", "unpack", "verify", "xor", "zabs", "zcos", "zexp", "zlog", "zsin", "zsqrt",
];

#[rustfmt::skip]
const SUBROUTINES: &[&str] = &[
    "abort", "atomic_add", "atomic_and", "atomic_cas", "atomic_define", "atomic_fetch_add", "atomic_fetch_and",
    "atomic_fetch_or", "atomic_fetch_xor", "atomic_or", "atomic_ref", "atomic_xor", "chdir", "co_broadcast", "co_max",
    "co_min", "co_reduce", "co_sum", "cpu_time", "ctime", "date", "date_and_time", "dtime", "errsns", "etime",
    "event_query", "execute_command_line", "exit", "fdate", "flush", "free", "fseek", "ftell", "gerror", "get_command",
    "get_command_argument", "get_environment_variable", "getarg", "getcwd", "getenv", "getlog", "hostnm", "idate",
    "itime", "move_alloc", "mvbits", "perror", "random_init", "random_number", "random_seed", "rename", "second",
    "signal", "sleep", "split", "srand", "stat", "system", "system_clock", "time", "tokenize", "unlink",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(FUNCTIONS.is_sorted());
        assert!(SUBROUTINES.is_sorted());
        assert!(is_intrinsic_function("matmul") && !is_intrinsic_function("foo"));
        assert!(is_intrinsic_subroutine("random_number") && !is_intrinsic_subroutine("random"));
    }
}
