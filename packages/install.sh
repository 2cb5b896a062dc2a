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
  --home DIR   Cassandra's directory, with lib/; default $CASSANDRA_HOME if that is set, else where packages put it
  --conf DIR   the directory of cassandra.yaml; default $CASSANDRA_CONF if that is set, else DIR/conf, else
               /etc/cassandra
  --keep-yaml  uninstall leaves isotherm.yaml and what was kept of settings
  --root DIR   the root of the file system that holds the above, which are paths below it; for images and chroots

With Cassandra 4.1 it asks $JAVA_HOME/bin/java, else java, for its version; sudo drops JAVA_HOME.

Exit code: 0 done; 1 refused or failed, and the sentence says what stands; 2 a wrong argument. What is half done when it
fails is undone; where it is killed, run it again.
END
}

# A list has one entry a line, so that names may have spaces, and no entry is a pattern.
IFS='
'
set -f

refuse() {
    echo "install.sh: $1 is refused; allowed: $2. Nothing was changed." >&2
    exit "${3:-1}"
}

SNITCH=dev.isotherm.IsothermSnitch
HANDLER=-Dcassandra.custom_query_handler_class
OURS_HANDLER=$HANDLER=dev.isotherm.IsothermQueryHandler
TESTED='4.1.6 to 4.1.10, 5.0.0 to 5.0.9'
MARK='# before Isotherm: '
# What an editor may have put at the end of lines.
CR=$(printf '\r')
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
# What changes files, and can put them back.
. "$here/install-changes.sh"
# What finds files by patterns is a shell of its own, in which there are such.
jars_in() (
    set +f
    ls "$1"/isotherm-[0-9]*.jar 2>/dev/null
)

own_jar=$(jars_in "$here")
[ "$(echo "$own_jar" | wc -l)" -eq 1 ] || refuse "$here with $(echo $own_jar)" "one jar"

releases_in() (
    set +f
    ls "$1"/lib/apache-cassandra-[0-9]*.jar "$1"/apache-cassandra-[0-9]*.jar 2>/dev/null
)

# --- the Cassandra in front of us

# A variable that names a wrong place is not passed over: what else is found may be another node's.
if [ -z "$home" ] && [ -n "${CASSANDRA_HOME:-}" ]; then
    home=$root${CASSANDRA_HOME%/}
    [ -n "$(releases_in "$home")" ] || refuse "CASSANDRA_HOME=$CASSANDRA_HOME without apache-cassandra-*.jar in $home" \
        "Cassandra's directory, there or by --home"
elif [ -z "$home" ]; then
    for home in "$root/usr/share/cassandra" "$root/opt/cassandra"; do
        [ -z "$(releases_in "$home")" ] || break
    done
