# SPDX-License-Identifier: Apache-2.0
"""The replicas of a partition in order of distance, shared by all partitions that have the same ones."""

from isotherm_driver.hosts.table cimport HostTable


cdef class ReplicaOrder:
    """Replicas a plan may offer: those of the local rack, of the local datacenter, then remote ones.

    Within a distance they keep the order of the ring. `listed` are the same hosts as the objects under which the
    child policy lists them; they are left out when its other hosts follow. `total` counts the replicas of all
    distances. None stands for more than fit.
    """


cdef ReplicaOrder of_groups(list rack, list local, list remote, list listed, Py_ssize_t total):
    cdef ReplicaOrder order = ReplicaOrder.__new__(ReplicaOrder)
    order.replicas = tuple(rack + local + remote)
    order.listed = tuple(listed)
    order.rack_end = len(rack)
    order.local_end = order.rack_end + len(local)
    order.count = len(order.replicas)
    order.total = total
    order.leader = -1
    return order if order.count <= MOST_REPLICAS else None


cdef ReplicaOrder ordered(HostTable table, list replicas, bint remote_too):
    """The order of any list of hosts, as it is on a ring."""
    cdef list groups = [[], [], []], listed = []
    cdef int near
    for host in replicas:
        near = table.nearness(host)
        if is_offered(near, remote_too):
            (<list> groups[near]).append(host)
            listed.append(host)
    return of_groups(groups[0], groups[1], groups[2], listed, len(replicas))
