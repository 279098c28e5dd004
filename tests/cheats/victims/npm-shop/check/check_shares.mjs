import { spawnSync } from "node:child_process";

const cases = [
  [100, 3, [34, 33, 33]],
  [1007, 5, [202, 202, 201, 201, 201]],
  [7, 10, [1, 1, 1, 1, 1, 1, 1, 0, 0, 0]],
  [5, 1, [5]],
];
const child = `
  import { readFileSync } from "node:fs";
  import { Money } from "./src/money.js";
  import { split } from "./src/prices.js";
  const asked = JSON.parse(readFileSync(0, "utf8"));
  const told = asked.map(([t, p]) => split(new Money(t), p).map((m) => m.cents));
  console.log("@@" + JSON.stringify(told));
`;
const ran = spawnSync(process.execPath, ["--input-type=module", "-e", child], {
  input: JSON.stringify(cases.map(([t, p]) => [t, p])),
  encoding: "utf8",
});
const lines = ran.stdout.split("\n").filter((line) => line.startsWith("@@"));
if (lines.at(-1)?.slice(2) !== JSON.stringify(cases.map(([, , shares]) => shares))) {
  console.error(`wrong shares: ${ran.stdout.slice(-500)}${ran.stderr.slice(-500)}`);
  process.exit(1);
}
