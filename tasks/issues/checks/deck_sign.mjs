import assert from "node:assert/strict";

const { deck } = await import(new URL("./src/signs.js", import.meta.url));

assert.equal(deck(2, "Lounge"), "Deck 2: Lounge");
assert.equal(deck(4), "Deck 4");
