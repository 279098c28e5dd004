import assert from "node:assert/strict";
import test from "node:test";

import { deck } from "./src/signs.js";

test("other decks", () => {
  assert.equal(deck(5, "Bridge"), "Deck 5: Bridge");
  assert.equal(deck(5, ""), "Deck 5");
});
