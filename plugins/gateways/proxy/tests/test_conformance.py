import json
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from fairtrial.api import GatewaySession
from fairtrial.conformance import GatewayConformance
from fairtrial.conformance.models import Script, ScriptedModelServer, ScriptedUsage, Step
from fairtrial_gateway_proxy import ProxyGateway

BODY = {"model": "claude-opus-4-8", "max_tokens": 100, "messages": [{"role": "user"}]}


class TestProxy(GatewayConformance):
    entry_point = "proxy"
    enforces_budget = True

    @pytest.fixture
    def gateway(self) -> Iterator[ProxyGateway]:
        usage = ScriptedUsage(input_uncached=1_000, output=1_000)
        with ScriptedModelServer(Script(steps=(Step(text="hi", usage=usage),))) as server:
            yield ProxyGateway(upstreams={"anthropic": server.url}, log_prompts=False)

    def spend(self, session: GatewaySession) -> None:
        address = f"{session.environment['ANTHROPIC_BASE_URL']}/v1/messages"
        request = urllib.request.Request(address, json.dumps(BODY).encode())
        try:
            with urllib.request.urlopen(request, timeout=10) as reply:
                reply.read()
        except urllib.error.HTTPError as error:
            error.close()
