#!/usr/bin/env bash
# Brings the sources of the libraries that the distribution packages too old: cpp-httplib and Catch2.
# usage: fetch_dependencies.sh DIRECTORY
#
# They come as source packages from the distribution's own archive, through a private package list, so that the
# machine's apt state stays as it is; apt checks their signatures.
set -euo pipefail

destination=$(realpath -m "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch"/lists/partial "$scratch"/archives/partial "$scratch"/source

. /etc/os-release
mirror=$( (cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list || true) 2> /dev/null |
  sed -nE 's/^URIs: *([^ ]+).*/\1/p; s/^deb (\[[^]]*\] )?(http[^ ]+).*/\2/p' | sed -n 1p)
case "$ID" in
  debian) suite=trixie keyring=/usr/share/keyrings/debian-archive-keyring.gpg ;;
  ubuntu) suite=$VERSION_CODENAME keyring=/usr/share/keyrings/ubuntu-archive-keyring.gpg ;;
  *) echo "fetch_dependencies.sh knows Debian and Ubuntu, not '$ID'. Put httplib.h (0.18 or newer) into" \
       "$destination/httplib and catch_amalgamated.{hpp,cpp} (Catch2 3.4 or newer) into $destination/catch2." >&2
     exit 1 ;;
esac
components=main; [ "$ID" = ubuntu ] && components='main universe'
echo "deb-src [signed-by=$keyring] $mirror $suite $components" > "$scratch/source.list"

apt_options=(
  -o Dir::Etc::sourcelist="$scratch/source.list" -o Dir::Etc::sourceparts=-
  -o Dir::State::Lists="$scratch/lists" -o Dir::Cache::archives="$scratch/archives"
  -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root)
apt-get "${apt_options[@]}" -qq update
cd "$scratch/source"
apt-get "${apt_options[@]}" -qq source --download-only cpp-httplib catch2 > /dev/null
for description in *.dsc; do dpkg-source --no-check -x "$description" > /dev/null 2>&1; done  # apt has checked them

install -Dm644 -t "$destination/httplib" cpp-httplib-*/httplib.h
install -Dm644 -t "$destination/catch2" catch2-*/extras/catch_amalgamated.hpp catch2-*/extras/catch_amalgamated.cpp
ls ./*.dsc | sed 's|^\./||; s|\.dsc$||' > "$destination/versions.txt"
