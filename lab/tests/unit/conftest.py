# SPDX-License-Identifier: Apache-2.0
"""Property tests have the same examples in every run, and no time limit: on a busy machine an example may take long."""

import hypothesis

hypothesis.settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("repeatable")
