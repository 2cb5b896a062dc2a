#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Installs Isotherm into one Cassandra, or removes it. It edits cassandra.yaml and jvm-server.options so that the lines
# that were there stay in the file as comments, from which `uninstall` makes both files what they were.

usage() {
    cat <<'END'
install.sh [install | uninstall] [--dry-run] [--home DIR] [--conf DIR] [--keep-yaml] [--root DIR]

Installs Isotherm into the Cassandra of this machine, or removes it and all its traces. Names each change before it is
made; a running node takes it up when it restarts.

  --dry-run    names the changes, and makes none
  --home DIR   Cassandra's directory, with lib/; default $CASSANDRA_HOME, else where packages put it
  --conf DIR   the directory of cassandra.yaml; default $CASSANDRA_CONF, else DIR/conf, else /etc/cassandra
  --keep-yaml  uninstall leaves isotherm.yaml and what was kept of settings
  --root DIR   the root of the file system that holds the above; for images and chroots

Exit code: 0 done; 1 refused or failed, and the sentence says what stands; 2 a wrong argument.
END
}

# A list has one entry a line, so that names may have spaces.
IFS='
'

refuse() {
    echo "install.sh: $1 is refused; allowed: $2. Nothing was changed." >&2
    exit "${3:-1}"
}

SNITCH=dev.isotherm.IsothermSnitch
HANDLER=-Dcassandra.custom_query_handler_class
OURS_HANDLER=$HANDLER=dev.isotherm.IsothermQueryHandler
MARK='# before Isotherm: '
INSTALLED='# Put here by install.sh, which removes it again with uninstall.'

action=install
dry=
keep=
root=${DPKG_ROOT:-}
home=
conf=
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) usage; exit 0 ;;
        install | uninstall) action=$1 ;;
        --dry-run) dry=yes ;;
        --keep-yaml) keep=yes ;;
        --home | --conf | --root)
            [ -d "${2:-}" ] || refuse "$1 ${2:-}" "a directory" 2
            case $1 in
                --home) home=${2%/} ;;
                --conf) conf=${2%/} ;;
                --root) root=${2%/} ;;
            esac
            shift ;;
        *) refuse "$1" "install, uninstall, --dry-run, --home, --conf, --keep-yaml, --root" 2 ;;
    esac
    shift
done

here=$(dirname "$(readlink -f "$0")")
own_jar=$(ls "$here"/isotherm-[0-9]*.jar 2>/dev/null)

releases_in() {
    ls "$1"/lib/apache-cassandra-[0-9]*.jar "$1"/apache-cassandra-[0-9]*.jar 2>/dev/null
}

# --- the Cassandra in front of us

if [ -z "$home" ]; then
    for home in ${CASSANDRA_HOME:+"$root$CASSANDRA_HOME"} \
        "$root/usr/share/cassandra" "$root/opt/cassandra"; do
        [ -z "$(releases_in "$home")" ] || break
    done
