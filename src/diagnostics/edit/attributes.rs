//! What a file has beside its content: owner, permissions, extended attributes, and access control lists, which are
//! such attributes.

use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// The access control list of a file, as Linux keeps it. A new file may have one from its directory.
#[cfg(unix)]
const ACCESS_LIST: &str = "system.posix_acl_access";

/// What of a file its successor could not be given.
#[derive(Debug)]
pub enum Lost {
    /// Its owner or group: only the superuser gives files away.
    Owner,
    /// An extended attribute.
    Attribute(OsString),
}

/// Gives `new` what `old` has beside its content.
///
/// # Errors
///
/// When the system fails. What it doesn't allow is no error but given back.
pub fn transfer(old: &Path, metadata: &Metadata, new: &File) -> io::Result<Option<Lost>> {
    if !give_owner(new, metadata)? {
        return Ok(Some(Lost::Owner));
    }
    let lost = give_attributes(old, new)?;
    // Last: another owner takes bits of the mode away, and an access control list changes them.
    new.set_permissions(metadata.permissions())?;
    Ok(lost.map(Lost::Attribute))
}

/// Whether the file has the owner and group of the old one now.
#[cfg(unix)]
fn give_owner(new: &File, old: &Metadata) -> io::Result<bool> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let owner = |metadata: &Metadata| (metadata.uid(), metadata.gid());
    if owner(&new.metadata()?) == owner(old) {
        return Ok(true);
    }
    match fchown(new, Some(old.uid()), Some(old.gid())) {
        Ok(()) => Ok(true),
        // The second: whom the system of a container doesn't know.
        Err(error) if matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::InvalidInput) => {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

#[cfg(not(unix))]
fn give_owner(_: &File, _: &Metadata) -> io::Result<bool> {
    Ok(true)
}

/// The first attribute that the file can't be given.
#[cfg(unix)]
fn give_attributes(old: &Path, new: &File) -> io::Result<Option<OsString>> {
    use xattr::FileExt;
    let names = match xattr::list(old) {
        Ok(names) => names.collect::<Vec<OsString>>(),
        // A file system without attributes.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => return Ok(None),
        Err(error) => return Err(error),
    };
    if !names.iter().any(|name| name == ACCESS_LIST) && new.get_xattr(ACCESS_LIST).is_ok_and(|list| list.is_some()) {
        new.remove_xattr(ACCESS_LIST)?;
    }
    for name in names {
        // One that is gone meanwhile, or that may not be read, is none that could be lost here.
        let Some(value) = xattr::get(old, &name)? else { continue };
        let is_there = new.get_xattr(&name).is_ok_and(|own| own.as_ref() == Some(&value));
        if !is_there && new.set_xattr(&name, &value).is_err() {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

#[cfg(not(unix))]
fn give_attributes(_: &Path, _: &File) -> io::Result<Option<OsString>> {
    Ok(None)
}
