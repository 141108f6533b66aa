//! The colours of what people read: the one place that knows them.

use annotate_snippets::Renderer;
use anstyle::{AnsiColor, Style};

/// What parts of a text look like. Write `{strong}…{strong:#}`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Palette {
    /// What is to be found again.
    pub strong: Style,
    /// What may be passed over.
    pub faint: Style,
    /// What is right.
    pub good: Style,
    has_colours: bool,
}

impl Palette {
    /// Colours as ANSI escape sequences, or plain text.
    pub fn new(has_colours: bool) -> Self {
        if has_colours {
            let good = AnsiColor::Green.on_default();
            Palette { strong: Style::new().bold(), faint: Style::new().dimmed(), good, has_colours }
        } else {
            Palette::default()
        }
    }

    /// The renderer of source excerpts with these colours.
    pub(super) fn renderer(&self) -> Renderer {
        if self.has_colours { Renderer::styled() } else { Renderer::plain() }
    }
}
