import assert from "node:assert/strict";

const { party } = await import(new URL("./src/fares.js", import.meta.url));

assert.equal(party(["adult", "child"]), 675);
assert.equal(party([]), 0);
