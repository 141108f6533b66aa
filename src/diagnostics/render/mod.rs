//! The renderers: one file per format, from plain data to text.

pub mod concise;
pub mod full;
mod github;
mod gitlab;
pub mod json;
mod jsonl;
mod junit;
pub mod output;
pub mod piece;
pub mod quotation;
mod rdjsonl;
mod sarif;
mod spool;
pub mod style;
