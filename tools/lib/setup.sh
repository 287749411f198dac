# Shared by the scripts in tools/: finds Swift and installs what is missing. Sourced, not run.
# shellcheck shell=bash

readonly swift_minimum=6.3

say() { printf '%s\n' "$*"; }

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# Whether version $1 is at least version $2.
is_at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# Ends the script unless Swift is here and new enough.
require_swift() {
    local origin="Get it from https://www.swift.org/install/linux/ and put it on the PATH."
    command -v swift >/dev/null 2>&1 ||
        fail "Tapwire needs Swift $swift_minimum or newer, and there is no swift here. $origin"
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)
    is_at_least "${version:-0}" "$swift_minimum" ||
        fail "Tapwire needs Swift $swift_minimum or newer, and this is ${version:-unknown}. $origin"
}

is_installed() { dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }

# Installs those of the Debian packages named that are missing.
require_packages() {
    command -v dpkg-query >/dev/null 2>&1 ||
        fail "These scripts install with apt-get. On this system install what matches: $*"
    local missing=() package
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0

    local root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null 2>&1 ||
            fail "Missing: ${missing[*]}. Install them as root: apt-get install ${missing[*]}"
        root=(sudo)
    fi
    say "Installing with apt-get: ${missing[*]}"
    "${root[@]}" apt-get update -qq || fail "apt-get update failed; see above."
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
        fail "apt-get could not install ${missing[*]}; see above."
}
