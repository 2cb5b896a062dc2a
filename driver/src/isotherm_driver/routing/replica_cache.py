# SPDX-License-Identifier: Apache-2.0
"""The replicas last asked of a token map that is not the driver's own."""

from collections import OrderedDict


class ReplicaCache:
    """At most `size` answers of one token map, the least recently used dropped first."""

    def __init__(self, size):
        self._size = size
        self._token_map = None
        self._answers = OrderedDict()

    def __len__(self):
        return len(self._answers)

    def replicas(self, token_map, keyspace, routing_key, token):
        """The replicas of a token, as the token map gives or last gave them."""
        if token_map is not self._token_map:
            self._token_map, self._answers = token_map, OrderedDict()
        answers, key = self._answers, (keyspace, routing_key)
        replicas = answers.pop(key, None)
        if replicas is None:
            replicas = token_map.get_replicas(keyspace, token)
        if self._size:
            answers[key] = replicas
            while len(answers) > self._size:
                answers.popitem(last=False)
        return replicas
