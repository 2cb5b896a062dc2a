# SPDX-License-Identifier: Apache-2.0
#
# Part of install.sh: changes files together. Each file is written beside its place, as FILE.isotherm-new, so that the
# change itself is a rename; until all are renamed, FILE.isotherm-old is what it was, and goes back where one fails.

scratch=
# Files with a new content beside them, in the order of their renames; those of them that were renamed, the last one
# first; files that go after them.
staged=
replaced=
created=
doomed=
committed=
stuck=
new=
changes=0
if [ -n "$dry" ]; then
    scratch=$(mktemp -d) || exit 1
fi

# Ends with a sentence on what failed and on what stands.
failed() {
    trap '' HUP INT QUIT TERM PIPE
    if [ -n "$committed" ]; then
        stands="What was to be written is written; the same command again removes the rest."
    else
        stands="Nothing was changed."
        put_back
    fi
    echo "install.sh: $1. $stands" >&2
    exit 1
}

put_back() {
    for file in $replaced; do
        [ "$file" -ef "$file.isotherm-old" ] || mv -f "$file.isotherm-old" "$file" || {
            stuck=yes
            stands="$file is changed, and $file.isotherm-old is what it was."
        }
    done
    for file in $created; do
        rm -f "$file"
    done
}

discard() {
    [ -z "$scratch" ] || rm -rf "$scratch"
    for file in $staged; do
        rm -f "$file.isotherm-new"
        [ -n "$stuck" ] || rm -f "$file.isotherm-old"
    done
    # The package's, and empty if nothing is written down.
    [ -n "$dry" ] || [ -n "$own_jar" ] || rmdir "$root/var/lib/isotherm" 2>/dev/null
}
trap discard EXIT
trap 'failed "a signal ended it"' HUP INT QUIT TERM PIPE

say() {
    changes=$((changes + 1))
    if [ -n "$dry" ]; then echo "would $1"; else echo "$1"; fi
}

# Refuses a place in which nothing can be renamed or removed.
check_place() {
    [ -w "$(dirname "$1")" ] || [ ! -e "$(dirname "$1")" ] ||
        refuse "$(dirname "$1"), which $(id -un 2>/dev/null) cannot write," "a place and a user that can"
    # As the kernel writes names.
    mounted=$(echo "$1" | sed 's/\\/\\134/g; s/ /\\040/g; s/	/\\011/g')
    ! cut -d ' ' -f 5 /proc/self/mountinfo 2>/dev/null | grep -q -x -F -e "$mounted" ||
        refuse "$1, a mount of this file alone," "a mount of its directory, or the same change by hand where it is from"
}

# Refuses a user who cannot give $new the owner of a file that others do not read: the node might not read it either.
check_owner() {
    [ "$(stat -c %u:%g "$new")" != "$(stat -L -c %u:%g "$2")" ] || return 0
    case $(stat -L -c %a "$2") in
        *[4-7]) ;;
        *) refuse "$1 by $(id -un 2>/dev/null), who cannot give it its owner $(stat -L -c %u:%g "$2")," \
            "that user, or root" ;;
    esac
}

# Sets $new to where the new content of a file goes; the file will have the owner and the mode of the second one.
stage() {
    # A link stays a link.
    target=$(readlink -f "$1")
    [ -n "$target" ] || refuse "$1, a link to nowhere," "a file, or a link to one"
    check_place "$target"
    if [ -n "$dry" ]; then
        new=$scratch/$(basename "$1")
        : >"$new"
        # As the copy below is given one.
        chown "$(stat -L -c %u:%g "$2")" "$new" 2>/dev/null
        check_owner "$1" "$2"
        return
    fi
    new=$target.isotherm-new
    staged="$staged$target
"
    cp -p "$2" "$new" || failed "$new could not be written"
    check_owner "$1" "$2"
}

show() {
    [ -n "$dry" ] || return 0
    if command -v diff >/dev/null; then
        diff -u "$1" "$new" | sed 1,2d
    else
        echo "(to show the lines takes diff, of the package diffutils)"
    fi
}

# Has a file go after all others are in place.
remove() {
    say "remove $1"
    check_place "$(readlink -f "$(dirname "$1")")/$(basename "$1")"
    doomed="$doomed$1
"
}

remove_left() {
    for left in "$@"; do
        [ -e "$left" ] || continue
        say "remove $left, which a run left that was ended"
        [ -n "$dry" ] || rm -f "$left" || failed "$left could not be removed"
    done
}

left_jars() (
    set +f
    ls "$home"/lib/isotherm-[0-9]*.jar.isotherm-new "$home"/lib/isotherm-[0-9]*.jar.isotherm-old 2>/dev/null
)

# Of two runs at once, for two nodes that share a directory, each would take the other's files for those of a killed one.
be_alone() {
    [ -z "$dry" ] && command -v flock >/dev/null || return 0
    exec 9<"$home/lib"
    flock -n 9 || refuse "a run while another one changes $home" "one after the other"
}

# Of a killed run: nothing reads them, and the files themselves are whole.
remove_leftovers() {
    for place in "$yaml" "$options" ${config:+"$config"} "$record"; do
        # One by one: BusyBox's readlink takes no more.
        file=$(readlink -f "$place")
        [ -z "$file" ] || remove_left "$file.isotherm-new" "$file.isotherm-old"
    done
    remove_left $(left_jars)
}

commit() {
    [ -z "$dry" ] || return 0
    for file in $staged; do
        if [ -e "$file" ]; then
            # What a killed run left may be the same file, over which there is neither a link nor a copy.
            rm -f "$file.isotherm-old"
            # The same file, where the file system has links: put back, it is the same in all respects.
            ln "$file" "$file.isotherm-old" 2>/dev/null || cp -p "$file" "$file.isotherm-old" ||
                failed "$file.isotherm-old could not be written"
            replaced="$file
$replaced"
        else
            created="$file
$created"
        fi
        mv -f "$file.isotherm-new" "$file" || failed "$file could not be replaced"
    done
    committed=yes
    for file in $staged; do
        rm -f "$file.isotherm-old"
    done
    staged=
    for file in $doomed; do
        rm -f "$file" || failed "$file could not be removed"
    done
}
