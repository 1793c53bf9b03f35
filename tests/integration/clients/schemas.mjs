// The protocol's own JSON schemas, which the conformance suite carries, as one JSON object by revision.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

const suite = readFileSync(
  fileURLToPath(import.meta.resolve("conformance-next/dist/index.js")),
  "utf8",
);
const START = /=\{\$schema:`https?:\/\/json-schema\.org\/draft[^`]*`,(?:\$defs|definitions):\{/g;
const found = [];
for (const match of suite.matchAll(START)) {
  const start = match.index + 1;
  found.push(vm.runInNewContext(`(${suite.slice(start, end(suite, start))})`));
}

// Where the object that begins at `start` ends: braces count, but not those inside of strings.
function end(text, start) {
  let depth = 0;
  let quote = "";
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (quote) {
      if (character === "\\") at++;
      else if (character === quote) quote = "";
    } else if ("`'\"".includes(character)) quote = character;
    else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return at + 1;
  }
  throw new Error("a schema does not end");
}

console.log(JSON.stringify(found));