fi
releases=$(releases_in "$home")
[ -n "$releases" ] || refuse "$home, which has no apache-cassandra-*.jar," "Cassandra's directory, by --home"
[ "$(echo "$releases" | wc -l)" -eq 1 ] || refuse "$home with $(echo $releases)" "one release"
release=$(basename "$releases" .jar)
release=${release#apache-cassandra-}
[ -d "$home/lib" ] || refuse "$home without lib/" "Cassandra's directory"

if [ -z "$conf" ] && [ -n "${CASSANDRA_CONF:-}" ]; then
    conf=$root${CASSANDRA_CONF%/}
    [ -f "$conf/cassandra.yaml" ] || refuse "CASSANDRA_CONF=$CASSANDRA_CONF without cassandra.yaml in $conf" \
        "the directory of cassandra.yaml, there or by --conf"
elif [ -z "$conf" ]; then
    for conf in "$home/conf" "$root/etc/cassandra" "$root/etc/cassandra/conf"; do
        [ ! -f "$conf/cassandra.yaml" ] || break
    done
fi
yaml=$conf/cassandra.yaml
options=$conf/jvm-server.options
for file in "$yaml" "$options"; do
    [ -f "$file" ] || refuse "$conf without $(basename "$file")" "the directory of cassandra.yaml, by --conf"
done
# The file that a node is told to read, if it is. Of two such lines Java takes the last one: what writes the options may
# append to those that it wrote before, as K8ssandra does where a pod is started again.
named_in() {
    sed -n 's/^-Disotherm\.config=//p' "$1" 2>/dev/null | tr -d '\r' | sed -e '$!d' -e 's/^file://'
}
named=$(named_in "$options")
config=${named:+$root}${named:-$conf/isotherm.yaml}
if [ -n "$named" ] && [ ! -f "$config" ]; then
    [ "$action" = uninstall ] || refuse "-Disotherm.config=$named in $options" "the path of a file"
    # There is nothing to remove of it.
    config=
fi
root=${root:+$(readlink -f "$root")}
for place in "$home" "$conf" "$yaml" "$options" ${config:+"$config"}; do
    case $(readlink -f "$place")/ in
        "$root"/*) ;;
        *) refuse "$place, which is not below $root," "what is below --root" ;;
    esac
done
for place in ${own_jar:+"$home/lib"} "$conf" "$yaml" "$options"; do
    [ -w "$place" ] || refuse "$place, which $(id -un 2>/dev/null) cannot write," "a place and a user that can"
done
# The jar goes only after what was done for it is undone, wherever that was: it is written down, as paths below the root.
inside=$(readlink -f "$conf")
inside=${inside#"$root"}
record=$home/lib/isotherm.configured
record_like=$releases
if [ -d "$root/usr/share/isotherm" ] && [ "$home" -ef "$root/usr/share/cassandra" ]; then
    [ -z "$own_jar" ] ||
        refuse "this copy beside the Debian package" \
            "isotherm-setup, and dpkg -i isotherm-cassandra_*_all.deb for another build"
    record=$root/var/lib/isotherm/configured
    record_like=$root/usr/share/isotherm/isotherm.yaml
fi

# --- reading

# The value of a key at the margin of a YAML file, without quotes and comment, whatever its lines end with. A comment
# begins behind a space: other # are of the value. A quoted value with an escaped quote or backslash is taken for none.
value_of() {
    sed -n "s/^$2[ ]*:/ /p" "$1" | tr -d '\r' | sed -e '/^[ 	]*"[^"]*\\/d' -e "/^[ 	]*'[^']*''/d" \
        -e "s/^[ 	]*\"\([^\"]*\)\".*/\1/" -e t \
        -e "s/^[ 	]*'\([^']*\)'.*/\1/" -e t -e "s/[ 	]#.*//" -e "s/^[ 	]*//" -e "s/[ 	]*\$//"
}

