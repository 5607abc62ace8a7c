# Helpers for the other scripts here: `. "$(dirname "$0")/lib.sh"`. Bash.
# Everything that changes the machine goes through `need`, which says what it installs and skips what is there.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "anyrank: $*" >&2; }
die() { say "error: $*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# Runs a command as root: directly, or through sudo. Check `can_be_root` first.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

can_be_root() { [ "$(id -u)" -eq 0 ] || have sudo; }

# The package manager: apt, brew, or none.
package_manager() {
    if have apt-get && have dpkg-query; then echo apt
    elif have brew; then echo brew
    else echo none
    fi
}

apt_get() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 "$@"
}

apt_installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# install PACKAGE...: those that are missing, by the package manager at hand.
install() {
    local missing=() package
    case $(package_manager) in
    apt)
        for package in "$@"; do apt_installed "$package" || missing+=("$package"); done
        [ ${#missing[@]} -gt 0 ] || return 0
        can_be_root || die "these packages are missing, and there is neither root nor sudo to install them:
    apt-get install ${missing[*]}
    Have that run, then try again."
        say "installing with apt: ${missing[*]}"
        # The lists may be absent (containers) or too old to name a file that still exists.
        # (sudo asks for its password on the terminal, not on stderr.)
        apt_get install -y --no-install-recommends "${missing[@]}" >/dev/null 2>&1 || {
            apt_get update >/dev/null || die "apt-get update failed: is there a network?"
            apt_get install -y --no-install-recommends "${missing[@]}" >/dev/null ||
                die "apt-get could not install: ${missing[*]}"
        }
        ;;
    brew)
        for package in "$@"; do brew list --formula "$package" >/dev/null 2>&1 || missing+=("$package"); done
        [ ${#missing[@]} -gt 0 ] || return 0
        say "installing with Homebrew: ${missing[*]}"
        brew install --quiet "${missing[@]}" || die "Homebrew could not install: ${missing[*]}"
        ;;
    none)
        die "neither apt-get nor Homebrew here. Please install by hand: $*"
        ;;
    esac
}

# need COMMAND APT_PACKAGES BREW_PACKAGES: skipped when the command is there; packages are separated by spaces.
need() {
    have "$1" && return 0
    # The lists are meant to be split into words.
    # shellcheck disable=SC2086
    case $(package_manager) in
    brew) [ -n "$3" ] && install $3 ;;
    *) install $2 ;;
    esac
    have "$1" || die "$1 is still missing after installing its package"
}

# need_library FILE APT_PACKAGES BREW_PACKAGES: the same for a library, skipped where the C compiler or Homebrew has it.
need_library() {
    local found
    found=$(cc -print-file-name="$1")
    [ ! -f "$found" ] || return 0
    # shellcheck disable=SC2086
    case $(package_manager) in
    brew) [ -f "$(brew --prefix)/lib/$1" ] || install $3 ;;
    *) install $2 ;;
    esac
}

# find_python: the name of one that has pip. The first python3 on PATH may be bare while the system's is not.
find_python() {
    local candidate
    for candidate in python3 /usr/bin/python3; do
        if "$candidate" -m pip --version >/dev/null 2>&1; then
            echo "$candidate"
            return 0
        fi
    done
    return 1
}

# python_with_pip: the same; one is installed where there is none.
python_with_pip() {
    find_python && return 0
    case $(package_manager) in
    brew) install python3 ;;
    *) install python3 python3-pip ca-certificates ;;
    esac
    find_python || die "python3 has no pip, even after installing it"
}
