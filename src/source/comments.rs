//! Comment lines: which of them are directives, which are conditional compilation.

/// What stands before the rest of a directive line, behind the comment sign, in lower case.
const DIRECTIVE_PREFIXES: [&[u8]; 19] = [
    b"$omp", b"$acc", b"$omx", b"$ompx", b"$acx", b"$pgi", b"$dir", b"$sgi", b"$par", b"dir$", b"dec$", b"gcc$",
    b"ms$", b"pgi$", b"nec$", b"amd$", b"cray$", b"ibm*", b"$dvm",
];

/// Whether a comment, given from its sign on, is a directive line (`!$omp`, `c$acc`, `!dir$`, …).
pub(super) fn is_directive(comment: &[u8]) -> bool {
    let Some(rest) = comment.get(1..) else { return false };
    if !rest.iter().take(5).any(|&byte| byte == b'$' || byte == b'*') {
        return false;
    }
    DIRECTIVE_PREFIXES.iter().any(|prefix| {
        rest.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix))
            && !rest.get(prefix.len()).is_some_and(u8::is_ascii_alphanumeric)
    })
}

/// Whether a comment, given from its sign on, is a line of conditional compilation: `!$` and a blank, or in fixed form
/// what can stand in columns 3 to 6.
pub(super) fn is_conditional_line(comment: &[u8]) -> bool {
    comment.get(1) == Some(&b'$') && matches!(comment.get(2), None | Some(b' ' | b'\t' | b'&' | b'0'..=b'9'))
}
