#!/usr/bin/env bash
# Makes sure of what the make targets need: a JDK (11 or 17), Maven, a C compiler, Python 3.11 with venv and its headers.
# Installs what is missing with apt when it runs as root on Debian or Ubuntu; otherwise names the command that does.
set -euo pipefail

missing=()

have_jdk() {
    local version
    command -v javac >/dev/null 2>&1 || return 1
    version=$(java -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1)
    # Cassandra 5.0 runs on 11 and 17 and on no other.
    [ "$version" = 11 ] || [ "$version" = 17 ]
}

have_python() {
    python3 - <<'PY' >/dev/null 2>&1
import os, sys, sysconfig, venv, ensurepip
# Where setuptools looks for the headers, in an environment too; Debian has them in a package of their own.
names = sysconfig.get_config_var("INCLUDEPY"), f"{sys.base_prefix}/include/python{sysconfig.get_python_version()}"
headers = next((name for name in names if name and os.path.exists(name)), "")
sys.exit(sys.version_info < (3, 11) or not os.path.isfile(f"{headers}/Python.h"))
PY
}

jdk=openjdk-17-jdk-headless
have_jdk || missing+=("$jdk")
command -v mvn >/dev/null 2>&1 || missing+=(maven)
command -v cc >/dev/null 2>&1 || missing+=(gcc libc6-dev)
have_python || missing+=(python3 python3-venv python3-dev)

[ ${#missing[@]} -eq 0 ] && exit 0

install="apt-get install -y --no-install-recommends ${missing[*]}"
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing ${missing[*]} with apt"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q
    # Debian 13 has newer ones only.
    if ! have_jdk && ! apt-cache show "$jdk" >/dev/null 2>&1; then
        echo "A JDK 17 is missing: apt has no $jdk here, and Cassandra 5.0 runs on 11 and 17 and on no other." >&2
        echo "Install one, for instance Eclipse Temurin 17, set JAVA_HOME to it and put its bin/ first on the PATH." >&2
        exit 1
    fi
    $install
else
    echo "Missing here: ${missing[*]} (Debian's names)." >&2
    echo "Install them, on Debian or Ubuntu with: sudo $install" >&2
    have_jdk || echo "Where apt has no $jdk, as on Debian 13, put another JDK 17 on the PATH and set JAVA_HOME to it." >&2
    exit 1
fi

if ! have_jdk; then
    echo "The java on the PATH is neither 11 nor 17, and Cassandra 5.0 runs on no other." >&2
    echo "Set JAVA_HOME and PATH to a JDK 17, or choose one with: update-alternatives --config java" >&2
    exit 1
fi
if ! have_python; then
    echo "python3 on the PATH is older than 3.11, or lacks venv or Python.h. Install Python 3.11 or later with both and" \
        "call make again." >&2
    exit 1
fi