fi
releases=$(releases_in "$home")
[ -n "$releases" ] || refuse "$home, which has no apache-cassandra-*.jar," "Cassandra's directory, by --home"
[ "$(echo "$releases" | wc -l)" -eq 1 ] || refuse "$home with $(echo $releases)" "one release"
release=$(basename "$releases" .jar)
release=${release#apache-cassandra-}
[ -d "$home/lib" ] || refuse "$home without lib/" "Cassandra's directory"

if [ -z "$conf" ]; then
    for conf in ${CASSANDRA_CONF:+"$root$CASSANDRA_CONF"} \
        "$home/conf" "$root/etc/cassandra" "$root/etc/cassandra/conf"; do
        [ ! -f "$conf/cassandra.yaml" ] || break
    done
fi
yaml=$conf/cassandra.yaml
options=$conf/jvm-server.options
for file in "$yaml" "$options"; do
    [ -f "$file" ] || refuse "$conf without $(basename "$file")" "the directory of cassandra.yaml, by --conf"
done
# The file that the node is told to read, if it is.
named=$(sed -n 's/^-Disotherm\.config=//p' "$options")
config=${named:+$root}${named:-$conf/isotherm.yaml}
[ -z "$named" ] || [ -f "$config" ] || refuse "-Disotherm.config=$named in $options" "the path of a file"
for place in ${own_jar:+"$home/lib"} "$conf" "$yaml" "$options"; do
    [ -w "$place" ] || refuse "$place, which $(id -un) cannot write," "a user who can, such as root"
done
if [ -n "$own_jar" ] && [ "$home" = "$root/usr/share/cassandra" ] && [ -d "$root/usr/share/isotherm" ]; then
    refuse "this copy beside the Debian package" "isotherm-setup, or apt-get remove isotherm-cassandra before"
fi

# --- reading

# The value of a key at the margin of a YAML file, without quotes and comment.
value_of() {
    sed -n "s/^$2[ ]*:[ 	]*//p" "$1" | sed "s/[ 	]*#.*//; s/[ 	]*\$//; s/^[\"']//; s/[\"']\$//"
}

# The files that set a property.
setting() {
    grep -l -e "^[^#]*-D$1=" "$conf"/*.options "$conf"/*.sh 2>/dev/null
}

installed_jars() {
    ls "$home"/lib/isotherm-[0-9]*.jar 2>/dev/null
}

# --- changing: each file is written beside its place, so that the change itself is a rename

scratch=
staged=
new=
changes=0
if [ -n "$dry" ]; then
    scratch=$(mktemp -d) || exit 1
fi

discard() {
    [ -z "$scratch" ] || rm -rf "$scratch"
    for file in $staged; do
        rm -f "$file.isotherm-new"
    done
}
trap discard EXIT
trap 'exit 1' HUP INT TERM

say() {
    changes=$((changes + 1))
    if [ -n "$dry" ]; then echo "would $1"; else echo "$1"; fi
}

# Sets $new to where the new content of a file goes; the file will have the owner and the mode of the second one.
stage() {
    if [ -n "$dry" ]; then
        new=$scratch/$(basename "$1")
        return
    fi
    # A link stays a link.
    target=$(readlink -f "$1")
    new=$target.isotherm-new
    cp -p "$2" "$new" || exit 1
    staged="$staged$target
"
}

show() {
    [ -z "$dry" ] || diff -u "$1" "$new" | sed 1,2d
}

commit() {
    [ -z "$dry" ] || return 0
    for file in $staged; do
        mv -f "$file.isotherm-new" "$file" || exit 1
    done
    staged=
}

delete() {
    say "remove $1"
    [ -n "$dry" ] || rm -f "$1" || exit 1
}

remove_jars_but() {
    for jar in $(installed_jars); do
        [ "$jar" = "$1" ] || delete "$jar"
    done
}

# --- install

check_install() {
    case $release in
        4.1.[6-9] | 4.1.[6-9][.-]* | 4.1.[1-9][0-9]*) line=4.1 ;;
        5.0 | 5.0[.-]*) line=5.0 ;;
        *) refuse "Cassandra $release in $home" "4.1 from 4.1.6 on, 5.0" ;;
    esac
    # 4.1 runs on Java 8 too; the jar does not.
    if [ $line = 4.1 ] && [ -z "$root" ]; then
        java=$("${JAVA_HOME:+$JAVA_HOME/bin/}java" -version 2>&1 | sed -n 's/.* version "\(1\.[0-9]*\).*/\1/p')
        [ -z "$java" ] || refuse "Java $java for Cassandra $release" "Java 11 or later"
    fi
    [ -n "$own_jar$(installed_jars)" ] || refuse "$here without isotherm-*.jar" "the unpacked archive"
    [ "$(grep -c "^endpoint_snitch[ ]*:" "$yaml")" -eq 1 ] ||
        refuse "$yaml without a line endpoint_snitch" "one such line"
    others=$(setting cassandra.config)
    [ -z "$others" ] || refuse "-Dcassandra.config in $(echo $others)" "the cassandra.yaml beside it"
    for property in cassandra.custom_query_handler_class isotherm.config; do
        others=$(setting "$property" | grep -v -x -F "$options")
        [ -z "$others" ] || refuse "-D$property in $(echo $others)" "the same in jvm-server.options"
    done
    snitch=$(value_of "$yaml" endpoint_snitch)
    handler=$(sed -n "s/^$HANDLER=//p" "$options")
    case $snitch in
        "$SNITCH") [ -f "$config" ] || refuse "$yaml with $SNITCH, without $config" "both or neither" ;;
        '' | *[!A-Za-z0-9_.$]*) refuse "endpoint_snitch: $snitch in $yaml" "the name of a class" ;;
        *)
            if [ -f "$config" ] && [ "$(value_of "$config" snitch)" != "$snitch" ]; then
                refuse "snitch: $(value_of "$config" snitch) in $config" "$snitch, as in cassandra.yaml"
            fi ;;
    esac
    case $handler in
        *[!A-Za-z0-9_.$]*) refuse "$HANDLER=$(echo $handler) in $options" "the name of a class, once" ;;
    esac
}

install_jar() {
    [ -n "$own_jar" ] || return 0
    place=$home/lib/$(basename "$own_jar")
    if ! cmp -s "$own_jar" "$place"; then
        say "copy $(basename "$own_jar") into $home/lib"
        stage "$place" "$own_jar"
        cat "$own_jar" >"$new" || exit 1
        # Whoever owns Cassandra's own jar.
        chown "$(stat -L -c %u:%g "$releases")" "$new" 2>/dev/null
    fi
}

