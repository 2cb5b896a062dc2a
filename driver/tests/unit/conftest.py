# SPDX-License-Identifier: Apache-2.0
"""One set of examples for everyone: hypothesis draws the same ones in every run and under both drivers."""

from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "isotherm",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
    # No shrinking: for a life of many events it takes minutes, and the events print legibly as they are.
    phases=[Phase.explicit, Phase.generate],
)
settings.load_profile("isotherm")
