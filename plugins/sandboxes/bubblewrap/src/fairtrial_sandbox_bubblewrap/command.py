"""The command line of `bwrap` for one workspace."""

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from attrs import frozen
from fairtrial.api import Network
from fairtrial.processes.person import Person
from fairtrial.processes.places import Places
from fairtrial.processes.relay import MODEL_SOCKET, RELAY, relay_argv

from fairtrial_sandbox_bubblewrap.views import View, passages, system

HOME = PurePosixPath("/home/agent")
TMP = PurePosixPath("/tmp")  # noqa: S108 - inside, where it is the workspace's own
_VAR_TMP = PurePosixPath("/var/tmp")  # noqa: S108 - likewise
_LOADER = ("LD_", "GLIBC_", "GCONV_", "MALLOC_", "BASH_", "ENV")


@frozen(kw_only=True)
class Fenced:
    """
    Everything about a workspace that its command line says.

    Attributes:
        bwrap: The program.
        setpriv: The program that takes on another user; None where the user stays.
        prlimit: The program that sets a limit on processes; None where there is none.
        places: The workspace's directories.
        inside: The name of its root in the sandbox.
        shown: What else is seen.
        person: Who programs are.
        network: What may be reached.
        model_socket: What leads to the model, where that alone may be reached.
        processes: Most processes.
    """

    bwrap: str
    setpriv: str | None
    prlimit: str | None
    places: Places
    inside: PurePosixPath
    shown: Sequence[View]
    person: Person
    network: Network
    model_socket: Path | None
    processes: int | None

    def fixed(self) -> list[str]:
        """Returns the part that is the same for every program of the workspace."""
        arguments = [self.bwrap, *self._namespaces(), *system()]
        arguments += ["--proc", "/proc", "--dev", "/dev"]
        arguments += ["--bind", str(self.places.tmp), str(TMP)]
        arguments += passages((HOME, _VAR_TMP, PurePosixPath(MODEL_SOCKET), self.inside))
        # What is seen below it needs a directory there; a link would be in its way.
        linked = not any(view.inside.is_relative_to(_VAR_TMP) for view in self.shown)
        other = ["--symlink", str(TMP)] if linked else ["--bind", str(self.places.tmp)]
        arguments += [*other, str(_VAR_TMP)]
        arguments += passages(view.inside for view in self.shown)
        arguments += ["--bind", str(self.places.home), str(HOME)]
        for name, source in self.person.describe(str(HOME), self.places.top).items():
            arguments += ["--ro-bind", str(source), name]
        if self.model_socket is not None:
            arguments += ["--ro-bind", RELAY.source, RELAY.inside]
            arguments += ["--bind", str(self.model_socket), MODEL_SOCKET]
        for view in self.shown:
            arguments += view.arguments()
        arguments += ["--bind", str(self.places.root), str(self.inside)]
        # Last, since places to be seen may have to be made in what is covered.
        for covered in (view.inside for view in self.shown if view.source is None):
            arguments += ["--remount-ro", str(covered)]
        return [*arguments, "--remount-ro", "/"]

    def start(self, argv: Sequence[str], cwd: PurePosixPath, env: Mapping[str, str]) -> list[str]:
        """
        Returns the part that differs: where a program starts, and the program itself.

        What the loader of `bwrap` would obey is set inside; all else it is given as its own
        environment, since command lines can be read by others.
        """
        arguments = ["--chdir", str(cwd)]
        for name, value in env.items():
            if name.startswith(_LOADER):
                arguments += ["--setenv", name, value]
        return [*arguments, "--", *self._wrapped(argv)]

    def own(self, env: Mapping[str, str]) -> dict[str, str]:
        """Returns the environment of `bwrap` itself, which programs inherit."""
        return {name: value for name, value in env.items() if not name.startswith(_LOADER)}

    def _namespaces(self) -> list[str]:
        arguments = ["--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"]
        arguments += ["--hostname", "fairtrial", "--die-with-parent", "--new-session"]
        arguments += ["--json-status-fd", "3"]
        if self.network is not Network.OPEN:
            arguments.append("--unshare-net")
        arguments += ["--cap-drop", "ALL"]
        if not self.person.dropped:
            return ["--unshare-user", *arguments]
        # What `setpriv` needs to take on the other user, and `--chdir` to enter its directory;
        # the program itself has none of them.
        for needed in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", "CAP_DAC_OVERRIDE"):
            arguments += ["--cap-add", needed]
        return arguments

    def _wrapped(self, argv: Sequence[str]) -> list[str]:
        wrapped: list[str] = []
        if self.setpriv is not None:
            user = str(self.person.uid)
            wrapped += [self.setpriv, "--reuid", user, "--regid", user, "--clear-groups"]
            wrapped += ["--bounding-set=-all", "--inh-caps=-all", "--no-new-privs", "--"]
        if self.prlimit is not None:
            wrapped += [self.prlimit, f"--nproc={self.processes}:{self.processes}", "--"]
        if self.model_socket is not None:
            wrapped += relay_argv()
        return [*wrapped, *argv]
