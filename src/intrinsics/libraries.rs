//! Procedures of the libraries that most programs call and that are in none of their files: BLAS, the drivers of LAPACK
//! that are called most, MPI, NetCDF, OpenMP. A library is made without the modules of the programs that call it, so
//! that its procedures change no variables of these but their arguments.

/// What a procedure of a library changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LibraryProcedure {
    /// The arguments at these positions, from 0, and no others.
    Changes(&'static [usize]),
    /// Any of its arguments.
    ChangesArguments,
}

/// The procedure with this name, lower case, of a library.
pub fn library_procedure(name: &str) -> Option<LibraryProcedure> {
    let found = of_types(name).or_else(|| listed(OTHER, name)).map(LibraryProcedure::Changes);
    found.or_else(|| {
        let mut prefixes = [MPI, NETCDF, OPENMP].into_iter().flatten();
        prefixes.any(|prefix| name.starts_with(prefix)).then_some(LibraryProcedure::ChangesArguments)
    })
}

/// How names of MPI begin, and no names that programs give their own procedures.
pub const MPI: &[&str] = &["mpi_", "pmpi_", "mpix_"];
/// Those of NetCDF and PnetCDF.
pub const NETCDF: &[&str] = &["nf90_", "nf_", "nf90mpi_", "nfmpi_"];
/// Those of OpenMP.
pub const OPENMP: &[&str] = &["omp_", "kmp_", "openmp_"];

/// The arguments that a procedure changes of which there is one for each type: `daxpy`, `zgemm`.
fn of_types(name: &str) -> Option<&'static [usize]> {
    let rest = name.strip_prefix(['s', 'd', 'c', 'z'])?;
    listed(BLAS, rest).or_else(|| listed(LAPACK, rest))
}

fn listed(table: &'static [(&'static str, &'static [usize])], name: &str) -> Option<&'static [usize]> {
    table.binary_search_by_key(&name, |(listed, _)| listed).ok().map(|at| table[at].1)
}

/// The procedures of BLAS, without the letter of their type.
#[rustfmt::skip]
const BLAS: &[(&str, &[usize])] = &[
    ("asum", &[]), ("axpy", &[4]), ("copy", &[3]), ("dot", &[]), ("dotc", &[]), ("dotu", &[]), ("gbmv", &[11]),
    ("gemm", &[11]), ("gemv", &[9]), ("ger", &[7]), ("gerc", &[7]), ("geru", &[7]), ("hbmv", &[9]), ("hemm", &[10]),
    ("hemv", &[8]), ("her", &[5]), ("her2", &[7]), ("her2k", &[10]), ("herk", &[8]), ("hpmv", &[7]), ("hpr", &[5]),
    ("hpr2", &[7]), ("nrm2", &[]), ("rot", &[1, 3]), ("rotg", &[0, 1, 2, 3]), ("rotm", &[1, 3]),
    ("rotmg", &[0, 1, 2, 4]), ("sbmv", &[9]), ("scal", &[2]), ("spmv", &[7]), ("spr", &[5]), ("spr2", &[7]),
    ("swap", &[1, 3]), ("symm", &[10]), ("symv", &[8]), ("syr", &[5]), ("syr2", &[7]), ("syr2k", &[10]),
    ("syrk", &[8]), ("tbmv", &[7]), ("tbsv", &[7]), ("tpmv", &[5]), ("tpsv", &[5]), ("trmm", &[9]), ("trmv", &[6]),
    ("trsm", &[9]), ("trsv", &[6]),
];

/// Drivers and computational procedures of LAPACK whose arguments are the same for all types.
#[rustfmt::skip]
const LAPACK: &[(&str, &[usize])] = &[
    ("gels", &[4, 6, 8, 10]), ("gesv", &[2, 4, 5, 7]), ("getrf", &[2, 4, 5]), ("getri", &[1, 4, 6]),
    ("getrs", &[6, 8]), ("gtsv", &[2, 3, 4, 5, 7]), ("heev", &[3, 5, 6, 8, 9]), ("lacpy", &[5]), ("laset", &[5]),
    ("posv", &[3, 5, 7]), ("potrf", &[2, 4]), ("potri", &[2, 4]), ("potrs", &[5, 7]), ("syev", &[3, 5, 6, 8]),
    ("sytrf", &[2, 4, 5, 7]), ("trtrs", &[7, 9]),
];

/// The other procedures.
#[rustfmt::skip]
const OTHER: &[(&str, &[usize])] = &[
    ("csrot", &[1, 3]), ("csscal", &[2]), ("dcabs1", &[]), ("dsdot", &[]), ("dzasum", &[]), ("dznrm2", &[]),
    ("icamax", &[]), ("idamax", &[]), ("ilaenv", &[]), ("isamax", &[]), ("izamax", &[]), ("lsame", &[]),
    ("mpi_allgather", &[3, 7]), ("mpi_allgatherv", &[3, 8]), ("mpi_allreduce", &[1, 6]), ("mpi_alltoall", &[3, 7]),
    ("mpi_alltoallv", &[4, 9]), ("mpi_barrier", &[1]), ("mpi_bcast", &[0, 5]), ("mpi_bsend", &[6]),
    ("mpi_comm_dup", &[1, 2]), ("mpi_comm_rank", &[1, 2]), ("mpi_comm_size", &[1, 2]), ("mpi_comm_split", &[3, 4]),
    ("mpi_finalize", &[0]), ("mpi_gather", &[3, 8]), ("mpi_gatherv", &[3, 9]), ("mpi_get_count", &[2, 3]),
    ("mpi_init", &[0]), ("mpi_irecv", &[0, 6, 7]), ("mpi_isend", &[6, 7]), ("mpi_recv", &[0, 6, 7]),
    ("mpi_reduce", &[1, 7]), ("mpi_rsend", &[6]), ("mpi_scatter", &[3, 8]), ("mpi_scatterv", &[4, 9]),
    ("mpi_send", &[6]), ("mpi_sendrecv", &[5, 11, 12]), ("mpi_ssend", &[6]), ("mpi_wait", &[0, 1, 2]),
    ("mpi_waitall", &[1, 2, 3]), ("mpi_wtime", &[]), ("scabs1", &[]), ("scasum", &[]), ("scnrm2", &[]),
    ("sdsdot", &[]), ("zdrot", &[1, 3]), ("zdscal", &[2]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_in_order() {
        for table in [BLAS, LAPACK, OTHER] {
            assert!(table.is_sorted_by_key(|(name, _)| name), "{table:?}");
        }
    }

    #[test]
    fn procedures_are_found_by_their_types() {
        assert_eq!(library_procedure("dgemm"), Some(LibraryProcedure::Changes(&[11])));
        assert_eq!(library_procedure("zher2k"), Some(LibraryProcedure::Changes(&[10])));
        assert_eq!(library_procedure("mpi_allreduce"), Some(LibraryProcedure::Changes(&[1, 6])));
        assert_eq!(library_procedure("nf90_get_var"), Some(LibraryProcedure::ChangesArguments));
        assert_eq!(library_procedure("xgemm"), None);
        assert_eq!(library_procedure("dgemmx"), None);
        assert_eq!(library_procedure("gemm"), None);
    }
}
