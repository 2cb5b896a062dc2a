// SPDX-License-Identifier: Apache-2.0
// Nodes that answer each request at once from a table, so that the client is what bounds the requests per second.
//
//     stub TABLE FIRST_ADDRESS COUNT PORT
//
// listens on COUNT addresses that follow each other, says "listening", and ends with its standard input. TABLE has for
// each node (answers.py writes it; numbers are little-endian):
//
//     u32 answers, and for each: u8 opcode of the request, u16 length and bytes of what the request must contain,
//                                u8 opcode of the answer, u32 length and bytes of its body
//
// The first answer that fits is sent. One thread waits for all connections (epoll). Frames are those of version 4 of
// CQL's protocol: version, flags, stream (2 bytes), opcode, length of the body (4 bytes, big-endian).
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEADER = 9, OF_A_RESPONSE = 0x84, LARGEST_BODY = 1 << 20, READ_AT_LEAST = 1 << 16, EVENTS = 64 };
enum { ERROR_OPCODE = 0 };

struct answer {
    uint8_t request, opcode;
    uint16_t needle_length;
    uint32_t length;
    const uint8_t *needle, *body;
};

struct node {
    uint32_t count;
    struct answer *answers;
};

struct bytes {
    uint8_t *at;
    size_t from, to, room;
};

// What an event is of: standard input, a node's listening socket, or a connection to a node.
struct source {
    enum { STANDARD_INPUT, LISTENER, CONNECTION } kind;
    int descriptor;
    int waits_to_write;
    const struct node *node;
    struct bytes in, out;
};

// A body of an error: its code (2200 hexadecimal, an invalid request), and a text with its length before it.
static const uint8_t NO_ANSWER[] = "\0\0\042\0\0\035the stub has no answer to it.";

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void *checked(void *memory) {
    if (!memory) fail("memory");
    return memory;
}

static void make_room(struct bytes *bytes, size_t more) {
    if (bytes->from) {
        memmove(bytes->at, bytes->at + bytes->from, bytes->to - bytes->from);
        bytes->to -= bytes->from;
        bytes->from = 0;
    }
    if (bytes->room - bytes->to < more) {
        bytes->room = 2 * bytes->room + more;
        bytes->at = checked(realloc(bytes->at, bytes->room));
    }
}

static const uint8_t *take(const uint8_t **next, const uint8_t *end, size_t length) {
    if ((size_t) (end - *next) < length) {
        fprintf(stderr, "the table ends too early\n");
        exit(1);
    }
    const uint8_t *taken = *next;
    *next += length;
    return taken;
}

// As the processors here store numbers: little-endian.
static uint32_t number(const uint8_t **next, const uint8_t *end, size_t length) {
    uint32_t value = 0;
    memcpy(&value, take(next, end, length), length);
    return value;
}

static struct node *read_table(const char *path, int count) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) fail(path);
    size_t size = (size_t) ftell(file);
    rewind(file);
    uint8_t *table = checked(malloc(size + 1));
    if (fread(table, 1, size, file) != size) fail(path);
    fclose(file);
    const uint8_t *next = table, *end = table + size;
    struct node *nodes = checked(calloc((size_t) count, sizeof *nodes));
    for (int i = 0; i < count; i++) {
        nodes[i].count = number(&next, end, 4);
        nodes[i].answers = checked(calloc(nodes[i].count, sizeof(struct answer)));
        for (uint32_t j = 0; j < nodes[i].count; j++) {
            struct answer *answer = &nodes[i].answers[j];
            answer->request = (uint8_t) number(&next, end, 1);
            answer->needle_length = (uint16_t) number(&next, end, 2);
            answer->needle = take(&next, end, answer->needle_length);
            answer->opcode = (uint8_t) number(&next, end, 1);
            answer->length = number(&next, end, 4);
            answer->body = take(&next, end, answer->length);
        }
    }
    return nodes;
}

static void respond(struct bytes *out, const uint8_t *stream, uint8_t opcode, const uint8_t *body, uint32_t length) {
    make_room(out, HEADER + length);
    uint8_t *at = out->at + out->to;
    uint32_t sent_length = htonl(length);
    at[0] = OF_A_RESPONSE;
    at[1] = 0;
    memcpy(at + 2, stream, 2);
    at[4] = opcode;
    memcpy(at + 5, &sent_length, 4);
    memcpy(at + HEADER, body, length);
    out->to += HEADER + length;
}

static void answer(struct source *connection, const uint8_t *header, const uint8_t *body, size_t length) {
    for (uint32_t i = 0; i < connection->node->count; i++) {
        const struct answer *own = &connection->node->answers[i];
        if (own->request == header[4] && (!own->needle_length || memmem(body, length, own->needle, own->needle_length))) {
            respond(&connection->out, header + 2, own->opcode, own->body, own->length);
            return;
        }
    }
    respond(&connection->out, header + 2, ERROR_OPCODE, NO_ANSWER, sizeof NO_ANSWER - 1);
}

