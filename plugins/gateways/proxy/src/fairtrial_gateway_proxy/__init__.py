"""A gateway for fairtrial: a proxy that meters tokens and dollars on the wire, and keeps a budget."""

from fairtrial_gateway_proxy.gateway import ProxyGateway
from fairtrial_gateway_proxy.prices import Price

__all__ = ["Price", "ProxyGateway"]
