// Bundles the extension with the language client into `dist/`, and the licences of what is in the bundle beside it.
"use strict";

const fs = require("fs");
const path = require("path");
const esbuild = require("esbuild");

/** The directory of the package that a bundled file is from; none for our own. */
function packageOf(file) {
  const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file);
  return match ? [match[1]] : [];
}

function licence(directory) {
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(directory, "package.json"), "utf8"));
  const file = fs.readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) {
    throw new Error(`${directory} has no licence`);
  }
  return `${name} ${version} (${license})\n\n${fs.readFileSync(path.join(directory, file), "utf8").trim()}\n`;
}

async function build() {
  const { metafile } = await esbuild.build({
    entryPoints: ["extension.js"],
    bundle: true,
    minify: true,
    platform: "node",
    format: "cjs",
    target: "node18",
    external: ["vscode"],
    metafile: true,
    outfile: "dist/extension.js",
  });
  const packages = [...new Set(Object.keys(metafile.inputs).flatMap(packageOf))].sort();
  fs.writeFileSync("dist/LICENSES.txt", packages.map(licence).join(`\n${"-".repeat(72)}\n\n`));
}

build().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
