# SPDX-License-Identifier: Apache-2.0
"""A file system on a slow disk that the lab makes: ext4 on a loop device, whose backing file is served at a pace.

The kernel takes it for a disk: reads go through its page cache, and those that miss are counted for their thread.
"""
