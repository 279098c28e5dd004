from fairtrial.conformance import SandboxConformance


class TestDocker(SandboxConformance):
    entry_point = "docker"
    python = "python3"
    keeps_network = True
    keeps_files = True
