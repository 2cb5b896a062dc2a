# SPDX-License-Identifier: Apache-2.0
"""Keys and certificates for one cluster, made by the JDK's keytool for as long as a test runs."""

import os
import ssl
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isotherm_lab.cluster.java import java_command

_PASSWORD = "of-a-test"
_KEYTOOL = str(Path(os.path.realpath(java_command())).with_name("keytool"))


@dataclass(frozen=True)
class Certificates:
    """One key for all nodes, which is all that they trust, and its certificate for clients."""

    keys: Path
    trusted: Path
    certificate: Path

    @classmethod
    def of(cls, addresses: Sequence[str], directory: Path) -> "Certificates":
        """Make them in this directory; the certificate names these addresses and no other."""
        made = cls(directory / "keys.p12", directory / "trusted.p12", directory / "nodes.pem")
        _keytool(
            "-genkeypair", "-alias", "nodes", "-keyalg", "EC", "-groupname", "secp256r1", "-validity", "2",
            "-dname", "CN=nodes", "-ext", "SAN=" + ",".join(f"ip:{address}" for address in addresses),
            "-keystore", made.keys,
        )  # fmt: skip
        _keytool("-exportcert", "-rfc", "-alias", "nodes", "-file", made.certificate, "-keystore", made.keys)
        _keytool("-importcert", "-noprompt", "-alias", "nodes", "-file", made.certificate, "-keystore", made.trusted)
        return made

    def cassandra_yaml(self) -> dict[str, Any]:
        """Return the keys that have nodes speak TLS alone, and among each other only with a trusted certificate."""
        keys = {"keystore": str(self.keys), "keystore_password": _PASSWORD, "store_type": "PKCS12", "optional": False}
        trusted = {"truststore": str(self.trusted), "truststore_password": _PASSWORD}
        return {
            "client_encryption_options": {"enabled": True, **keys},
            "server_encryption_options": {
                "internode_encryption": "all",
                "require_client_auth": True,
                **keys,
                **trusted,
            },
        }

    def of_client(self) -> ssl.SSLContext:
        """Return what a client needs: it accepts these nodes and no others."""
        return ssl.create_default_context(cafile=str(self.certificate))


def _keytool(*arguments: object) -> None:
    command = [_KEYTOOL, *map(str, arguments), "-storetype", "PKCS12", "-storepass", _PASSWORD]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
