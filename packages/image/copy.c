// SPDX-License-Identifier: Apache-2.0
/*
 * Copies the files of /isotherm, or of the directory that a second argument names, into the directory that the first one
 * names: the init container's whole work. A file appears there whole or not at all. Exit code: 0 done; 1 with a sentence.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static void end(const char *what, const char *name) {
    fprintf(stderr, "copy: %s %s: %s\n", what, name, strerror(errno));
    exit(1);
}

static void copy(const char *from, const char *to, const char *whole) {
    struct stat found;
    int in = open(from, O_RDONLY);
    if (in < 0 || fstat(in, &found) != 0) {
        end("cannot read", from);
    }
    int out = open(to, O_WRONLY | O_CREAT | O_TRUNC, found.st_mode & 0777);
    if (out < 0) {
        end("cannot write", to);
    }
    for (off_t rest = found.st_size; rest > 0;) {
        ssize_t sent = sendfile(out, in, NULL, rest);
        if (sent <= 0) {
            end("cannot write", to);
        }
        rest -= sent;
    }
    if (close(in) != 0 || close(out) != 0 || rename(to, whole) != 0) {
        end("cannot write", whole);
    }
    printf("%s -> %s\n", from, whole);
}

int main(int count, char **arguments) {
    const char *source = count > 2 ? arguments[2] : "/isotherm";
    if (count < 2) {
        fprintf(stderr, "copy: names no directory; allowed: copy DIRECTORY\n");
        return 1;
    }
    DIR *folder = opendir(source);
    if (folder == NULL) {
        end("cannot read", source);
    }
    for (struct dirent *file; (file = readdir(folder)) != NULL;) {
        if (file->d_name[0] != '.') {
            char from[PATH_MAX], to[PATH_MAX], whole[PATH_MAX];
            snprintf(from, sizeof from, "%s/%s", source, file->d_name);
            snprintf(whole, sizeof whole, "%s/%s", arguments[1], file->d_name);
            snprintf(to, sizeof to, "%s/.%s.new", arguments[1], file->d_name);
            copy(from, to, whole);
        }
    }
    return 0;
}
