//! All specific procedures that a generic name may mean: interfaces of one name that come by several ways are one
//! (15.4.3.4.1, 19.5.1.4).

use std::ops::ControlFlow;

use super::index::{LookUp, ModuleIndex, NameSource, UseTarget};
use super::resolved::{Origin, Resolved};
use super::scopes::Unseen;
use super::symbol::{SymbolId, SymbolKind};
use crate::syntax::{Name, StatementId, Tree};

/// A specific procedure of a generic name.
#[derive(Clone, Copy, Debug)]
pub enum Specific<'a> {
    /// This symbol of the file.
    Symbol(SymbolId),
    /// A name of a module of the project.
    OfModule(Origin<'a>),
    /// An external procedure of which a module has an interface body.
    External {
        /// Its name.
        name: &'a str,
        /// Whether it is a function.
        is_function: bool,
    },
}

impl Resolved {
    /// The specific procedures that a generic name may mean in a statement; `None` if there may be others, in a module
    /// that is not there.
    pub fn specifics<'a>(&'a self, tree: &'a Tree, statement: StatementId, name: Name) -> Option<Vec<Specific<'a>>> {
        let text = tree.names.text(name);
        let mut found = Vec::new();
        let mut at = Some(self.scope_of(statement));
        while let Some(scope) = at {
            let current = self.scopes.all.get(scope)?;
            let hides = |unseen: &Unseen| match unseen {
                Unseen::Anything => true,
                Unseen::Library(external) => external.may_declare(text),
            };
            if current.unseen.iter().any(hides) {
                return None;
            }
            let own = self.maps[scope].get(&name).map(|&symbol| self.symbol(symbol));
            if let Some(own) = own.filter(|own| own.declared.is_some())
                && let SymbolKind::Generic { specifics } = &own.kind
            {
                for specific in specifics.iter() {
                    found.push(Specific::Symbol(self.find(scope, tree.names.get(specific)?)?));
                }
            }
            let uses = current.uses.iter().zip(&self.targets[scope]);
            let used = uses.filter_map(|(declared, target)| {
                declared.remote(&name).map(|remote| (tree.names.text(*remote), *target, false))
            });
            let host = self.hosts.get(scope).copied().flatten().map(|host| (text, UseTarget::Module(host), true));
            for (text, target, host_view) in used.chain(host) {
                match target {
                    UseTarget::Module(id) => add_specifics(&self.index, (id, text, host_view), &mut found)?,
                    UseTarget::External(external) if external.may_declare(text) => return None,
                    UseTarget::External(_) => {}
                    UseTarget::Missing => return None,
                }
            }
            at = current.parent;
        }
        Some(found)
    }
}

/// Adds the specific procedures of a generic name of a module, and of what it uses; `None` if not all are there. The
/// flag says whether private names are seen, too.
fn add_specifics<'a>(
    index: &'a ModuleIndex,
    (module, name, host_view): (u32, &'a str, bool),
    found: &mut Vec<Specific<'a>>,
) -> Option<()> {
    let all = index.tables().visit_sources(module, name, host_view, |source| match source {
        NameSource::Module { is_open: true, .. } | NameSource::Missing(_) => ControlFlow::Break(()),
        NameSource::External(external, remote, _) if external.may_declare(remote) => ControlFlow::Break(()),
        NameSource::Module { id, own: Some(own), .. } => {
            let SymbolKind::Generic { specifics } = &own.facts.kind else { return ControlFlow::Continue(()) };
            for specific in specifics.iter() {
                let LookUp::Symbol(id, symbol) = index.find(id, specific, true) else { return ControlFlow::Break(()) };
                let Some((module, file)) = index.module(id) else { return ControlFlow::Break(()) };
                let name = symbol.name.as_str();
                let kind = &symbol.facts.kind;
                found.push(match kind.interface().is_some_and(|interface| interface.is_external) {
                    true => Specific::External { name, is_function: matches!(kind, SymbolKind::Function { .. }) },
                    false => Specific::OfModule(Origin { module, file, name }),
                });
            }
            ControlFlow::Continue(())
        }
        NameSource::Module { own: None, .. } | NameSource::External(..) => ControlFlow::Continue(()),
    });
    all.is_continue().then_some(())
}
