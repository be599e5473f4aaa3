#!/usr/bin/env bash
# Brings the sources of the libraries that distributions package too old: cpp-httplib and Catch2.
# usage: fetch_dependencies.sh DIRECTORY
#
# They are Debian's source packages, of one pinned version on every system, patches for security included. apt
# fetches them through a private package list, so that the machine's own apt state stays as it is; when the
# version has left the archive, Debian's snapshot service still has it. The sums below decide, not the way.
set -euo pipefail

sums='
c88f6495da71e778c82c22995b547a92ceb41cc4016f9028df67106a24b9210d  cpp-httplib_0.18.7.orig.tar.xz
00ea33189a7421a434b6d9ccb431ef4debce086534d249e8efa89050e7593198  cpp-httplib_0.18.7-1+deb13u1.debian.tar.xz
2bd292aea7bf4326ff43f4d9263291c444e4cb18aca4d9acf686598cd7c14711  cpp-httplib_0.18.7-1+deb13u1.dsc
c991b247a1a0d7bb9c39aa35faf0fe9e19764213f28ffba3109388e62ee0269c  catch2_3.7.1.orig.tar.gz
edb4c6fb6912deb567c4fe13382cc90a6247fc458c747a73aa979a2423a20cb4  catch2_3.7.1-0.5.debian.tar.xz
079a606b35c0d8ee4c2f2cab573bbfeea42933ab201f9993ba930348a8cb27ea  catch2_3.7.1-0.5.dsc'
suite=trixie
packages=(cpp-httplib=0.18.7-1+deb13u1 catch2=3.7.1-0.5)
snapshot=https://snapshot.debian.org/archive/debian/20260101T000000Z/pool/main

destination=$(realpath -m "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch"/{lists,archives}/partial "$scratch/source"
cd "$scratch/source"

# Debian's mirror as this machine's apt names it, else the main one.
mirror() {
  local named
  named=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{sources,list} 2> /dev/null |
    sed -nE 's/^URIs: *([^ ]+).*/\1/p; s/^deb (\[[^]]*\] )?(http[^ ]+).*/\2/p' | grep -m1 -E '/debian/?$' || true)
  echo "${named:-http://deb.debian.org/debian}"
}

# trusted=yes because a system other than Debian does not hold Debian's keys; the sums are checked all the same.
fetch_with_apt() {
  echo "deb-src [trusted=yes] $(mirror) $suite main" > "$scratch/source.list"
  local options=(
    -o Dir::Etc::sourcelist="$scratch/source.list" -o Dir::Etc::sourceparts=-
    -o Dir::State::Lists="$scratch/lists" -o Dir::Cache::archives="$scratch/archives"
    -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root)
  apt-get "${options[@]}" -qq update && apt-get "${options[@]}" -qq source --download-only "${packages[@]}"
}

fetch_from_snapshot() {
  local sum file
  while read -r sum file; do
    [ -n "$sum" ] || continue
    curl -fsSL --retry 3 -o "$file" "$snapshot/${file:0:1}/${file%%_*}/$file"
  done <<< "$sums"
}

fetch_with_apt > "$scratch/apt.log" 2>&1 || fetch_from_snapshot || {
  cat "$scratch/apt.log" >&2
  echo "The sources of cpp-httplib and Catch2 could not be fetched." >&2
  exit 1
}
sha256sum --quiet --check <<< "${sums#$'\n'}"
for description in *.dsc; do dpkg-source --no-check -x "$description" > /dev/null; done

rm -rf "$destination/httplib" "$destination/catch2"
install -Dm644 -t "$destination/httplib" cpp-httplib-*/httplib.h
install -Dm644 -t "$destination/catch2" catch2-*/extras/catch_amalgamated.{hpp,cpp}
# The small headers as well, with Catch2's default configuration: tests that include only what they use compile faster.
(cd catch2-*/src && find catch2 -name '*.hpp' -exec install -Dm644 '{}' "$destination/catch2/include/{}" \;)
sed -e '/#cmakedefine/d' -e 's/@CATCH_CONFIG_DEFAULT_REPORTER@/console/' -e 's/@CATCH_CONFIG_CONSOLE_WIDTH@/80/' \
  catch2-*/src/catch2/catch_user_config.hpp.in > "$destination/catch2/include/catch2/catch_user_config.hpp"