# Of the files of a directory of configuration with options for Cassandra's scripts those that have a pattern.
options_with() (
    set +f
    grep -l -e "^[^#]*$2" "$1"/*.options "$1"/*.sh 2>/dev/null
)

# Where else they take options from: of these files and variables what has a pattern. Below --root the variables are
# another system's.
elsewhere_with() {
    grep -l -e "^[^#]*$1" \
        "$root/etc/default/cassandra" "$home/cassandra.in.sh" "$home/bin/cassandra.in.sh" 2>/dev/null
    [ -z "$root" ] || return 0
    ! printf '%s\n' "${JVM_EXTRA_OPTS:-}" | grep -q -e "$1" || echo JVM_EXTRA_OPTS
    ! printf '%s\n' "${JVM_OPTS:-}" | grep -q -e "$1" || echo JVM_OPTS
}

# The files and variables that set a property.
setting() {
    options_with "$conf" "-D$1="
    elsewhere_with "-D$1="
}

installed_jars() {
    jars_in "$home/lib"
}

# The files of a directory of configuration that name the plugin: Cassandra's scripts read all of these, its tools some.
naming() {
    grep -l '^[^#]*dev\.isotherm\.' "$1"/cassandra.yaml 2>/dev/null
    options_with "$1" 'dev\.isotherm\.'
}

# The other configurations of this Cassandra that name the plugin.
others_configured() {
    [ -f "$record" ] || return 0
    while IFS= read -r other; do
        [ "$other" != "$inside" ] && [ -n "$(naming "$root$other")" ] && echo "$other"
    done <"$record"
    return 0
}

# Of two jars in lib/ Cassandra's scripts take the one whose name sorts first.
check_jars() {
    [ -n "$own_jar" ] || [ "$(installed_jars | wc -l)" -le 1 ] || refuse "$home/lib with $(echo $(installed_jars))" \
        "the Debian package's jar alone; what an archive has put there is to be removed by hand"
}

# Refuses a comment of install.sh above a line that somebody else wrote: nobody knew afterwards what to restore.
check_marks() {
    for file in "$yaml" "$options"; do
        changed=$(sed -n "/^$MARK/{n;p;}" "$file" | tr -d '\r' |
            grep -v -x -F -e "endpoint_snitch: $SNITCH" -e "dynamic_snitch: false" -e "$OURS_HANDLER")
        [ -z "$changed" ] || refuse "$changed in $file, where install.sh wrote another line," \
            "that line, or no comment ${MARK% } above it"
    done
}

# --- install

# A release later than those tested, of their lines: the plugin runs on it if this property names it.
allow_untested() {
    line=$(echo "$release" | cut -d . -f 1,2)
    grep -q -x -F -e "-Disotherm.untested_release=$release" "$options" ||
        refuse "Cassandra $release in $home" \
            "$TESTED; a later one with the line -Disotherm.untested_release=$release in $options"
}

# The entrypoint of Docker's official image writes the variable over the line endpoint_snitch at each start. What is below
# --root is another container's, or nobody's.
refuse_variable() {
    [ -n "$root" ] || refuse \
        "CASSANDRA_ENDPOINT_SNITCH=$CASSANDRA_ENDPOINT_SNITCH, which a container writes into $yaml at each start," \
        "a container without the variable${1:+, and $1}"
}

check_install() {
    check_marks
    check_jars
    case $release in
        4.1.[6-9] | 4.1.[6-9][.-]* | 4.1.10 | 4.1.10[.-]*) line=4.1 ;;
        5.0.[0-9] | 5.0.[0-9][.-]*) line=5.0 ;;
        4.1.1[1-9]* | 4.1.[2-9][0-9]* | 5.0.[1-9][0-9]*) allow_untested ;;
        *) refuse "Cassandra $release in $home" "$TESTED" ;;
    esac
    # 4.1 runs on Java 8 too; the jar does not. Another Java than the node's may answer.
    if [ $line = 4.1 ] && [ -z "$root" ]; then
        java=${JAVA_HOME:+$JAVA_HOME/bin/}java
        version=$("$java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p')
        java=$(command -v "$java" || echo "$java")
        case $version in
            1.*) refuse "Java $version, which $java is, for Cassandra $release" \
                "Java 11 or later; JAVA_HOME names the node's, if it has another" ;;
        esac
        echo "Java: $java is ${version:-not there}; the node needs 11 or later, and JAVA_HOME has another one asked"
    fi
    [ -n "$own_jar$(installed_jars)" ] || refuse "$here without isotherm-*.jar" "the unpacked archive"
    [ "$(grep -c "^endpoint_snitch[ ]*:" "$yaml")" -eq 1 ] ||
        refuse "$yaml without a line endpoint_snitch" "one such line"
    variable=${CASSANDRA_ENDPOINT_SNITCH:-$SNITCH}
    [ "$variable" = "$SNITCH" ] || refuse_variable "endpoint_snitch: $variable in that file"
    others=$(setting cassandra.config)
    [ -z "$others" ] || refuse "-Dcassandra.config in $(echo $others)" "none, so that the node reads $yaml"
    # What jvm-clients.options has is for tools, which may read the same file.
    for property in cassandra.custom_query_handler_class isotherm.config; do
        others=$(setting "$property" | grep -v -x -F -e "$options" -e "$conf/jvm-clients.options")
        [ -z "$others" ] || refuse "-D$property in $(echo $others)" "the same in jvm-server.options"
    done
    snitch=$(value_of "$yaml" endpoint_snitch)
    handler=$(sed -n "s/^$HANDLER=//p" "$options" | tr -d '\r')
    operators_handler=$handler
    # Each word of a line that begins with "-" is an option to Cassandra's script.
    for property in "$HANDLER" -Disotherm.config; do
        ! grep -q -e "^-.*[ 	]$property=" "$options" ||
            refuse "$property behind another option in $options" "a line of its own"
    done
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
        # Another isotherm.yaml than the one that had the operator's may be written: the mark has it, if there is one.
        "${OURS_HANDLER#*=}")
            operators_handler=$(tr -d '\r' <"$options" |
                sed -n "/^$MARK/{N;s/^$MARK$HANDLER=\(.*\)\n$OURS_HANDLER\$/\1/p;}") ;;
        # The property is about to be ours: what it was is called through isotherm.yaml, or not at all any more.
        *)
            kept=$([ ! -f "$config" ] || value_of "$config" query_handler)
            [ ! -f "$config" ] || [ "$kept" = "$handler" ] || refuse "query_handler: ${kept:-none} in $config" \
                "${handler:-no such line}, as in $options; write it there, or remove the file" ;;
    esac
}

write_record() {
    ! grep -q -x -F -e "$inside" "$record" 2>/dev/null || return 0
    say "write $inside into $record"
    # Its directory may not be there yet, and nothing of it would be shown.
    [ -z "$dry" ] || return 0
    (umask 022 && mkdir -p "${record%/*}") || failed "${record%/*} could not be made"
    stage "$record" "$record_like"
    chmod u+w "$new"
    { cat "$record" 2>/dev/null; echo "$inside"; } >"$new" || failed "$new could not be written"
}

# cmp is of a package that small images go without.
same() {
    [ -r "$2" ] && sum=$(sha256sum <"$1") && [ "$sum" = "$(sha256sum <"$2")" ]
}

install_jar() {
    [ -n "$own_jar" ] || return 0
    place=$home/lib/$(basename "$own_jar")
    if ! same "$own_jar" "$place"; then
        say "copy ${place##*/} into $home/lib"
        # Whoever can read Cassandra's own jar is to read this one, which may have been unpacked for root alone.
        stage "$place" "$releases"
        chmod u+w "$new" && cat "$own_jar" >"$new" && chmod "$(stat -L -c %a "$releases")" "$new" ||
            failed "$new could not be written"
    fi
    for jar in $(installed_jars); do
        [ "$jar" = "$place" ] || remove "$jar"
    done
}

