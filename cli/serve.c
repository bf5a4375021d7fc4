// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// serve.c - a page on this machine alone.
// in: requests on a loopback socket.   out: the page at /TOKEN/, how far the run is at
// /TOKEN/alive.
//
// Whoever does not know the token, or comes by a name that is not this machine's (DNS rebinding),
// is turned away. One request at a time, each with a limit of size and time.

#include "cli/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST_MOST = 8192, TOKEN = 32 };
static const double CLOSED = 12;  // seconds without a word from the page: it was closed

typedef struct server {
    const cli_args *args;
    const char *run;
    const show_page_options *options;
    int listener, port;
    char token[TOKEN + 1];
    double seen;  // when the page last asked [s]; 0: never
} server;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool make_token(char token[TOKEN + 1]) {
    unsigned char bytes[TOKEN / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

static bool listen_here(server *s) {
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof at;
    s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s->listener < 0 || bind(s->listener, (struct sockaddr *)&at, sizeof at) != 0 ||
        listen(s->listener, 8) != 0 || getsockname(s->listener, (struct sockaddr *)&at, &size) != 0)
        return false;
    s->port = ntohs(at.sin_port);
    return true;
}

static void send_all(int to, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t sent = send(to, bytes, size, MSG_NOSIGNAL);
        if (sent <= 0) return;  // the other side has gone
        bytes += sent;
        size -= (size_t)sent;
    }
}

static void answer(int to, const char *status, const char *type, const char *body, size_t size) {
    char head[400];
    int length = snprintf(head, sizeof head,
                          "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
                          "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                          "Referrer-Policy: no-referrer\r\nConnection: close\r\n\r\n",
                          status, type, size);
    send_all(to, head, (size_t)length);
    send_all(to, body, size);
}

static void answer_text(int to, const char *status, const char *text) {
    answer(to, status, "text/plain; charset=utf-8", text, strlen(text));
}

// ---- what is asked for

// of a run that has only begun, asked for again every second
static const char not_yet[] =
    "<!DOCTYPE html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"1\">"
    "<title>scree</title><p>The run has no states yet.</p>";

static void give_page(server *s, int to) {
    scree_error err = { 0 };
    scree_run_reader *reader = NULL;
    show_page_report report;
    show_text page = { 0 };
    scree_status status = scree_run_reader_open(s->run, &reader, &err);
    bool begun = !status && reader->frames > 0;
    if (begun) {
        status = show_page_compose(reader, s->options, &page, &report, &err);
    }
    if (reader) scree_run_reader_close(reader);
    if (!status && !begun)
        answer(to, "200 OK", "text/html; charset=utf-8", not_yet, strlen(not_yet));
    else if (status)
        answer_text(to, "500 Internal Server Error", err.text);
    else
        answer(to, "200 OK", "text/html; charset=utf-8", page.bytes, page.size);
    show_text_free(&page);
}

static void give_state(server *s, int to) {
    scree_error err = { 0 };
    scree_run_reader *reader;
    char text[40] = "0";
    if (!scree_run_reader_open(s->run, &reader, &err)) {
        snprintf(text, sizeof text, "%lld", (long long)reader->frames);
        scree_run_reader_close(reader);
    }
    answer_text(to, "200 OK", text);
}

static bool comes_by_this_machine(const server *s, const char *request) {
    char names[2][40];
    const char *host = strstr(request, "\r\nHost: ");
    snprintf(names[0], sizeof names[0], "127.0.0.1:%d\r\n", s->port);
    snprintf(names[1], sizeof names[1], "localhost:%d\r\n", s->port);
    for (int k = 0; host && k < 2; k++)
        if (strncmp(host + 8, names[k], strlen(names[k])) == 0) return true;
    return false;
}

