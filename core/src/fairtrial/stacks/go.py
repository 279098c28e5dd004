"""Go, with its own test runner."""

from pathlib import PurePosixPath

from fairtrial.stacks.counts import go_ran
from fairtrial.stacks.results import go_json
from fairtrial.stacks.stack import Companion, Runner, Stack

GO = Stack(
    name="go",
    markers=("go.mod",),
    source=("*.go",),
    tests=("*_test.go", "testdata"),
    tooling=("go.mod", "go.sum", ".golangci.*"),
    # Test files are built into the very program that gives the verdict, `TestMain` and all.
    executed=("go.mod", "go.sum", "go.work", "go.work.sum", "vendor", "go.env", "*_test.go"),
    test_command=("go", "test", "-count=1", "./..."),
    runners=(Runner(name="go test", words=("go", "test"), ran=go_ran, results=go_json),),
    companion=Companion(
        place=PurePosixPath("heldout_check_test.go"),
        command=("go", "test", "-count=1", "."),
    ),
    environment={"GOFLAGS": "", "GOPROXY": "off", "GOWORK": "off", "GOTOOLCHAIN": "local"},
)