write_config() {
    [ ! -f "$config" ] || return 0
    say "write $config, with snitch: $snitch${handler:+ and query_handler: $handler}"
    stage "$config" "$yaml"
    {
        echo "$INSTALLED"
        sed -e "s/^snitch:.*/snitch: $snitch/" ${handler:+-e "s/^# query_handler:.*/query_handler: $handler/"} \
            "$here/isotherm.yaml"
    } >"$new" || exit 1
}

edit_options() {
    [ "$handler" != "${OURS_HANDLER#*=}" ] || return 0
    say "edit $options: $OURS_HANDLER"
    stage "$options" "$options"
    if [ -n "$handler" ]; then
        sed "s/^$HANDLER=.*/$MARK&\n$OURS_HANDLER/" "$options" >"$new" || exit 1
    else
        sed "1s/^/${MARK}nothing\n$OURS_HANDLER\n/" "$options" >"$new" || exit 1
    fi
    show "$options"
}

edit_yaml() {
    own='s/^$//'
    dynamic='s/^$//'
    words=
    if [ "$snitch" != "$SNITCH" ]; then
        own="s/^endpoint_snitch[ ]*:.*/$MARK&\nendpoint_snitch: $SNITCH/"
        words=" endpoint_snitch: $SNITCH"
    fi
    if [ "$(value_of "$yaml" dynamic_snitch)" != false ]; then
        if grep -q '^dynamic_snitch[ ]*:' "$yaml"; then
            dynamic="s/^dynamic_snitch[ ]*:.*/$MARK&\ndynamic_snitch: false/"
        else
            # Before and not after it, which may be the end of a file without a newline.
            dynamic="s/^endpoint_snitch[ ]*:/${MARK}nothing\ndynamic_snitch: false\n&/"
        fi
        words="$words, dynamic_snitch: false"
    fi
    [ -n "$words" ] || return 0
    say "edit $yaml:${words#,}"
    stage "$yaml" "$yaml"
    sed "$dynamic" "$yaml" | sed "$own" >"$new" || exit 1
    show "$yaml"
}

install_isotherm() {
    check_install
    echo "Cassandra $release in $home, configured in $conf"
    install_jar
    write_config
    edit_options
    edit_yaml
    commit
    [ -z "$own_jar" ] || remove_jars_but "$home/lib/$(basename "$own_jar")"
    if [ $changes -eq 0 ]; then
        echo "Isotherm is installed already: nothing to do."
    elif [ -z "$dry" ]; then
        echo "Done. Restart the node; its log then says: Isotherm for Cassandra $line started"
    fi
}

# --- uninstall

check_uninstall() {
    for file in "$yaml" "$options"; do
        changed=$(sed -n "/^$MARK/{n;p;}" "$file" |
            grep -v -x -F -e "endpoint_snitch: $SNITCH" -e "dynamic_snitch: false" -e "$OURS_HANDLER")
        [ -z "$changed" ] || refuse "$changed in $file, where install.sh wrote another line," "that line"
        strange=$(sed "/^$MARK/{N;d;}" "$file" | grep '^[^#]*dev\.isotherm\.')
        [ -z "$strange" ] || refuse "$strange in $file, which install.sh did not write," "its removal by hand before"
    done
}

undo() {
    grep -q "^$MARK" "$1" || return 0
    say "restore in $1: $(sed -n "s/^$MARK//p" "$1" | sed 's/^nothing$/a line less/' | paste -s -d ,)"
    stage "$1" "$1"
    sed "/^$MARK/{
        N
        s/^$MARK\(.*\)\n.*/\1/
        /^nothing\$/d
    }" "$1" >"$new" || exit 1
    show "$1"
}

remove_config() {
    [ -z "$keep" ] && [ -f "$config" ] || return 0
    if grep -q -x -F "$INSTALLED" "$config"; then
        kept=$(value_of "$config" kept_settings)
        [ -z "$kept" ] || [ ! -f "$root$kept" ] || delete "$root$kept"
        delete "$config"
    else
        echo "$config is not of install.sh, and stays"
    fi
}

uninstall_isotherm() {
    check_uninstall
    echo "Cassandra $release in $home, configured in $conf"
    undo "$options"
    undo "$yaml"
    commit
    remove_config
    # Where a package brought the jar, the package removes it.
    [ -z "$own_jar" ] || remove_jars_but ""
    if [ $changes -eq 0 ]; then
        echo "Isotherm is not installed: nothing to do."
    elif [ -z "$dry" ]; then
        echo "Done. Restart the node; it is plain Cassandra then."
    fi
}

"${action}_isotherm"
