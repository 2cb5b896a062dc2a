# SPDX-License-Identifier: Apache-2.0
"""Hosts by location: dictionaries of tuples that are never changed, only replaced."""

from isotherm_driver.hosts.table cimport find


cdef bint is_same_node(one, other) except -1:
    """Whether equal hosts are one node. One with another host_id is another node, which has taken over the address."""
    return one is other or getattr(one, "host_id", None) == getattr(other, "host_id", None)


cdef bint is_taken(dict buckets, host) except -1:
    """Whether the host's address is another node's."""
    for hosts in buckets.values():
        for each in hosts:
            if each == host and not is_same_node(each, host):
                return True
    return False


cdef tuple without(tuple hosts, host):
    """The hosts but this one, which another node with its address is not."""
    cdef Py_ssize_t at = find(hosts, host)
    if at < 0 or not is_same_node(hosts[at], host):
        return hosts
    return hosts[:at] + hosts[at + 1:]


cdef dict unlisted(dict buckets, host):
    """A copy of the buckets that lists the host nowhere."""
    cdef dict rest = {}
    for key, hosts in buckets.items():
        hosts = without(hosts, host)
        if hosts:
            rest[key] = hosts
    return rest


cdef tuple replaced(tuple hosts, host, Py_ssize_t at):
    """The hosts without any that has the host's address, and with the host at this place; nowhere if that is -1."""
    cdef Py_ssize_t i
    cdef list rest = []
    for i in range(len(hosts)):
        if i == at:
            rest.append(host)
        elif hosts[i] is not host and hosts[i] != host:
            rest.append(hosts[i])
    return tuple(rest)


cdef dict listed(dict buckets, key, host):
    """A copy of the buckets that has the host's address under the key only, in its old place if it was there."""
    cdef tuple here = buckets.get(key, ())
    cdef Py_ssize_t at = find(here, host)
    cdef dict changed = {}
    for name, hosts in buckets.items():
        hosts = replaced(hosts, host, at if name == key else -1)
        if hosts:
            changed[name] = hosts
    if at < 0:
        changed[key] = changed.get(key, ()) + (host,)
    return changed


cdef dict grouped(hosts, key):
    """The hosts by key, each group once and in the order of a set, which differs from process to process.

    That clients disagree about the order matters: it decides which hosts of a remote datacenter they use.
    """
    groups = {}
    for host in hosts:
        groups.setdefault(key(host), []).append(host)
    return {k: tuple(set(members)) for k, members in groups.items()}
