// Starts `camfort-rs server` for Fortran documents; the server does the rest.

import { ExtensionContext, workspace } from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

const LANGUAGES = ["fortran", "FortranFreeForm", "FortranFixedForm", "fortran_fixed-form"];

let client: LanguageClient | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  await start();
  const restart = workspace.onDidChangeConfiguration(async (change) => {
    if (change.affectsConfiguration("camfort-rs")) {
      await deactivate();
      await start();
    }
  });
  context.subscriptions.push(restart);
}

async function start(): Promise<void> {
  const settings = workspace.getConfiguration("camfort-rs");
  const server: ServerOptions = {
    command: settings.get<string>("path", "camfort-rs"),
    args: ["server", ...settings.get<string[]>("arguments", [])],
  };
  const options: LanguageClientOptions = {
    documentSelector: [
      ...LANGUAGES.flatMap((language) => ["file", "untitled"].map((scheme) => ({ scheme, language }))),
      ...settings.get<string[]>("dataFiles", []).map((pattern) => ({ scheme: "file", pattern })),
    ],
    initializationOptions: {
      inlayHints: settings.get<boolean>("inlayHints", false),
      guard: settings.get<string>("guard") || undefined,
    },
    synchronize: {
      fileEvents: workspace.createFileSystemWatcher(
        "**/{camfort.toml,fpm.toml,*.[fF],*.[fF][0-9][0-9],*.[fF][oO][rR],*.[fF][pP][pP],*.[fF][tT][nN],*.fypp,*.pf,*.inc,*.h}",
      ),
    },
  };
  client = new LanguageClient("camfort-rs", "camfort-rs", server, options);
  await client.start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}
