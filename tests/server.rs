//! The language server, as an editor speaks with it over standard input and output.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::VecDeque;
use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

mod common;
use common::{Folder, KERNEL, git};

/// Longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// An editor without a screen.
struct Editor {
    server: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Message>,
    /// What came while something else was waited for.
    early: VecDeque<Message>,
    next_id: i32,
}

impl Editor {
    fn start(folder: &Folder, options: Value) -> Editor {
        let mut command = folder.command(&["server", "--stdio"]);
        command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        let mut server = command.spawn().unwrap();
        let (sender, messages) = channel();
        let mut output = BufReader::new(server.stdout.take().unwrap());
        std::thread::spawn(move || {
            while let Ok(Some(message)) = Message::read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let input = server.stdin.take();
        let mut editor = Editor { server, input, messages, early: VecDeque::new(), next_id: 0 };
        let folders = json!([{"uri": uri(&folder.path("")), "name": "test"}]);
        let parameters = json!({"capabilities": {}, "workspaceFolders": folders, "initializationOptions": options, "processId": null});
        let answer = editor.ask("initialize", parameters).unwrap();
        assert_eq!(answer["serverInfo"]["name"], "camfort-rs");
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: Message) {
        message.write(self.input.as_mut().unwrap()).unwrap();
    }

    fn tell(&mut self, method: &str, parameters: Value) {
        self.send(Notification::new(method.to_owned(), parameters).into());
    }

    /// Sends a request.
    fn request(&mut self, method: &str, parameters: Value) -> RequestId {
        self.next_id += 1;
        let id = RequestId::from(self.next_id);
        self.send(Request::new(id.clone(), method.to_owned(), parameters).into());
        id
    }

    /// The first message that is wanted.
    fn wait<T>(&mut self, wanted: impl Fn(&Message) -> Option<T>) -> T {
        if let Some(at) = self.early.iter().position(|message| wanted(message).is_some()) {
            return wanted(&self.early.remove(at).unwrap()).unwrap();
        }
        loop {
            let message = self.messages.recv_timeout(PATIENCE).unwrap();
            match wanted(&message) {
                Some(found) => return found,
                None => self.early.push_back(message),
            }
        }
    }

    /// The answer to a request.
    fn answer(&mut self, id: &RequestId) -> Response {
        self.wait(|message| match message {
            Message::Response(response) if response.id == *id => Some(response.clone()),
            _ => None,
        })
    }

    /// Asks something: the result, or the code and text of the error.
    fn ask(&mut self, method: &str, parameters: Value) -> Result<Value, (i32, String)> {
        let id = self.request(method, parameters);
        self.answer(&id).response_result.map_err(|error| (error.code, error.message))
    }

    fn open(&mut self, path: &Path, text: &str) {
        self.open_as(path, "fortran", text);
    }

    fn open_as(&mut self, path: &Path, language: &str, text: &str) {
        let document = json!({"uri": uri(path), "languageId": language, "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
    }

    fn change(&mut self, path: &Path, version: i32, text: &str) {
        let document = json!({"uri": uri(path), "version": version});
        self.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": [{"text": text}]}));
    }

    /// Types a text at the start of a line.
    fn insert(&mut self, path: &Path, version: i32, line: u32, text: &str) {
        let at = json!({"line": line, "character": 0});
        let change = json!({"range": {"start": at, "end": at}, "text": text});
        let document = json!({"uri": uri(path), "version": version});
        self.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": [change]}));
    }

    /// The diagnostics of a version of a document.
    fn diagnostics(&mut self, path: &Path, version: i32) -> Vec<Value> {
        let uri = uri(path);
        self.wait(|message| match message {
            Message::Notification(one)
                if one.method == "textDocument/publishDiagnostics"
                    && one.params["uri"] == *uri
                    && one.params["version"] == version =>
            {
                Some(one.params["diagnostics"].as_array().unwrap().clone())
            }
            _ => None,
        })
    }

    /// What can be done about a line.
    fn actions(&mut self, path: &Path, line: u32) -> Vec<Value> {
        let at = json!({"line": line, "character": 0});
        let parameters = json!({
            "textDocument": {"uri": uri(path)}, "range": {"start": at, "end": at}, "context": {"diagnostics": []}
        });
        self.ask("textDocument/codeAction", parameters).unwrap().as_array().unwrap().clone()
    }

    /// Asks about a position.
    fn at(&mut self, method: &str, path: &Path, (line, character): (u32, u32)) -> Value {
        let position = json!({"line": line, "character": character});
        self.ask(method, json!({"textDocument": {"uri": uri(path)}, "position": position})).unwrap()
    }

    fn stop(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Ok(Value::Null));
        self.tell("exit", Value::Null);
        self.input = None;
        assert!(self.server.wait().unwrap().success());
    }
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.canonicalize().unwrap_or_else(|_| path.to_path_buf()).display())
}

/// Places of a text: its lines end with LF and hold no character beyond the first plane here.
fn offset(text: &str, position: &Value) -> usize {
    let line = position["line"].as_u64().unwrap() as usize;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    start + position["character"].as_u64().unwrap() as usize
}

/// The text after the edits of one file in an edit of the workspace.
fn edited(text: &str, edit: &Value, path: &Path) -> String {
    let mut edits = edit["changes"][uri(path)].as_array().unwrap().clone();
    edits.sort_by_key(|edit| std::cmp::Reverse(offset(text, &edit["range"]["start"])));
    edits.iter().fold(text.to_owned(), |text, edit| {
        let range = offset(&text, &edit["range"]["start"])..offset(&text, &edit["range"]["end"]);
        [&text[..range.start], edit["newText"].as_str().unwrap(), &text[range.end..]].concat()
    })
}

fn titled<'a>(actions: &'a [Value], title: &str) -> &'a Value {
    let found = actions.iter().find(|action| action["title"].as_str().unwrap().starts_with(title));
    found.unwrap_or_else(|| panic!("no '{title}' among {actions:?}"))
}

