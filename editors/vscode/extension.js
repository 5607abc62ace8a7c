// The extension starts `anyrank lsp` and gives its code lenses their command; everything else is the language client's.
"use strict";

const vscode = require("vscode");
const { LanguageClient, State } = require("vscode-languageclient/node");

/** @type {LanguageClient | undefined} */
let client;

function newClient() {
  const settings = vscode.workspace.getConfiguration("anyrank");
  const server = { command: settings.get("path"), args: ["lsp", ...settings.get("arguments")] };
  return new LanguageClient("anyrank", "anyrank", server, {
    documentSelector: [{ scheme: "file", language: "c" }],
    initializationOptions: { showOtherSide: true },
  });
}

async function start() {
  client = newClient();
  try {
    await client.start();
  } catch (error) {
    const path = vscode.workspace.getConfiguration("anyrank").get("path");
    const answer = await vscode.window.showErrorMessage(
      `anyrank cannot be started as '${path}': ${error.message}`,
      "Open settings",
    );
    if (answer) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "anyrank.path");
    }
  }
}

async function stop() {
  const stopped = client;
  client = undefined;
  if (stopped && stopped.state !== State.Stopped) {
    await stopped.stop();
  }
}

/** What a click on a lens does: the server's places become the editor's. */
function showOtherSide(uri, position, locations) {
  const convert = client.protocol2CodeConverter;
  return vscode.commands.executeCommand(
    "editor.action.showReferences",
    convert.asUri(uri),
    convert.asPosition(position),
    locations.map((location) => convert.asLocation(location)),
  );
}

async function activate(context) {
  const restart = async () => {
    await stop();
    await start();
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("anyrank.showOtherSide", showOtherSide),
    vscode.commands.registerCommand("anyrank.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("anyrank")) {
        return restart();
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
