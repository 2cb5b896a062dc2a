# SPDX-License-Identifier: Apache-2.0
"""Property tests have no time limit of their own: on a busy machine an example may take long."""

import hypothesis

hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")
