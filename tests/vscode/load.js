// The extension for VS Code against its manifest, with stand-ins for the editor and the client.
// tests/all/vscode.rs runs this: node load.js editors/vscode, after the package was made.
"use strict";

const assert = require("assert");
const fs = require("fs");
const os = require("os");
const Module = require("module");
const path = require("path");

const directory = path.resolve(process.argv[2]);
const manifest = require(path.join(directory, "package.json"));
const settings = manifest.contributes.configuration.properties;
const registered = new Map();
const shown = [];
const executed = [];
let changed;
let broken = false;

// A workspace, and a directory outside of it; both are on the PATH, and have the command.
const place = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "anyrank-vscode-")));
const [workspace, tools, links] = ["workspace", "tools", "links"].map((name) => path.join(place, name));
const own = path.join(workspace, "anyrank");
const installed = path.join(tools, "anyrank");
for (const file of [own, installed]) {
  fs.mkdirSync(path.dirname(file));
  fs.writeFileSync(file, "#!/bin/sh\n", { mode: 0o755 });
}
fs.mkdirSync(links);
fs.symlinkSync(own, path.join(links, "anyrank"));
const onPath = (...directories) => void (process.env.PATH = directories.join(path.delimiter));
const search = process.env.PATH;
process.on("exit", () => fs.rmSync(place, { recursive: true }));
const given = {};

const vscode = {
  workspace: {
    workspaceFolders: [{ uri: { fsPath: workspace } }],
    getConfiguration: (section) => ({
      get(name) {
        const setting = settings[`${section}.${name}`];
        assert(setting, `the manifest has no setting ${section}.${name}`);
        return given[name] ?? setting.default;
      },
    }),
    onDidChangeConfiguration(work) {
      changed = work;
      return { dispose() {} };
    },
  },
  commands: {
    registerCommand(name, work) {
      registered.set(name, work);
      return { dispose() {} };
    },
    executeCommand: async (...what) => void executed.push(what),
  },
  window: {
    async showErrorMessage(message, ...buttons) {
      shown.push(message);
      return buttons[0];
    },
  },
};

const clients = [];
class LanguageClient {
  constructor(id, name, server, options) {
    Object.assign(this, { id, server, options, state: 1 });
    this.protocol2CodeConverter = { asUri: (x) => ["uri", x], asPosition: (x) => ["position", x], asLocation: (x) => ["location", x] };
    clients.push(this);
  }
  async start() {
    if (broken) throw new Error("no such file");
    this.state = 2;
  }
  async stop() {
    this.state = 1;
  }
}

const fakes = { vscode, "vscode-languageclient/node": { LanguageClient, State: { Stopped: 1, Running: 2 } } };
const load = Module._load;
Module._load = (name, ...rest) => fakes[name] ?? load(name, ...rest);

async function run() {
  const extension = require(path.join(directory, "extension.js"));
  const context = { subscriptions: [] };
  process.chdir(workspace);
  onPath("", ".", "bin", workspace, links, tools);
  await extension.activate(context);
  const server = { command: installed, args: ["lsp"], options: { cwd: tools } };
  assert.deepStrictEqual(clients[0].server, server);
  assert.strictEqual(clients[0].options.initializationOptions.showOtherSide, true);
  const language = manifest.activationEvents.map((event) => event.replace("onLanguage:", ""));
  assert.deepStrictEqual(clients[0].options.documentSelector.map((one) => one.language), language);
  for (const { command } of manifest.contributes.commands) {
    assert(registered.has(command), `nobody registers ${command}`);
  }

  // What a click on a lens does.
  await registered.get("anyrank.showOtherSide")("file:///a.c", { line: 1 }, ["x", "y"]);
  assert.deepStrictEqual(executed.pop(), [
    "editor.action.showReferences", ["uri", "file:///a.c"], ["position", { line: 1 }], [["location", "x"], ["location", "y"]],
  ]);

  // Settings that change start another server, and stop the one before.
  await changed({ affectsConfiguration: (section) => section === "anyrank" });
  assert.deepStrictEqual(clients.map((client) => client.state), [1, 2]);
  await changed({ affectsConfiguration: () => false });
  assert.strictEqual(clients.length, 2);

  // The workspace has no say in which program is started, and settings of it count only if it is trusted.
  assert.strictEqual(settings["anyrank.path"].scope, "machine");
  const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  assert.strictEqual(supported, "limited");
  assert.deepStrictEqual(restrictedConfigurations, Object.keys(settings));
  const count = clients.length;
  onPath("", ".", workspace, links);
  await registered.get("anyrank.restart")();
  assert.match(shown.pop(), /as 'anyrank': there is no such program on the PATH outside of the workspace/);
  onPath(tools);
  for (const relative of ["./anyrank", "../tools/anyrank"]) {
    given.path = relative;
    await registered.get("anyrank.restart")();
    assert.match(shown.pop(), /neither a name nor an absolute path/);
  }
  executed.length = 0;
  assert.strictEqual(clients.length, count, "nothing was started");
  given.path = installed;
  await registered.get("anyrank.restart")();
  assert.deepStrictEqual(clients.at(-1).server, server);
  delete given.path;

  // A command that cannot be started is named, and the settings are at hand.
  broken = true;
  await registered.get("anyrank.restart")();
  assert.match(shown[0], /cannot be started as 'anyrank': no such file/);
  assert.deepStrictEqual(executed.pop(), ["workbench.action.openSettings", "anyrank.path"]);
  await extension.deactivate();
  process.env.PATH = search;
  assert(clients.every((client) => client.state === 1), "all servers are stopped");

  // The bundle has the client in it, and asks for nothing but the editor.
  const asked = new Set();
  Module._load = (name, ...rest) => (asked.add(name), name === "vscode" ? base() : load(name, ...rest));
  const bundle = require(path.join(directory, manifest.main));
  assert.deepStrictEqual(Object.keys(bundle).sort(), ["activate", "deactivate"]);
  for (const name of asked) {
    assert(name === "vscode" || name === path.join(directory, manifest.main) || Module.isBuiltin(name), `the bundle asks for ${name}`);
  }
}

/** An editor whose every part is a class that can be extended. */
function base() {
  return new Proxy({}, { get: () => class {} });
}

run().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