static void serve_one(server *s, int to) {
    char request[REQUEST_MOST + 1], page[TOKEN + 16], state[TOKEN + 24];
    size_t size = 0;
    double began = now();
    while (size < REQUEST_MOST && now() - began < 2) {
        struct pollfd ready = { to, POLLIN, 0 };
        if (poll(&ready, 1, 500) < 0) return;
        if (!ready.revents) continue;
        ssize_t got = recv(to, request + size, REQUEST_MOST - size, 0);
        if (got <= 0) return;
        size += (size_t)got;
        request[size] = '\0';
        if (strstr(request, "\r\n\r\n")) break;
    }
    request[size] = '\0';
    // browsers open connections to have them later: an answer to nothing would be that to something
    if (!strstr(request, "\r\n\r\n")) return;
    snprintf(page, sizeof page, "GET /%s/ ", s->token);
    snprintf(state, sizeof state, "GET /%s/alive ", s->token);
    bool known = comes_by_this_machine(s, request);
    bool asks_page = known && strncmp(request, page, strlen(page)) == 0;
    bool asks_state = known && strncmp(request, state, strlen(state)) == 0;
    if (asks_page)
        give_page(s, to);
    else if (asks_state)
        give_state(s, to);
    else
        answer_text(to, "404 Not Found", "there is nothing here\n");
    if (asks_page || asks_state) s->seen = now();
}

// ---- until it is over

static void open_browser(const char *address) {
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return;
    if (fork() != 0) return;
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(1);
    execlp("xdg-open", "xdg-open", address, (char *)NULL);
    _exit(127);
}

static void loop(server *s, double wait) {
    double began = now();
    while (!cli_stop_asked()) {
        struct pollfd ready = { s->listener, POLLIN, 0 };
        double idle = now() - (s->seen > 0 ? s->seen : began);
        if (idle > (s->seen > 0 ? CLOSED : wait)) return;
        if (poll(&ready, 1, 300) <= 0 || !ready.revents) continue;
        int to = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC);
        if (to < 0) continue;
        struct timeval limit = { .tv_sec = 5 };
        setsockopt(to, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
        serve_one(s, to);
        close(to);
    }
}

int cli_serve(const cli_args *args, const char *run, const show_page_options *options,
              double wait) {
    server s = { .args = args, .run = run, .options = options, .listener = -1 };
    scree_error err = { 0 };
    scree_run_reader *reader;
    bool json = cli_flag(args, "json");
    if (scree_run_reader_open(run, &reader, &err)) return cli_fail(&err, json);
    scree_run_reader_close(reader);
    if (!make_token(s.token) || !listen_here(&s)) {
        scree_fail(&err, SCREE_FILE_ERROR, SCREE_NOWHERE, "cannot serve on 127.0.0.1: %s",
                   strerror(errno));
        if (s.listener >= 0) close(s.listener);
        return cli_fail(&err, json);
    }
    char address[100];
    snprintf(address, sizeof address, "http://127.0.0.1:%d/%s/", s.port, s.token);
    cli_print_file(address, json);
    if (!json)
        fprintf(stderr, "open it in a browser; it ends when the page is closed, or by Ctrl-C\n");
    fflush(stdout);
    cli_catch_signals();
    if (!cli_flag(args, "no-open")) open_browser(address);
    loop(&s, wait);
    close(s.listener);
    return CLI_DONE;
}

// ---- beside a run

pid_t cli_serve_beside(const cli_args *args, const char *run) {
    const char *wait = cli_value(args, "wait");
    const char *command[8] = { "scree", "show", run, "--wait", wait ? wait : "600" };
    if (cli_flag(args, "no-open")) command[5] = "--no-open";
    pid_t child = fork();
    if (child != 0) return child > 0 ? child : 0;
    // standard output is the report's
    if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) _exit(127);
    execv("/proc/self/exe", (char *const *)command);
    _exit(127);
}

void cli_serve_wait(pid_t beside) {
    while (waitpid(beside, NULL, 0) < 0 && errno == EINTR)
        if (cli_stop_asked()) kill(beside, SIGTERM);
}