write_config() {
    [ ! -f "$config" ] || return 0
    no_dynamic=$(value_of "$yaml" dynamic_snitch | grep -i -x -e false -e no -e off)
    say "write $config, with snitch: $snitch${no_dynamic:+, dynamic_snitch: false}${operators_handler:+ and query_handler: $operators_handler}"
    stage "$config" "$yaml"
    {
        echo "$INSTALLED"
        # A cluster that had none gets none.
        sed -e "s/^snitch:.*/snitch: $snitch/" \
            ${no_dynamic:+-e "s/^dynamic_snitch:.*/dynamic_snitch: false/"} \
            ${operators_handler:+-e "s/^# query_handler:.*/query_handler: $operators_handler/"} \
            "$here/isotherm.yaml"
    } >"$new" || failed "$new could not be written"
}

edit_options() {
    [ "$handler" != "${OURS_HANDLER#*=}" ] || return 0
    say "edit $options: $OURS_HANDLER"
    stage "$options" "$options"
    if [ -n "$handler" ]; then
        sed "s/^$HANDLER=.*/$MARK&\n$OURS_HANDLER/" "$options" >"$new" || failed "$new could not be written"
    else
        { echo "${MARK}nothing"; echo "$OURS_HANDLER"; cat "$options"; } >"$new" || failed "$new could not be written"
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
            dynamic="/^endpoint_snitch[ ]*:/i\\
${MARK}nothing\\
dynamic_snitch: false"
        fi
        words="$words, dynamic_snitch: false"
    fi
    [ -n "$words" ] || return 0
    say "edit $yaml:${words#,}"
    stage "$yaml" "$yaml"
    # One program, and no pipe: of that only the last part's failure would show, and half a file would take its place.
    sed -e "$dynamic" -e "$own" "$yaml" >"$new" || failed "$new could not be written"
    show "$yaml"
}

install_isotherm() {
    check_install
    echo "Cassandra $release in $home, configured in $conf"
    be_alone
    remove_leftovers
    write_record
    install_jar
    write_config
    # A node starts with the first of both alone if isotherm.yaml enables nothing, with the second alone never.
    edit_yaml
    edit_options
    commit
    if [ $changes -eq 0 ]; then
        echo "Isotherm is installed already: nothing to do."
    elif [ -z "$dry" ]; then
        echo "Done. Restart the node; its log then says: Isotherm for Cassandra $line started"
    fi
}

# --- uninstall

