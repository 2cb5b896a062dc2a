# SPDX-License-Identifier: Apache-2.0
"""Every class and member of Cassandra's that the plugin's code names is in the release: no statement finds out."""

import pytest
from links import missing

from isotherm_lab.cluster.classpath import cassandra_class_path, plugin_jar

pytestmark = pytest.mark.contract


def test_all_that_the_plugin_names_is_there():
    assert missing(str(plugin_jar()), cassandra_class_path()) == {}