/// The kernel below a comment.
fn specified(comment: &str) -> String {
    KERNEL.replace("    b(i)", &format!("    {comment}\n    b(i)"))
}

const RIGHT: &str = "!= stencil readOnce, backward(depth=1, dim=1) :: a";
const WRONG: &str = "!= stencil readOnce, forward(depth=1, dim=1) :: a";

#[test]
fn diagnostics_follow_what_is_typed_and_not_saved() {
    let folder = Folder::with(&[("a.f90", &specified(RIGHT))]);
    let path = folder.path("a.f90");
    let mut editor = Editor::start(&folder, Value::Null);
    editor.open(&path, &specified(RIGHT));
    assert_eq!(editor.diagnostics(&path, 1), Vec::<Value>::new());
    editor.change(&path, 2, &specified(WRONG));
    let found = editor.diagnostics(&path, 2);
    assert_eq!((found.len(), &found[0]["code"], &found[0]["severity"]), (1, &json!("S010"), &json!(1)));
    // The subscript that is wrong is underlined.
    assert_eq!(found[0]["range"]["start"], json!({"line": 5, "character": 18}));
    assert!(found[0]["message"].as_str().unwrap().contains("Inferred: stencil readOnce, backward"));
    // One character is typed, in UTF-16 units behind a character of two.
    editor.change(&path, 3, &specified(WRONG).replace("subroutine step", "! 𝔸\nsubroutine step"));
    editor.diagnostics(&path, 3);
    let range = json!({"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 4}});
    let parameters = json!({
        "textDocument": {"uri": uri(&path), "version": 4}, "contentChanges": [{"range": range, "text": "\n"}]
    });
    editor.tell("textDocument/didChange", parameters);
    assert_eq!(editor.diagnostics(&path, 4)[0]["range"]["start"]["line"], 7);
    editor.stop();
    assert_eq!(fs::read_to_string(&path).unwrap(), specified(RIGHT));
}

/// What takes longer is told when nobody types, with what was told before.
#[test]
fn what_does_not_fit_is_told_on_unsaved_text() {
    let folder = Folder::with(&[("a.f90", "end\n")]);
    let path = folder.path("a.f90");
    let text = specified("!= stencil readOnce, forward(depth=1, dim=1) :: a").replace("real ::", "real :: c(3),");
    let wrong = text.replace("end do", "end do\n  c(4) = 0");
    let mut editor = Editor::start(&folder, Value::Null);
    editor.open(&path, &wrong);
    let codes = |diagnostics: &[Value]| -> Vec<String> {
        diagnostics.iter().map(|one| one["code"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(codes(&editor.diagnostics(&path, 1)), ["S010"]);
    let both = codes(&editor.diagnostics(&path, 1));
    assert!(both.len() == 2 && both[0] == "S010" && both[1].starts_with('A'), "{both:?}");
    editor.change(&path, 2, &text);
    assert_eq!(codes(&editor.diagnostics(&path, 2)), ["S010"]);
    editor.stop();
}

/// With the option `guard`, uses of arrays that did not follow a change are told of saved files.
#[test]
fn uses_that_did_not_follow_are_told_when_asked() {
    let module = "module fields\n  real :: temp(20,10)\nend module\n";
    let user = "subroutine heat\n  use fields\n  temp(1,2) = 0\nend subroutine\n";
    let folder = Folder::with(&[("fields.f90", module), ("heat.f90", user)]);
    for arguments in [&["init", "--quiet", "."][..], &["add", "."], &["commit", "--quiet", "--message", "Before"]] {
        git(&folder, ".", arguments, "");
    }
    fs::write(folder.path("fields.f90"), module.replace("20,10", "10,20")).unwrap();
    let path = folder.path("heat.f90");
    let mut editor = Editor::start(&folder, json!({"guard": "HEAD"}));
    editor.open(&path, user);
    assert!(editor.diagnostics(&path, 1).is_empty());
    let told = editor.diagnostics(&path, 1);
    assert_eq!((told.len(), &told[0]["code"]), (1, &"G002".into()), "{told:?}");
    assert_eq!(told[0]["range"]["start"], json!({"line": 2, "character": 7}));
    editor.stop();
}

#[test]
fn an_array_is_explained_in_words_and_as_a_picture() {
    let text = "\
subroutine step(a, b, n)
  integer :: n, i, j
  real :: a(n, n), b(n, n), west
  do j = 2, n - 1
    do i = 2, n - 1
      west = a(i-1, j)
      b(i, j) = west + a(i+1, j) + a(i, j-1) + a(i, j+1)
    end do
  end do
end subroutine
";
    let folder = Folder::with(&[("a.f90", text)]);
    let path = folder.path("a.f90");
    let mut editor = Editor::start(&folder, Value::Null);
    editor.open(&path, text);
    let hover = editor.at("textDocument/hover", &path, (6, 25));
    let value = hover["contents"]["value"].as_str().unwrap();
    assert!(value.contains("**a** is read at offsets (-1, 0), (0, -1), (0, 1), (1, 0), each once"), "{value}");
    assert!(value.contains("  · ● ·\n  ● ○ ●\n  · ● ·\n"), "{value}");
    assert!(value.contains("`stencil readOnce, "), "{value}");
    // The reference that flows to the statement by way of a scalar is one of its reads.
    let of_scalar = editor.at("textDocument/hover", &path, (5, 14));
    assert_eq!(of_scalar["contents"], hover["contents"]);
    assert_eq!(of_scalar["range"]["start"], json!({"line": 5, "character": 13}));
    assert_eq!(editor.at("textDocument/hover", &path, (0, 3)), Value::Null);
    editor.stop();
}

#[test]
fn what_is_wrong_can_be_repaired_rewritten_or_allowed() {
    let text = specified(WRONG);
    let folder = Folder::with(&[("a.f90", &text)]);
    let path = folder.path("a.f90");
    let mut editor = Editor::start(&folder, Value::Null);
    editor.open(&path, &text);
    let actions = editor.actions(&path, 5);
    let repaired = edited(&text, &titled(&actions, "Change the code to 'a(i+1)'")["edit"], &path);
    assert!(repaired.contains("a(i) + a(i+1)"), "{repaired}");
    let rewritten = edited(&text, &titled(&actions, "Replace the specification")["edit"], &path);
    assert_eq!(rewritten, specified(RIGHT));
    let allowed = edited(&text, &titled(&actions, "Allow S010 here")["edit"], &path);
    assert!(allowed.contains("    ! camfort: allow(S010)\n    b(i)"), "{allowed}");
    for (version, text) in (2..).zip([repaired, rewritten, allowed]) {
        editor.change(&path, version, &text);
        assert_eq!(editor.diagnostics(&path, version), Vec::<Value>::new(), "{text}");
    }
    editor.stop();
}

#[test]
fn inferred_specifications_are_inserted() {
    let text = format!("{KERNEL}{}", KERNEL.replace("step", "other"));
    let folder = Folder::with(&[("a.f90", &text)]);
    let path = folder.path("a.f90");
    let mut editor = Editor::start(&folder, json!({"inlayHints": true}));
    editor.open(&path, &text);
    let actions = editor.actions(&path, 4);
    let inserted = edited(&text, &titled(&actions, "Insert the inferred specification")["edit"], &path);
    assert_eq!(inserted, format!("{}{}", specified(RIGHT), KERNEL.replace("step", "other")));
    let everything = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let hints = editor.ask("textDocument/inlayHint", json!({"textDocument": {"uri": uri(&path)}, "range": everything}));
    assert_eq!(hints.unwrap().as_array().unwrap().len(), 2);
    editor.change(&path, 2, &inserted);
    let symbols = editor.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": uri(&path)}})).unwrap();
    assert_eq!(symbols[0]["name"], RIGHT.trim_start_matches("!= "));
    assert!(editor.actions(&path, 5).is_empty());
    editor.stop();
}

const REGIONS: &str = "\
module shapes
  != region :: near = backward(depth=1, dim=1)
end module
";

fn user_of_regions() -> String {
    specified("!= stencil readOnce, near :: a").replace("  integer", "  use shapes\n  integer")
}

#[test]
fn region_variables_are_found_and_renamed_across_files() {
    let folder = Folder::with(&[("shapes.f90", REGIONS), ("a.f90", &user_of_regions())]);
    let (path, module) = (folder.path("a.f90"), folder.path("shapes.f90"));
    let mut editor = Editor::start(&folder, Value::Null);
    editor.open(&path, &user_of_regions());
    assert_eq!(editor.diagnostics(&path, 1), Vec::<Value>::new());
    let place = editor.at("textDocument/definition", &path, (5, 26));
    assert_eq!((&place["uri"], &place["range"]["start"]), (&json!(uri(&module)), &json!({"line": 1, "character": 15})));
    let rename = |editor: &mut Editor, name: &str| {
        let position = json!({"line": 5, "character": 26});
        let parameters = json!({"textDocument": {"uri": uri(&path)}, "position": position, "newName": name});
        editor.ask("textDocument/rename", parameters)
    };
    let edit = rename(&mut editor, "close").unwrap();
    assert_eq!(edited(REGIONS, &edit, &module), REGIONS.replace("near", "close"));
    assert_eq!(edited(&user_of_regions(), &edit, &path), user_of_regions().replace("near", "close"));
    assert_eq!(rename(&mut editor, "1st").unwrap_err().0, -32803);
    assert_eq!(editor.at("textDocument/prepareRename", &path, (0, 0)), Value::Null);
    editor.stop();
}

#[test]
fn a_module_that_is_open_and_not_saved_is_seen_by_others() {
    let folder = Folder::with(&[("shapes.f90", REGIONS), ("a.f90", &user_of_regions())]);
    let (path, module) = (folder.path("a.f90"), folder.path("shapes.f90"));
    let mut editor = Editor::start(&folder, Value::Null);
    editor.open(&module, REGIONS);
    editor.open(&path, &user_of_regions());
    assert_eq!(editor.diagnostics(&path, 1), Vec::<Value>::new());
    // Nobody touches the other document, and yet it is looked at.
    editor.change(&module, 2, &REGIONS.replace("near", "far"));
    assert_eq!(editor.diagnostics(&path, 1)[0]["code"], "S002");
    editor.change(&path, 2, &user_of_regions());
    assert_eq!(editor.diagnostics(&path, 2)[0]["code"], "S002");
    // The file on the disk counts again when it is closed.
    editor.tell("textDocument/didClose", json!({"textDocument": {"uri": uri(&module)}}));
    editor.change(&path, 3, &user_of_regions());
    assert_eq!(editor.diagnostics(&path, 3), Vec::<Value>::new());
    editor.stop();
}

#[test]
fn every_request_is_answered_once_cancelled_or_not() {
    let body: String = (0..400).map(|number| specified(RIGHT).replace("step", &format!("step{number}"))).collect();
    let folder = Folder::with(&[("a.f90", &body)]);
    let path = folder.path("a.f90");
    let mut editor = Editor::start(&folder, Value::Null);
    editor.open(&path, &body);
    let position = json!({"line": 5, "character": 18});
    let parameters = json!({"textDocument": {"uri": uri(&path)}, "position": position});
    let ids: Vec<RequestId> = (0..20).map(|_| editor.request("textDocument/hover", parameters.clone())).collect();
    for number in 0..10 {
        editor.tell("$/cancelRequest", json!({"id": 2 + number}));
    }
    let codes: Vec<Option<i32>> =
        ids.iter().map(|id| editor.answer(id).response_result.err().map(|error| error.code)).collect();
    assert!(codes[..10].contains(&Some(-32800)), "{codes:?}");
    assert!(codes.iter().all(|code| matches!(code, None | Some(-32800))), "{codes:?}");
    assert!(codes[10..].iter().all(Option::is_none), "{codes:?}");
    assert_eq!(editor.ask("textDocument/foldingRange", parameters.clone()).unwrap_err().0, -32601);
    assert_eq!(editor.ask("textDocument/hover", json!({"textDocument": {"uri": uri(&path)}})).unwrap_err().0, -32602);
    let unknown = json!({"textDocument": {"uri": "file:///nowhere.f90"}, "position": position});
    assert_eq!(editor.ask("textDocument/hover", unknown).unwrap_err().0, -32602);
    editor.stop();
}

#[test]
fn the_configuration_holds_and_is_read_again_when_it_changes() {
    let folder = Folder::with(&[("a.f90", &specified(WRONG)), ("camfort.toml", "[rules]\nS010 = \"off\"\n")]);
    let (path, config) = (folder.path("a.f90"), folder.path("camfort.toml"));
    let mut editor = Editor::start(&folder, Value::Null);
    editor.open(&path, &specified(WRONG));
    assert_eq!(editor.diagnostics(&path, 1), Vec::<Value>::new());
    fs::write(&config, "[rules]\nS010 = \"warning\"\n").unwrap();
    editor.tell("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": uri(&config), "type": 2}]}));
    assert_eq!(editor.diagnostics(&path, 1)[0]["severity"], 2);
    fs::write(&config, "nonsense = 1\n").unwrap();
    editor.tell("workspace/didChangeConfiguration", json!({"settings": null}));
    let said = editor.wait(|message| match message {
        Message::Notification(one) if one.method == "window/logMessage" => Some(one.params["message"].clone()),
        _ => None,
    });
    assert!(said.as_str().unwrap().contains("camfort.toml:1:1"), "{said}");
    editor.stop();
}

/// A document of so many procedures, of 20 lines each, with a specification, a wrong one, and calls of each other.
/// Data files of the configuration are held against their programs, as they are typed.
#[test]
fn data_files_are_held_against_the_program_of_the_configuration() {
    let program = "program p\n  integer :: n = 1, steps\n  namelist /run/ n, steps\n  open (7, file='run.nml')\n  \
                   read (7, run)\n  if (n < 1) stop 'n must be positive'\nend program\n";
    let folder = Folder::with(&[
        ("camfort.toml", "[inputs]\n\"run.nml\" = \"src/\"\n"),
        ("src/p.f90", program),
        ("run.nml", "&run n = 4 /\n"),
        ("notes.txt", "b(i = 1\n"),
    ]);
    let mut editor = Editor::start(&folder, json!({}));
    let (data, notes) = (folder.path("run.nml"), folder.path("notes.txt"));
    editor.open_as(&data, "plaintext", "&run n = 4 /\n");
    assert!(editor.diagnostics(&data, 1).is_empty());
    editor.change(&data, 2, "&run n = 4\n stesp = -3, n = 0 /\n");
    assert!(editor.diagnostics(&data, 2).is_empty(), "a first answer comes at once");
    let found = editor.diagnostics(&data, 2);
    let codes: Vec<&str> = found.iter().map(|one| one["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["I005", "I002"], "{found:?}");
    assert_eq!(found[1]["range"]["start"], json!({"line": 1, "character": 17}));
    assert!(found[1]["message"].as_str().unwrap().contains("n must be positive"), "{found:?}");
    editor.open_as(&notes, "plaintext", "b(i = 1\n");
    assert!(editor.diagnostics(&notes, 1).is_empty());
    editor.stop();
}

fn long_document(procedures: usize) -> String {
    let procedure = |number: usize| {
        format!(
            "subroutine step{number}(a, b, c, n)\n  integer :: n, i, j\n  real :: a(n,n), b(n,n), c(n)\n  real :: sum\n\
             do j = 2, n - 1\n  do i = 2, n - 1\n\
             != stencil readOnce, centered(depth=1, dim=1)*pointed(dim=2) :: a\n\
             b(i,j) = a(i-1,j) + a(i,j) + a(i+1,j)\n  end do\n  end do\n  sum = 0\n  do i = 1, n\n\
             sum = sum + c(i)\n  end do\n  if (sum > 0) then\n    call step{number}(b, a, c, n)\n  end if\n\
             do i = 2, n\n  c(i) = c(i-1) + b(i,1)\n  end do\nend subroutine\n"
        )
    };
    (0..procedures).map(procedure).collect()
}

/// A measurement for release builds: `cargo test --release --test server -- --ignored`.
#[test]
#[ignore = "it measures, and unoptimised builds are slow"]
fn a_document_of_20_000_lines_answers_an_edit_within_100_ms() {
    let folder = Folder::with(&[]);
    let (path, text) = (folder.path("long.f90"), long_document(953));
    assert!(text.lines().count() > 20_000);
    let mut editor = Editor::start(&folder, Value::Null);
    editor.open(&path, &text);
    assert!(editor.diagnostics(&path, 1).is_empty());
    let mut times = Vec::new();
    for version in 2..42 {
        let started = std::time::Instant::now();
        editor.insert(&path, version, version as u32 * 400, " ");
        editor.diagnostics(&path, version);
        times.push(started.elapsed());
    }
    editor.stop();
    times.sort_unstable();
    assert!(times[20] < Duration::from_millis(100), "{times:?}");
}

/// Another one.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "it measures, and takes its time"]
fn memory_is_flat_over_10_000_edits() {
    let resident = |editor: &Editor| -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", editor.server.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    let folder = Folder::with(&[]);
    let path = folder.path("short.f90");
    let mut editor = Editor::start(&folder, Value::Null);
    editor.open(&path, &long_document(10));
    let mut after = Vec::new();
    for version in 2..10_002 {
        // A line comes and goes.
        match version % 2 {
            0 => editor.insert(&path, version, 8, "b(i,j) = a(i-1,j)\n"),
            _ => editor.change(&path, version, &long_document(10)),
        }
        editor.diagnostics(&path, version);
        if version % 1000 == 1 {
            after.push(resident(&editor));
        }
    }
    editor.stop();
    assert!(after[9] < after[0] + after[0] / 10, "{after:?}");
}
