//! Modules and include files that no project contains: intrinsic modules and the usual third-party libraries.
//!
//! Their names are recognised by prefix, so that `use mpi` does not make every other undeclared name of a scope
//! doubtful. What they export with arguments are procedures; none exports an array that programs subscript.

use crate::intrinsics::{MPI, NETCDF, OPENMP};

/// An external module or include file.
#[derive(Debug, PartialEq, Eq)]
pub struct External {
    /// Module names; one that ends in `*` stands for all that begin so.
    modules: &'static [&'static str],
    /// Include files by name.
    includes: &'static [&'static str],
    /// Prefixes of the names it declares; the empty one stands for all names.
    prefixes: &'static [&'static str],
}

impl External {
    /// Whether it may declare this name.
    pub fn may_declare(&self, name: &str) -> bool {
        self.prefixes.iter().any(|prefix| name.starts_with(prefix))
    }

    /// The name of its first module.
    pub fn module(&self) -> &'static str {
        self.modules.first().copied().unwrap_or_default()
    }

    /// Whether it may declare any name at all.
    pub fn declares_anything(&self) -> bool {
        self.prefixes.contains(&"")
    }
}

#[rustfmt::skip]
const EXTERNALS: &[External] = &[
    External { modules: &["iso_c_binding"], includes: &[], prefixes: &["c_"] },
    External {
        modules: &["iso_fortran_env"], includes: &[],
        prefixes: &[
            "int8", "int16", "int32", "int64", "real16", "real32", "real64", "real128", "input_unit", "output_unit", "error_unit",
            "iostat_", "character_kinds", "character_storage_size", "numeric_storage_size", "file_storage_size", "integer_kinds",
            "logical_kinds", "real_kinds", "logical8", "logical16", "logical32", "logical64", "compiler_", "atomic_", "lock_type",
            "event_type", "team_type", "stat_", "current_team", "initial_team", "parent_team", "notify_type",
        ],
    },
    External { modules: &["ieee_arithmetic", "ieee_exceptions", "ieee_features"], includes: &[], prefixes: &["ieee_"] },
    External {
        modules: &["mpi", "mpi_f08", "mpi_*"], includes: &["mpif.h", "mpiof.h"], prefixes: MPI,
    },
    External { modules: &["omp_lib", "omp_lib_kinds"], includes: &["omp_lib.h"], prefixes: OPENMP },
    External { modules: &["openacc", "openacc_kinds"], includes: &["openacc_lib.h"], prefixes: &["acc_", "openacc_"] },
    External { modules: &["netcdf", "netcdf95", "netcdf_nc_*", "netcdf_nf_*"], includes: &["netcdf.inc", "netcdf3.inc"], prefixes: &["nf90_", "nf_", "nf95_", "nc_"] },
    External { modules: &["pnetcdf"], includes: &["pnetcdf.inc"], prefixes: NETCDF },
    External {
        modules: &["hdf5", "h5lt", "h5ds", "h5im", "h5tb", "h5global", "h5fortran_types"], includes: &[],
        prefixes: &["h5", "hid_t", "hsize_t", "hssize_t", "size_t", "haddr_t", "hobj_ref_t", "hdset_reg_ref_t", "object_"],
    },
    External { modules: &["fftw3", "fftw_*"], includes: &["fftw3.f", "fftw3.f03", "fftw_f77.i"], prefixes: &["fftw", "dfftw_", "sfftw_", "c_fftw"] },
    External { modules: &["ifport", "iflport", "ifcore", "ifposix", "ifwin", "dflib", "dfport", "msflib", "portlib", "f90_unix*", "xlf*"], includes: &[], prefixes: &[""] },
    External { modules: &["petsc*", "slepc*"], includes: &["petsc*", "slepc*", "finclude*"], prefixes: &[""] },
    External { modules: &["cudafor", "cublas*", "cufft*", "cusparse*", "cusolver*", "curand*", "nvtx", "hipfort*"], includes: &[], prefixes: &["cuda", "cublas", "cufft", "cusparse", "cusolver", "curand", "nvtx", "hip", "threadidx", "blockidx", "blockdim", "griddim", "atomic", "syncthreads", "dim3", "warpsize"] },
    External { modules: &["mkl_*", "lapack95", "blas95", "f95_precision"], includes: &["mkl*"], prefixes: &[""] },
    External { modules: &["coarray_intrinsics", "opencoarrays"], includes: &[], prefixes: &[""] },
];

fn matches(patterns: &[&str], name: &str) -> bool {
    patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => name == *pattern,
    })
}

/// The external module with this name.
pub fn external_module(name: &str) -> Option<&'static External> {
    EXTERNALS.iter().find(|external| matches(external.modules, name))
}

/// The external include file with this name, its directories left out.
pub fn external_include(file: &str) -> Option<&'static External> {
    let lower = file.to_ascii_lowercase();
    let base = lower.rsplit(['/', '\\']).next().unwrap_or(&lower);
    EXTERNALS.iter().find(|external| matches(external.includes, base))
}

/// The value of a named constant of an intrinsic module: kinds as numbers of bytes, units and values of IOSTAT as the
/// common compilers have them.
pub fn external_constant(name: &str) -> Option<i64> {
    Some(match name {
        "int8" | "logical8" | "c_int8_t" | "c_signed_char" | "c_char" | "c_bool" => 1,
        "int16" | "logical16" | "c_int16_t" | "c_short" => 2,
        "int32" | "logical32" | "real32" | "c_int" | "c_int32_t" | "c_float" | "c_float_complex" => 4,
        "int64" | "logical64" | "real64" | "c_int64_t" | "c_long" | "c_long_long" | "c_size_t" | "c_intptr_t" => 8,
        "c_intmax_t" | "c_ptrdiff_t" | "c_double" | "c_double_complex" => 8,
        "real128" => 16,
        "input_unit" => 5,
        "output_unit" => 6,
        "error_unit" => 0,
        "iostat_end" => -1,
        "iostat_eor" => -2,
        _ => return None,
    })
}
