"""Rust, with Cargo."""

from pathlib import PurePosixPath

from fairtrial.stacks.counts import cargo_ran
from fairtrial.stacks.results import cargo
from fairtrial.stacks.stack import Companion, Runner, Stack

RUST = Stack(
    name="rust",
    markers=("Cargo.toml",),
    source=("*.rs",),
    tests=("/tests/**", "*_test.rs", "tests.rs", "/benches/**"),
    tooling=("Cargo.toml", "Cargo.lock", "rustfmt.toml", ".rustfmt.toml", "clippy.toml"),
    executed=(
        "build.rs",
        "Cargo.toml",
        "Cargo.lock",
        ".cargo",
        "rust-toolchain",
        "rust-toolchain.toml",
        ".config/nextest.toml",
        "target",
    ),
    test_command=("cargo", "test", "--offline", "--no-fail-fast"),
    runners=(Runner(name="cargo test", words=("cargo", "test"), ran=cargo_ran, results=cargo),),
    companion=Companion(
        place=PurePosixPath("tests/heldout_check.rs"),
        command=("cargo", "test", "--offline", "--test", "heldout_check"),
    ),
    environment={"CARGO_NET_OFFLINE": "true", "CARGO_TERM_COLOR": "never", "RUSTFLAGS": ""},
)
