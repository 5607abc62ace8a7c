// The extension for VS Code against its manifest, with stand-ins for the editor and the client.
// tests/vscode.rs runs this: node load.js editors/vscode, after the package was made.
"use strict";

const assert = require("assert");
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

const vscode = {
  workspace: {
    getConfiguration: (section) => ({
      get(name) {
        const setting = settings[`${section}.${name}`];
        assert(setting, `the manifest has no setting ${section}.${name}`);
        return setting.default;
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
  await extension.activate(context);
  assert.deepStrictEqual(clients[0].server, { command: "anyrank", args: ["lsp"] });
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

  // A command that cannot be started is named, and the settings are at hand.
  broken = true;
  await registered.get("anyrank.restart")();
  assert.match(shown[0], /cannot be started as 'anyrank': no such file/);
  assert.deepStrictEqual(executed.pop(), ["workbench.action.openSettings", "anyrank.path"]);
  await extension.deactivate();
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
