# SPDX-License-Identifier: Apache-2.0
"""Which hosts hold each range of the ring: arrays made from the driver's token map."""

from cpython.list cimport PyList_CheckExact
from cpython.mem cimport PyMem_Free, PyMem_Malloc, PyMem_Realloc
from cpython.object cimport PyObject
from libc.stdint cimport uint32_t, uint64_t, uintptr_t
from libc.string cimport memset


cdef class HostNumbers:
    """Numbers hosts in the order in which they first appear, by identity: hashing a Host runs Python."""

    cdef PyObject** keys
    cdef uint32_t* numbers
    cdef Py_ssize_t mask
    cdef list hosts

    def __init__(self):
        self.hosts = []
        self.resize(256)

    def __dealloc__(self):
        PyMem_Free(self.keys)
        PyMem_Free(self.numbers)

    cdef int resize(self, Py_ssize_t slots) except -1:
        PyMem_Free(self.keys)
        PyMem_Free(self.numbers)
        self.keys = self.numbers = NULL
        self.keys = <PyObject**> PyMem_Malloc(slots * sizeof(PyObject*))
        self.numbers = <uint32_t*> PyMem_Malloc(slots * sizeof(uint32_t))
        if self.keys == NULL or self.numbers == NULL:
            raise MemoryError
        memset(self.keys, 0, slots * sizeof(PyObject*))
        self.mask = slots - 1
        for number, host in enumerate(self.hosts):
            at = self.slot(<PyObject*> host)
            self.keys[at] = <PyObject*> host
            self.numbers[at] = number
        return 0

    cdef Py_ssize_t slot(self, PyObject* host) noexcept:
        cdef uint64_t mixed = (<uint64_t> <uintptr_t> host >> 4) * <uint64_t> 0x9E3779B97F4A7C15ULL
        cdef Py_ssize_t at = <Py_ssize_t> (mixed >> 32) & self.mask
        while self.keys[at] != NULL and self.keys[at] != host:
            at = (at + 1) & self.mask
        return at

    cdef uint32_t number(self, object host) except? 0xFFFFFFFF:
        cdef Py_ssize_t at = self.slot(<PyObject*> host)
        if self.keys[at] == NULL:
            if 2 * len(self.hosts) > self.mask:
                self.resize(2 * (self.mask + 1))
                at = self.slot(<PyObject*> host)
            self.keys[at] = <PyObject*> host
            self.numbers[at] = <uint32_t> len(self.hosts)
            self.hosts.append(host)
        return self.numbers[at]


cdef class ReplicaRing:
    """The replicas at each position of the ring for one keyspace, in the token map's order.

    `source` is the token map's own dictionary it was made from; whether that is still the present one tells
    whether this is.
    """

    def __init__(self, ring, source):
        cdef HostNumbers numbers = HostNumbers()
        cdef Py_ssize_t i, at = 0, count = len(ring), room = max(4 * count, 16)
        cdef object in_order = iter(source.items())
        self.source = source
        self.length = count
        self.starts = <uint32_t*> PyMem_Malloc((count + 1) * sizeof(uint32_t))
        self.members = <uint32_t*> PyMem_Malloc(room * sizeof(uint32_t))
        if self.starts == NULL or self.members == NULL:
            raise MemoryError
        for i, token in enumerate(ring):
            # A map in the order of its ring, as the driver makes it, saves hashing the tokens.
            entry = next(in_order, None) if in_order is not None else None
            if entry is not None and (<tuple> entry)[0] is token:
                replicas = (<tuple> entry)[1]
            else:
                in_order = None
                replicas = source.get(token, ())
            if not PyList_CheckExact(replicas):
                replicas = list(replicas)
            self.starts[i] = <uint32_t> at
            if at + len(<list> replicas) > room:
                room = 2 * room + len(<list> replicas)
                self.members = <uint32_t*> grown(self.members, room * sizeof(uint32_t))
            for host in <list> replicas:
                self.members[at] = numbers.number(host)
                at += 1
        self.starts[count] = <uint32_t> at
        self.members = <uint32_t*> grown(self.members, max(at, 1) * sizeof(uint32_t))
        self.hosts = tuple(numbers.hosts)

    def __dealloc__(self):
        PyMem_Free(self.starts)
        PyMem_Free(self.members)


cdef void* grown(void* memory, size_t size) except NULL:
    memory = PyMem_Realloc(memory, size)
    if memory == NULL:
        raise MemoryError
    return memory
