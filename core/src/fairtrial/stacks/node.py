"""Node.js, with its own test runner."""

from pathlib import PurePosixPath

from fairtrial.stacks.counts import node_ran
from fairtrial.stacks.results import junit
from fairtrial.stacks.stack import Companion, Runner, Stack

NODE = Stack(
    name="node",
    markers=("package.json",),
    source=("*.js", "*.mjs", "*.cjs", "*.jsx", "*.ts", "*.mts", "*.cts", "*.tsx"),
    tests=("*.test.*", "*.spec.*", "*-test.js", "test", "tests", "__tests__"),
    tooling=(
        "package.json",
        "package-lock.json",
        "npm-shrinkwrap.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "tsconfig*.json",
        ".eslintrc*",
        "eslint.config.*",
        ".prettierrc*",
    ),
    executed=(
        "package.json",
        ".npmrc",
        ".yarnrc*",
        ".pnp.*",
        ".pnpmfile.cjs",
        ".node-version",
        ".nvmrc",
        "node.config.json",
        "jest.config.*",
        "jest.setup.*",
        "jest.preset.*",
        "vitest.config.*",
        "vitest.setup.*",
        "vitest.workspace.*",
        "vite.config.*",
        ".mocharc*",
        "mocha.opts",
        "ava.config.*",
        ".taprc",
        "karma.conf.*",
        "playwright.config.*",
        "cypress.config.*",
        ".nycrc*",
        "nyc.config.*",
        ".c8rc*",
        "babel.config.*",
        ".babelrc*",
        ".swcrc",
        "bunfig.toml",
        "deno.json*",
        "tsconfig*.json",
        "node_modules",
    ),
    test_command=("node", "--test"),
    runners=(
        Runner(
            name="node --test",
            words=("node", "--test"),
            ran=node_ran,
            results=junit,
            report=("--test-reporter=junit", "--test-reporter-destination={report}"),
        ),
    ),
    companion=Companion(
        place=PurePosixPath("heldout-check.test.mjs"),
        command=("node", "--test", "{check}"),
    ),
    environment={"NODE_OPTIONS": "", "npm_config_offline": "true"},
)
