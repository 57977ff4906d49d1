#!/bin/sh
# Makes .venv and installs into it, once, what a kind of work needs: `install.sh play|solver|test|lock`.
# The next time it only compares a stamp, so that starting the game stays quick.
set -eu
cd "$(dirname "$0")/.."

kind=$1
place=$(pwd)
key=$(cat pyproject.toml constraints.txt | cksum)
# A moved folder breaks an environment, so the place is part of the stamp.
stamp="$key $place"

venv=.venv
stamp_file=$venv/.installed-$kind
place_file=$venv/.place
busy_file=$venv/.installing

if [ -x $venv/bin/python ] && [ ! -e $busy_file ] && [ -e "$stamp_file" ] &&
    [ "$(cat "$stamp_file")" = "$stamp" ]
then
    exit 0
fi

fail() {
    printf '%s\n' "$1" >&2
    exit 1
}

# Prints "good 3.12", "bare 3.12" (it cannot make environments) or "old 3.9",
# and nothing for a name that does not run at all.
probe() {
    "$1" -c '
import sys
version = "%d.%d" % sys.version_info[:2]
if sys.version_info < (3, 11):
    print("old " + version)
else:
    try:
        import ensurepip, venv
    except ImportError:
        print("bare " + version)
    else:
        print("good " + version)
' 2>/dev/null || true
}

# Sets `python` to the first one that will do.
find_python() {
    if [ -n "${PYTHON:-}" ]
    then
        set -- "$PYTHON"
        wanted="Karten-Kniffel needs Python 3.11 or newer, and PYTHON=$PYTHON"
    else
        set -- python3.13 python3.12 python3.11 python3
        wanted="Karten-Kniffel needs Python 3.11 or newer, and python3"
    fi
    bare='' old=''
    for python in "$@"
    do
        found=$(probe "$python")
        case $found in
            good*) return ;;
            bare*) bare=${bare:-${found#bare }} ;;
            old*) old=${found#old } ;;
        esac
    done
    if [ -n "$bare" ]
    then
        fail "Python $bare cannot make environments here: install python$bare-venv (on Debian and Ubuntu: sudo apt install python$bare-venv) and try again."
    elif [ -n "$old" ]
    then
        fail "$wanted is $old: install a newer one and try again, or name one with make PYTHON=…"
    fi
    fail "$wanted cannot be found or does not run: install it and try again, or name one with make PYTHON=…"
}

if [ -e $busy_file ]
then
    other=$(cat $busy_file)
    if ps -p "$other" -o args= 2>/dev/null | grep -q install.sh
    then
        fail "Another installation into this folder is still running (process $other): try again when it has ended."
    fi
    # That one was interrupted, and nobody knows what it left half done.
    rm -rf $venv
elif [ ! -x $venv/bin/python ] || [ "$(cat $place_file 2>/dev/null)" != "$place" ]
then
    rm -rf $venv
fi

trap 'fail "Interrupted: the next start installs again."' INT

if [ ! -e $venv ]
then
    find_python
    mkdir $venv
    echo $$ >$busy_file
    echo "Making .venv with $python …"
    output=$("$python" -m venv $venv 2>&1) || fail "$python could not make .venv: $output"
    printf '%s\n' "$place" >$place_file
else
    echo $$ >$busy_file
fi

case $kind in
    play) set -- --constraint constraints.txt --editable . ;;
    solver) set -- --constraint constraints.txt --editable '.[solver]' ;;
    test) set -- --constraint constraints.txt --editable '.[test]' ;;
    lock) set -- uv==0.13.9 ;; # and no more: the pins may contradict each other until it has run
esac
echo "Installing into .venv what 'make $kind' needs (once, from the internet) …"
$venv/bin/python -m pip install -qq --disable-pip-version-check --no-input "$@" ||
    fail "The installation did not succeed: see the lines above, and try again."

printf '%s\n' "$stamp" >"$stamp_file"
case $kind in
    test) cp "$stamp_file" $venv/.installed-play && cp "$stamp_file" $venv/.installed-solver ;;
    solver) cp "$stamp_file" $venv/.installed-play ;;
esac
rm $busy_file
