//! Where terms stand in a union, looked up once for all that one query asks of them.
//!
//! A ranking asks which sections have a term, how rare it is and which documents fit, and whoever
//! asks next often uses the same words. In hundreds of sections looking a term up costs a third of
//! a search.
#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Malformed;
use super::dictionary::{List, find};
use super::layout::Section;

/// How many terms are remembered: those of some queries.
const MOST_TERMS: usize = 256;
/// Terms of more bytes are not remembered; analysis makes none.
const LONGEST: usize = 256;

/// The sections that have a term, ascending, and where it stands in each.
pub type Located = Vec<(usize, List)>;

/// What was looked up in one union.
#[derive(Default)]
pub struct Lookups(Mutex<HashMap<String, Arc<Located>>>);

impl Lookups {
    /// Where a term stands in the union, which has to be the same in every call.
    pub fn of(&self, union: &[Section<'_>], term: &str) -> Result<Arc<Located>, Malformed> {
        if let Some(known) = self.known().get(term) {
            return Ok(Arc::clone(known));
        }
        let mut located = Located::new();
        for (number, section) in union.iter().enumerate() {
            if let Some(list) = find(section, term.as_bytes())? {
                located.push((number, list));
            }
        }
        let located = Arc::new(located);
        if term.len() <= LONGEST {
            let mut known = self.known();
            if known.len() >= MOST_TERMS {
                known.clear();
            }
            known.insert(term.to_owned(), Arc::clone(&located));
        }
        Ok(located)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Arc<Located>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
