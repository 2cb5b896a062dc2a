# SPDX-License-Identifier: Apache-2.0
"""The load-balancing policies: same names, constructors and attributes as in `cassandra.policies`.

Every other name of `cassandra.policies` is found here as well, so that changing the one import is enough. Each
constructor runs the driver's, so that the driver's own methods find what they keep in a policy.
"""

import logging

try:
    from cassandra import policies as driver
except ModuleNotFoundError as missing:
    if missing.name != "cassandra":
        raise
    raise ModuleNotFoundError(
        "No module named 'cassandra', which a driver has: install the package with the extra `cassandra` for "
        "cassandra-driver or `scylla` for scylla-driver, never both",
        name=missing.name,
    ) from None
from cassandra.policies import HostDistance

from isotherm_driver import installed_driver
from isotherm_driver.hosts.filtering import HostFilterCore
from isotherm_driver.hosts.round_robin import DCAwareCore, RackAwareCore, RoundRobinCore
from isotherm_driver.hosts.targeting import TargetCore
from isotherm_driver.routing.token_aware import TokenAwareCore

log = logging.getLogger(__name__)


def __getattr__(name):
    if name == "__all__":  # asked for by `import *`, which finds what the driver's gives, and the policies here
        own = [each for each, value in globals().items() if getattr(value, "__module__", None) == __name__]
        return sorted({each for each in (*vars(driver), *own) if not each.startswith("_")})
    return getattr(driver, name)


class RoundRobinPolicy(RoundRobinCore, driver.RoundRobinPolicy):
    """Every live host, each in turn."""

    def __init__(self):
        driver.RoundRobinPolicy.__init__(self)


class DCAwareRoundRobinPolicy(DCAwareCore, driver.DCAwareRoundRobinPolicy):
    """The local datacenter's hosts in turn, then the first few of each remote datacenter."""

    _endpoints = None  # the contact points, where the driver infers the local datacenter from those only

    def __init__(self, local_dc="", used_hosts_per_remote_dc=0):
        driver.DCAwareRoundRobinPolicy.__init__(self, local_dc, used_hosts_per_remote_dc)
        self._local_dc_explicit = bool(local_dc)

    def populate(self, cluster, hosts):
        """Begin with these hosts; without a local datacenter, remember whose is to become it."""
        if not self.local_dc and not installed_driver.HAS_TABLETS:
            self._endpoints = list(cluster.endpoints_resolved)
        super().populate(cluster, hosts)

    def on_up(self, host):
        """Count the host as live; its datacenter becomes the local one if none is yet and it may decide that."""
        if not self.local_dc and host.datacenter and (self._endpoints is None or host.endpoint in self._endpoints):
            setattr(self, installed_driver.LOCAL_DC, host.datacenter)
            log.info(
                "Using datacenter '%s' as local, from host %s; name another to the constructor if that is wrong",
                host.datacenter,
                host.endpoint,
            )
        super().on_up(host)


class RackAwareRoundRobinPolicy(RackAwareCore, installed_driver.RackAwareRoundRobinPolicy):
    """The local rack's hosts in turn, then those of the local datacenter, then the first few of each remote one."""

    def __init__(self, local_dc, local_rack, used_hosts_per_remote_dc=0):
        if installed_driver.HAS_RACKS:
            installed_driver.RackAwareRoundRobinPolicy.__init__(self, local_dc, local_rack, used_hosts_per_remote_dc)
        else:
            self.local_rack = local_rack
            self.local_dc = local_dc
            self.used_hosts_per_remote_dc = used_hosts_per_remote_dc


class WhiteListRoundRobinPolicy(RoundRobinPolicy, driver.WhiteListRoundRobinPolicy):
    """Every live host of a list, each in turn."""

    def __init__(self, hosts):
        driver.WhiteListRoundRobinPolicy.__init__(self, hosts)

    def _allows(self, host):
        return host.address in self._allowed_hosts_resolved

    def populate(self, cluster, hosts):
        """Begin with those of these hosts that are on the list."""
        super().populate(cluster, [host for host in hosts if self._allows(host)])

    def distance(self, host):
        """Return LOCAL for a host on the list and IGNORED for every other, to which nothing connects."""
        return HostDistance.LOCAL if self._allows(host) else HostDistance.IGNORED

    def on_up(self, host):
        """Count the host as live if it is on the list."""
        if self._allows(host):
            super().on_up(host)

    def on_add(self, host):
        """Count a new host if it is on the list."""
        if self._allows(host):
            super().on_add(host)


class TokenAwarePolicy(TokenAwareCore, driver.TokenAwarePolicy):
    """The replicas of the statement's partition first, by distance; then the child policy's other hosts."""

    def __init__(
        self, child_policy, shuffle_replicas=installed_driver.SHUFFLES_REPLICAS, _prefer_tablet_leader=True, **more
    ):
        if "_prefer_tablet_leader" in installed_driver.TOKEN_AWARE_SETTINGS:
            more["_prefer_tablet_leader"] = _prefer_tablet_leader
        driver.TokenAwarePolicy.__init__(self, child_policy, shuffle_replicas, **more)
        self._prefer_tablet_leader = _prefer_tablet_leader


class HostFilterPolicy(HostFilterCore, driver.HostFilterPolicy):
    """The child policy's plan without the hosts a predicate rejects."""

    def __init__(self, child_policy, predicate):
        driver.HostFilterPolicy.__init__(self, child_policy, predicate)


class DefaultLoadBalancingPolicy(TargetCore, driver.DefaultLoadBalancingPolicy):
    """The host a query names first, then the child policy's plan."""

    def __init__(self, child_policy):
        driver.DefaultLoadBalancingPolicy.__init__(self, child_policy)
