//! The renderers: one file per format, from plain data to text.

pub mod concise;
pub mod full;
pub mod github;
pub mod gitlab;
pub mod json;
pub mod jsonl;
pub mod junit;
pub mod output;
pub mod sarif;
pub mod summary;
