// The extension starts `anyrank lsp` and gives its code lenses their command; everything else is the language client's.
"use strict";

const fs = require("fs");
const path = require("path");
const vscode = require("vscode");
const { LanguageClient, State } = require("vscode-languageclient/node");

/** @type {LanguageClient | undefined} */
let client;

/** A path with its links resolved, or as it is if there is nothing. */
function real(file) {
  try {
    return fs.realpathSync(file);
  } catch {
    return file;
  }
}

function isWithin(file, directory) {
  const relative = path.relative(directory, file);
  return relative === "" || (relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative));
}

function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * The file that a command is. A name is looked for in directories of the PATH that are neither relative, and so perhaps the
 * workspace, nor in the workspace: opening a folder starts nothing that is in it.
 */
function locate(command) {
  if (path.isAbsolute(command)) {
    return command;
  }
  if (path.basename(command) !== command) {
    throw new Error("it is neither a name nor an absolute path");
  }
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => real(folder.uri.fsPath));
  const ends = process.platform === "win32" ? [".exe", ""] : [""];
  for (const directory of (process.env.PATH ?? "").split(path.delimiter).filter((entry) => path.isAbsolute(entry))) {
    for (const file of ends.map((end) => path.join(directory, command + end)).filter(isProgram)) {
      if (!folders.some((folder) => isWithin(real(directory), folder) || isWithin(real(file), folder))) {
        return file;
      }
    }
  }
  throw new Error("there is no such program on the PATH outside of the workspace");
}

function newClient() {
  const settings = vscode.workspace.getConfiguration("anyrank");
  const command = locate(settings.get("path"));
  // Libraries that are looked for in the current directory are not looked for in the workspace either.
  const options = { cwd: path.dirname(command) };
  const server = { command, args: ["lsp", ...settings.get("arguments")], options };
  return new LanguageClient("anyrank", "anyrank", server, {
    documentSelector: [{ scheme: "file", language: "c" }],
    initializationOptions: { showOtherSide: true },
  });
}

async function start() {
  try {
    client = newClient();
    await client.start();
  } catch (error) {
    const command = vscode.workspace.getConfiguration("anyrank").get("path");
    const answer = await vscode.window.showErrorMessage(
      `anyrank cannot be started as '${command}': ${error.message}`,
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
