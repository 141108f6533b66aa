//! An older revision of a git repository, read without touching the work tree or its index.
//!
//! The `git` program is asked for objects and never to look at the work tree: to compare that, it would run the filters
//! that the configuration of the repository names, and nothing of a repository under test is executed. Contents are
//! compared here, byte for byte; what is the same is read from the disk. Nothing is fetched: where the clone lacks the
//! revision, that is said.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, anyhow, bail};

use super::{discovery, files};

/// Larger files are no sources.
const LARGEST: u64 = 64 << 20;
/// Larger files are not included anywhere.
pub(super) const LARGEST_INCLUDE: u64 = 4 << 20;

/// What a revision holds.
#[derive(Debug)]
pub struct Revision {
    /// The root of the work tree.
    pub root: PathBuf,
    /// Its files, as paths in the work tree.
    pub files: Vec<PathBuf>,
    /// What is otherwise in the work tree: the bytes in the revision, or `None` if the file isn't there.
    pub different: HashMap<PathBuf, Option<Vec<u8>>>,
}

/// Reads a revision of the repository in which a path lies.
///
/// # Errors
///
/// When there is no repository, no such revision, or a part of it is not in this clone.
pub fn read(name: &str, path: &Path) -> anyhow::Result<Revision> {
    let directory = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new(".")) };
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let root = git(directory, &["rev-parse", "--show-toplevel"])
        .with_context(|| format!("'{}' is in no git repository", path.display()))?;
    let root = path_of(root.strip_suffix(b"\n").unwrap_or(&root)).canonicalize()?;
    let commit = commit(&root, name)?;
    let tree = git(&root, &["ls-tree", "-r", "-l", "-z", "--full-tree", &commit])?;
    let entries: HashMap<PathBuf, Blob> = tree.split(|&byte| byte == 0).filter_map(blob).collect();
    let all: HashSet<PathBuf> = tree.split(|&byte| byte == 0).filter_map(entry).map(|(path, _)| path).collect();
    // What was added since is not there in the revision.
    let tracked = git(&root, &["ls-files", "--cached", "-z"])?;
    let tracked = tracked.split(|&byte| byte == 0).filter(|path| !path.is_empty()).map(path_of);
    let mut different: HashMap<PathBuf, Option<Vec<u8>>> =
        tracked.filter(|path| !all.contains(path)).map(|path| (root.join(path), None)).collect();
    let largest = |path: &Path| if discovery::is_fortran(path) { LARGEST } else { LARGEST_INCLUDE };
    let comparable = entries.iter().filter(|(path, blob)| blob.size <= largest(path));
    let mut wanted: Vec<(PathBuf, String)> = comparable.map(|(path, blob)| (path.clone(), blob.id.clone())).collect();
    wanted.sort();
    blobs(&root, name, wanted, |path, bytes| {
        let path = root.join(path);
        if files::read(&path).ok().as_ref() != Some(&bytes) {
            different.insert(path, Some(bytes));
        }
    })?;
    let mut files: Vec<PathBuf> = entries.into_keys().map(|path| root.join(path)).collect();
    files.sort();
    Ok(Revision { root, files, different })
}

/// A file of a revision.
struct Blob {
    id: String,
    size: u64,
}

/// An entry of `git ls-tree -l -z`: its path, and what stands before that.
fn entry(entry: &[u8]) -> Option<(PathBuf, &str)> {
    let at = entry.iter().position(|&byte| byte == b'\t')?;
    Some((path_of(&entry[at + 1..]), std::str::from_utf8(&entry[..at]).ok()?))
}

/// The file that an entry is; links and submodules are none.
fn blob(text: &[u8]) -> Option<(PathBuf, Blob)> {
    let (path, head) = entry(text)?;
    let mut parts = head.split_ascii_whitespace();
    let (mode, kind, id, size) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is_file = kind == "blob" && mode.starts_with("100");
    is_file.then(|| (path, Blob { id: id.to_owned(), size: size.parse().unwrap_or(0) }))
}

fn path_of(bytes: &[u8]) -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
    }
    #[cfg(not(unix))]
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// The commit that a name means.
fn commit(root: &Path, name: &str) -> anyhow::Result<String> {
    let wanted = format!("{name}^{{commit}}");
    if let Ok(id) = git(root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted]) {
        return Ok(String::from_utf8_lossy(&id).trim().to_owned());
    }
    let is_shallow =
        git(root, &["rev-parse", "--is-shallow-repository"]).is_ok_and(|answer| answer.starts_with(b"true"));
    let advice = match is_shallow {
        true => {
            ": this clone is shallow and may not reach back so far (`git fetch --unshallow`, or `--deepen N`, brings more)"
        }
        false => "",
    };
    bail!("'{name}' is no revision of the repository in '{}'{advice}", root.display())
}

/// Hands on the contents of blobs, each with its path.
fn blobs(
    root: &Path,
    name: &str,
    wanted: Vec<(PathBuf, String)>,
    mut take: impl FnMut(PathBuf, Vec<u8>),
) -> anyhow::Result<()> {
    if wanted.is_empty() {
        return Ok(());
    }
    let mut child = command(root, &["cat-file", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("git can't be started")?;
    let mut input = child.stdin.take().ok_or_else(|| anyhow!("git takes no input"))?;
    let output = child.stdout.take().ok_or_else(|| anyhow!("git gives no output"))?;
    let request: String = wanted.iter().map(|(_, id)| format!("{id}\n")).collect();
    let writer = std::thread::spawn(move || input.write_all(request.as_bytes()));
    let mut output = BufReader::new(output);
    for (path, _) in wanted {
        let mut head = String::new();
        output.read_line(&mut head)?;
        let size = head.split_ascii_whitespace().nth(2).and_then(|size| size.parse::<usize>().ok());
        let Some(size) = size else {
            let _ = child.kill();
            let _ = child.wait();
            bail!("this clone does not hold '{}' of '{name}' (a partial clone?): fetch it first", path.display());
        };
        let mut bytes = vec![0; size + 1];
        output.read_exact(&mut bytes).context("git ended early")?;
        bytes.pop();
        take(path, bytes);
    }
    drop(output);
    let _ = child.wait();
    let _ = writer.join();
    Ok(())
}

/// Git, so that it neither writes nor fetches anything.
fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(directory)
        .args(["-c", "protocol.allow=never", "-c", "core.quotepath=off", "-c", "core.fsmonitor=false"])
        .args(arguments)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C");
    command
}

/// What git prints.
fn git(directory: &Path, arguments: &[&str]) -> anyhow::Result<Vec<u8>> {
    let output = command(directory, arguments).output().context("git can't be started")?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        bail!("git {}: {}", arguments.first().unwrap_or(&""), message.trim());
    }
    Ok(output.stdout)
}
