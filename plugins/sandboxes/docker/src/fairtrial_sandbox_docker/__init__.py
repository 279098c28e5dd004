"""A sandbox for fairtrial: programs in containers, by docker or podman."""

from fairtrial_sandbox_docker.sandbox import DockerSandbox

__all__ = ["DockerSandbox"]