// Whether the client has kept to the protocol.
static int answer_whole_frames(struct source *connection) {
    struct bytes *in = &connection->in;
    while (in->to - in->from >= HEADER) {
        const uint8_t *header = in->at + in->from;
        uint32_t length;
        memcpy(&length, header + 5, 4);
        length = ntohl(length);
        if (length > LARGEST_BODY) return 0;
        if (in->to - in->from < HEADER + length) return 1;
        answer(connection, header, header + HEADER, length);
        in->from += HEADER + length;
    }
    return 1;
}

static void watch(int epoll, int operation, struct source *source, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = source};
    if (epoll_ctl(epoll, operation, source->descriptor, &event)) fail("epoll_ctl");
}

static void end(struct source *connection) {
    close(connection->descriptor);
    free(connection->in.at);
    free(connection->out.at);
    free(connection);
}

// Whether the connection goes on.
static int send_out(int epoll, struct source *connection) {
    struct bytes *out = &connection->out;
    while (out->from < out->to) {
        ssize_t sent = send(connection->descriptor, out->at + out->from, out->to - out->from, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN) return 0;
        if (sent < 0) break;
        out->from += (size_t) sent;
    }
    int waits = out->from < out->to;
    if (waits != connection->waits_to_write) {
        watch(epoll, EPOLL_CTL_MOD, connection, waits ? EPOLLIN | EPOLLOUT : EPOLLIN);
        connection->waits_to_write = waits;
    }
    return 1;
}

static void serve(int epoll, struct source *connection, uint32_t events) {
    int goes_on = 1;
    if (events & ~(uint32_t) EPOLLOUT) {
        make_room(&connection->in, READ_AT_LEAST);
        struct bytes *in = &connection->in;
        ssize_t received = recv(connection->descriptor, in->at + in->to, in->room - in->to, 0);
        if (received > 0) {
            in->to += (size_t) received;
            goes_on = answer_whole_frames(connection);
        } else {
            goes_on = received < 0 && errno == EAGAIN;
        }
    }
    if (!goes_on || !send_out(epoll, connection)) end(connection);
}

static void accept_one(int epoll, const struct source *listener) {
    int descriptor = accept4(listener->descriptor, NULL, NULL, SOCK_NONBLOCK);
    if (descriptor < 0) return;
    int at_once = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
    struct source *connection = checked(calloc(1, sizeof *connection));
    *connection = (struct source) {.kind = CONNECTION, .descriptor = descriptor, .node = listener->node};
    watch(epoll, EPOLL_CTL_ADD, connection, EPOLLIN);
}

static void listen_as(int epoll, const struct node *node, uint32_t address, uint16_t port) {
    struct source *listener = checked(calloc(1, sizeof *listener));
    int again = 1;
    *listener = (struct source) {.kind = LISTENER, .node = node};
    listener->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(address)};
    setsockopt(listener->descriptor, SOL_SOCKET, SO_REUSEADDR, &again, sizeof again);
    if (bind(listener->descriptor, (struct sockaddr *) &own, sizeof own) || listen(listener->descriptor, 128))
        fail("listen");
    watch(epoll, EPOLL_CTL_ADD, listener, EPOLLIN);
}

int main(int argc, char **argv) {
    struct in_addr first;
    if (argc != 5 || !inet_aton(argv[2], &first) || atoi(argv[3]) < 1 || atoi(argv[4]) < 1) {
        fprintf(stderr, "stub TABLE FIRST_ADDRESS COUNT PORT\n");
        return 2;
    }
    int count = atoi(argv[3]), epoll = epoll_create1(0);
    if (epoll < 0) fail("epoll");
    const struct node *nodes = read_table(argv[1], count);
    for (int i = 0; i < count; i++)
        listen_as(epoll, &nodes[i], ntohl(first.s_addr) + (uint32_t) i, (uint16_t) atoi(argv[4]));
    struct source standard_input = {.kind = STANDARD_INPUT, .descriptor = STDIN_FILENO};
    watch(epoll, EPOLL_CTL_ADD, &standard_input, EPOLLIN);
    puts("listening");
    fflush(stdout);
    for (;;) {
        struct epoll_event events[EVENTS];
        int found = epoll_wait(epoll, events, EVENTS, -1);
        if (found < 0 && errno != EINTR) fail("epoll_wait");
        for (int i = 0; i < found; i++) {
            struct source *source = events[i].data.ptr;
            char ignored[64];
            if (source->kind == CONNECTION) serve(epoll, source, events[i].events);
            else if (source->kind == LISTENER) accept_one(epoll, source);
            else if (read(STDIN_FILENO, ignored, sizeof ignored) <= 0) return 0;
        }
    }
}
