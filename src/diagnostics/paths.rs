//! Paths as other tools want them: below the working directory, with `/` between the names.

use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

/// The path without `.`, and without the directory `root` in front.
pub fn below(root: &Path, path: &Path) -> PathBuf {
    let path: PathBuf = path.components().filter(|component| *component != Component::CurDir).collect();
    match path.strip_prefix(root) {
        Ok(relative) => relative.to_path_buf(),
        Err(_) => path,
    }
}

/// The pattern for paths below a directory that a glob of the configuration means: without a slash it is the name of a
/// file at any depth, with one a path.
pub fn glob_below(glob: &str) -> String {
    match glob.strip_prefix("./").unwrap_or(glob) {
        name if !name.contains('/') => format!("**/{name}"),
        path => path.trim_start_matches('/').to_owned(),
    }
}

/// The path from the root directory on, without `.` and `..`. (By its text alone: a symbolic link is a directory like
/// others.)
pub fn resolved(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut resolved = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::ParentDir => drop(resolved.pop()),
            component => resolved.push(component),
        }
    }
    resolved
}

/// The path as text. What isn't Unicode becomes replacement characters.
pub fn text(path: &Path) -> String {
    path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
}

/// The path below a directory, if it lies there, as text.
pub fn relative_text(root: &Path, path: &Path) -> String {
    text(&below(root, path))
}

/// The path as a URI (RFC 3986): relative if the path is, else with the scheme `file`. Every byte of it is kept.
pub fn uri(path: &Path) -> String {
    let mut uri = String::new();
    let mut is_first = true;
    for component in path.components() {
        match component {
            Component::Prefix(prefix) => {
                uri = format!("file:///{}", prefix.as_os_str().to_string_lossy().replace('\\', "/"));
            }
            Component::RootDir if is_first => uri.push_str("file://"),
            Component::RootDir => {}
            Component::CurDir | Component::ParentDir | Component::Normal(_) => {
                if !is_first {
                    uri.push('/');
                }
                percent_encode(component.as_os_str().as_encoded_bytes(), &mut uri);
            }
        }
        is_first = false;
    }
    uri
}

/// Appends bytes, those that are not *unreserved* (RFC 3986, section 2.3) as `%` and two hexadecimal digits.
fn percent_encode(bytes: &[u8], uri: &mut String) {
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_below_the_root_is_relative_to_it() {
        let below = |path| below(Path::new("/home/me"), Path::new(path));
        assert_eq!(below("./src/./a.f90"), Path::new("src/a.f90"));
        assert_eq!(below("/home/me/src/a.f90"), Path::new("src/a.f90"));
        assert_eq!(below("/home/you/a.f90"), Path::new("/home/you/a.f90"));
        assert_eq!(below("../a.f90"), Path::new("../a.f90"));
    }

    #[cfg(unix)]
    #[test]
    fn a_uri_keeps_every_byte() {
        use std::os::unix::ffi::OsStrExt;
        let uri_of = |bytes: &[u8]| uri(Path::new(std::ffi::OsStr::from_bytes(bytes)));
        assert_eq!(uri_of(b"src/a b.f90"), "src/a%20b.f90");
        assert_eq!(uri_of(b"../c:100%#?.f"), "../c%3A100%25%23%3F.f");
        assert_eq!(uri_of(b"/top/\xff\xc3\xa4\n.f90"), "file:///top/%FF%C3%A4%0A.f90");
    }
}
