#!/bin/sh
# Makes sure that the browser tests have a Chromium: finds it, or installs it where that can be done.
set -eu
cd "$(dirname "$0")/.."

packages='chromium fonts-dejavu fonts-liberation fonts-noto-color-emoji'

if .venv/bin/python tests/browser.py
then
    exit 0
elif [ -n "${KARTENKNIFFEL_CHROMIUM:-}" ]
then
    echo "KARTENKNIFFEL_CHROMIUM=$KARTENKNIFFEL_CHROMIUM is no program that runs: name Chromium or Chrome, or unset it." >&2
    exit 1
elif ! command -v apt-get >/dev/null
then
    echo "The browser tests need Chromium: install Chromium or Chrome, or name it with KARTENKNIFFEL_CHROMIUM=…" >&2
    exit 1
elif [ "$(id -u)" != 0 ]
then
    echo "The browser tests need Chromium: run  sudo apt-get install $packages" >&2
    exit 1
fi

echo "Installing $packages …"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# shellcheck disable=SC2086  # a list of words
apt-get install -qq -y --no-install-recommends $packages </dev/null >/dev/null
.venv/bin/python tests/browser.py