check_uninstall() {
    check_marks
    # The next start would name what is gone.
    [ "${CASSANDRA_ENDPOINT_SNITCH:-}" != "$SNITCH" ] || refuse_variable
    for file in "$yaml" "$options"; do
        strange=$(sed "/^$MARK/{N;d;}" "$file" | grep '^[^#]*dev\.isotherm\.')
        [ -z "$strange" ] || refuse "$strange in $file, which install.sh did not write," "its removal by hand before"
    done
    # Without the jar the node would not start with it, or the tools would not, which have a file of their own.
    others=$(naming "$conf" | grep -v -x -F -e "$yaml" -e "$options"; elsewhere_with 'dev\.isotherm\.')
    [ -z "$others" ] || refuse "dev.isotherm. in $(echo $others)" "its removal by hand before"
    [ -n "$config" ] && [ -f "$config" ] || return 0
    # What isotherm.yaml names is what the node runs with: it may be another one than what the comments restore.
    was=$(value_of "$yaml" "${MARK}endpoint_snitch")
    snitch=$(value_of "$config" snitch)
    snitch=${snitch:-GossipingPropertyFileSnitch}
    [ -z "$was" ] || [ "$was" = "$snitch" ] || refuse "snitch: $snitch in $config" \
        "$was, as uninstall restores it, or ${MARK}endpoint_snitch: $snitch in $yaml"
    grep -q "^$MARK" "$options" || return 0
    was=$(sed -n "s/^$MARK$HANDLER=//p" "$options" | tr -d '\r')
    handler=$(value_of "$config" query_handler)
    [ "$was" = "$handler" ] || refuse "query_handler: ${handler:-none} in $config" \
        "${was:-none}, as uninstall restores it, or ${MARK}${handler:+$HANDLER=}${handler:-nothing} in $options"
}

undo() {
    grep -q "^$MARK" "$1" || return 0
    say "restore in $1: $(sed -n "s/^$MARK//p" "$1" | tr -d '\r' |
        sed 's/^nothing$/a line less/; 1h; 1!H; $!d; x; s/\n/,/g')"
    stage "$1" "$1"
    sed "/^$MARK/{
        N
        s/^$MARK\(.*\)\n.*/\1/
        /^nothing$CR*\$/d
    }" "$1" >"$new" || failed "$new could not be written"
    show "$1"
}

# Those of the other configurations whose nodes read this isotherm.yaml.
others_reading() {
    for other in $others; do
        theirs=$(named_in "$root$other/jvm-server.options")
        [ -z "$theirs" ] || [ ! "$root$theirs" -ef "$config" ] || echo "$other"
    done
}

remove_config() {
    [ -z "$keep" ] && [ -f "$config" ] || return 0
    readers=$(others_reading)
    if [ -n "$readers" ]; then
        echo "$config stays for $(echo $readers)"
    elif tr -d '\r' <"$config" | grep -q -x -F "$INSTALLED"; then
        kept=$(value_of "$config" kept_settings)
        # The second is of a node that ended while it wrote the first.
        for file in "$root$kept" "$root$kept.new"; do
            [ -z "$kept" ] || [ ! -f "$file" ] || remove "$file"
        done
        remove "$config"
    else
        echo "$config is not of install.sh, and stays"
    fi
}

# As long as isotherm.yaml stays, purging the package is to find it. Of an archive only who needs the jar is of interest.
forget_record() {
    [ -z "$keep" ] || [ -n "$own_jar" ] || return 0
    grep -q -x -F -e "$inside" "$record" 2>/dev/null || return 0
    left=$others
    [ -n "$own_jar" ] || left=$(grep -v -x -F -e "$inside" "$record")
    if [ -n "$left" ]; then
        say "remove $inside from $record"
        stage "$record" "$record"
        echo "$left" >"$new" || failed "$new could not be written"
    else
        remove "$record"
    fi
}

uninstall_isotherm() {
    check_uninstall
    echo "Cassandra $release in $home, configured in $conf"
    be_alone
    remove_leftovers
    undo "$options"
    undo "$yaml"
    others=$(others_configured)
    remove_config
    # Where a package brought the jar, the package removes it.
    for jar in ${own_jar:+$(installed_jars)}; do
        if [ -n "$others" ]; then
            echo "$jar stays for $(echo $others)"
        else
            remove "$jar"
        fi
    done
    forget_record
    commit
    if [ $changes -eq 0 ]; then
        echo "Isotherm is not installed: nothing to do."
    elif [ -z "$dry" ]; then
        echo "Done. Restart the node; it is plain Cassandra then."
    fi
}

"${action}_isotherm"
