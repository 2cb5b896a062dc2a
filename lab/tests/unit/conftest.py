# SPDX-License-Identifier: Apache-2.0
"""Property tests have no time limit of their own: on a busy machine an example may take long."""

import hypothesis

hypothesis.settings.register_profile("untimed", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("untimed")
