// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_run_torn.c - a run file whose last write ended at any byte, as when power fails.
//
// The writes of a short run are taken down; the file is then made as it was before each of them,
// with each beginning of it. Such a file holds the first rows of the run or is told to be damaged,
// which scree recover cures; some go on, to the same bits. In one process and, where there is one,
// in a file system in memory, since there are some ten thousand.

#undef _FILE_OFFSET_BITS  // both names of each call are taken here
#include <fcntl.h>
#include <hdf5.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness.h"
#include "scree/scree.h"
#include "store/run_read.h"

// a ball that hits the ground at its third step
static const char scene[] =
    "gravity: [0, -10]\n"
    "bodies:\n"
    "  - {name: ground, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
    "  - {name: ball, mass: 1, inertia: 0.1, position: [0, 0.103], velocity: [1, 0], spin: 2,\n"
    "     shapes: [{type: disc, radius: 0.1}]}\n"
    "laws: [{between: [ball, ground], restitution: 0.5, friction: 0.3}]\n"
    "scheme: {step: 1e-2, duration: 5*1e-2}\n"
    "output: {checkpoint: 0}\n";

static char folder[300], path[320], damaged[340];

// ---- what is written

typedef struct note {
    off_t at;
    size_t size;  // 0: a truncation to `at`
    char *byte;
} note;

static struct {
    bool taken;
    note *note;
    int notes, room;
    int named;  // notes before the file got its name; -1: it has none yet
} diary;

static void take_down(const void *byte, size_t size, off_t at) {
    if (!diary.taken) return;
    if (diary.notes == diary.room) {
        diary.room = 2 * diary.room + 64;
        diary.note = realloc(diary.note, (size_t)diary.room * sizeof *diary.note);
    }
    note *made = &diary.note[diary.notes++];
    *made = (note){ at, size, size ? malloc(size) : NULL };
    if (size) memcpy(made->byte, byte, size);
}

ssize_t pwrite(int file, const void *from, size_t size, off_t at) {
    take_down(from, size, at);
    return syscall(SYS_pwrite64, file, from, size, at);
}

ssize_t pwrite64(int file, const void *from, size_t size, off_t at) {
    return pwrite(file, from, size, at);
}

int ftruncate(int file, off_t size) {
    take_down(NULL, 0, size);
    return (int)syscall(SYS_ftruncate, file, size);
}

int ftruncate64(int file, off_t size) { return ftruncate(file, size); }

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    if (diary.taken) diary.named = diary.notes;
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

static void forget(void) {
    for (int i = 0; i < diary.notes; i++) free(diary.note[i].byte);
    free(diary.note);
    memset(&diary, 0, sizeof diary);
    diary.named = -1;
}

// ---- runs

static scree_status run(const char *const *set, int settings, bool resume) {
    scree_findings findings = { 0 };
    scree_error err = { 0 };
    scree_simulation *simulation =
        scree_simulation_parse("scene", scene, sizeof scene - 1, set, settings, &findings);
    CHECK(simulation);
    scree_findings_free(&findings);
    if (!simulation) return SCREE_BAD_INPUT;
    scree_run_request request = scree_run_request_default();
    request.path = path;
    request.resume = resume;
    scree_status status = scree_run(simulation, &request, NULL, &err);
    scree_simulation_free(simulation);
    return status;
}

// all rows of a run, one behind the other
typedef struct rows {
    int64_t steps, frames, contacts;
    scree_step_row step[8];
    scree_frame_row frame[8];
    scree_contact_row contact[16];
    double q[8][6], v[8][6];
} rows;

static bool read_rows(rows *r) {
    scree_run_reader *reader;
    memset(r, 0, sizeof *r);
    if (scree_run_reader_open(path, &reader, NULL)) return false;
    r->steps = reader->steps;
    r->frames = reader->frames;
    r->contacts = reader->contacts;
    bool fine = r->steps <= 8 && r->frames <= 8 && r->contacts <= 16 && reader->coordinates == 6 &&
                !scree_run_reader_steps(reader, 0, r->steps, r->step, NULL) &&
                !scree_run_reader_frames(reader, 0, r->frames, r->frame, NULL) &&
                !scree_run_reader_states(reader, 0, r->frames, r->q[0], r->v[0], NULL) &&
                !scree_run_reader_contacts(reader, 0, r->contacts, r->contact, NULL);
    scree_run_reader_close(reader);
    return fine;
}

// Are these the first rows of the whole, all of them if it is at its end? Contacts count that a
// frame points to.
static bool begins(const rows *part, const rows *whole, bool ended) {
    if (part->frames < 1 || part->frames > whole->frames || part->steps > whole->steps)
        return false;
    const scree_frame_row *last = &part->frame[part->frames - 1];
    size_t contacts = (size_t)(last->first_contact + last->contacts);
    return (!ended || (part->steps == whole->steps && part->frames == whole->frames &&
                       part->contacts == whole->contacts)) &&
           memcmp(part->step, whole->step, (size_t)part->steps * sizeof *part->step) == 0 &&
           memcmp(part->frame, whole->frame, (size_t)part->frames * sizeof *part->frame) == 0 &&
           memcmp(part->q, whole->q, (size_t)part->frames * sizeof *part->q) == 0 &&
           memcmp(part->v, whole->v, (size_t)part->frames * sizeof *part->v) == 0 &&
           memcmp(part->contact, whole->contact, contacts * sizeof *part->contact) == 0;
}

// ---- tears

typedef struct image {
    char *byte;
    size_t size, room;
} image;

static void put(image *file, off_t at, const char *byte, size_t size) {
    size_t end = (size_t)at + size;
    if (end > file->room) {
        file->byte = realloc(file->byte, end * 2);
        memset(file->byte + file->room, 0, end * 2 - file->room);
        file->room = end * 2;
    }
    if (!size) {  // a truncation
        if (end < file->size) memset(file->byte + end, 0, file->size - end);
        file->size = end;
        return;
    }
    memcpy(file->byte + at, byte, size);
    if (end > file->size) file->size = end;
}

// an old file: of one that has just been written to readers think that its writer is still at work
static void save(const image *file) {
    const struct timespec old[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    CHECK(write(descriptor, file->byte, file->size) == (ssize_t)file->size);
    CHECK(futimens(descriptor, old) == 0);
    close(descriptor);
}

typedef struct tally {
    int tears, judged, again, gone_on;
} tally;

// the command begins such a run again, with what stands before all rows
static bool can_begin_again(void) {
    scree_run_reader *reader;
    bool fine = !scree_run_recover_header(path, &reader, NULL) && reader->scene_length;
    scree_run_reader_close(reader);
    return fine;
}

// what the file holds is the beginning of the run, at once or when it has been recovered
static bool is_beginning(const rows *whole, tally *count) {
    static rows part;
    scree_recovery found;
    if (read_rows(&part)) return begins(&part, whole, false);
    scree_status status = scree_run_recover(path, &found, NULL);
    unlink(damaged);
    if (!status) return !found.whole && read_rows(&part) && begins(&part, whole, false);
    count->again++;
    return status == SCREE_BAD_INPUT && can_begin_again();
}

// it goes on to the same end, where it is not begun again
static bool goes_on(const rows *whole, const char *const *set, int settings, tally *count) {
    static rows all;
    scree_recovery found;
    scree_status status = scree_run_recover(path, &found, NULL);
    unlink(damaged);
    if (status) return can_begin_again();
    count->gone_on++;
    return !run(set, settings, true) && read_rows(&all) && begins(&all, whole, true);
}

static void judge(const image *file, const rows *whole, bool going, const char *const *set,
                  int settings, tally *count) {
    save(file);
    CHECK(is_beginning(whole, count));
    count->judged++;
    if (going) CHECK(goes_on(whole, set, settings, count));
}

// of each write each beginning whose last byte makes another file
static void tear(const rows *whole, const char *const *set, int settings, int stride, int going) {
    image file = { 0 };
    tally count = { 0 };
    for (int i = 0; i < diary.notes; i++) {
        const note *n = &diary.note[i];
        for (size_t k = 1; i >= diary.named && k < n->size; k++) {
            size_t last = (size_t)n->at + k - 1;
            if (last < file.size && file.byte[last] == n->byte[k - 1]) continue;
            bool looked_at = count.tears++ % stride == 0;
            if (!looked_at) continue;
            image torn = { malloc(file.size), file.size, file.size };
            memcpy(torn.byte, file.byte, file.size);
            put(&torn, n->at, n->byte, k);
            judge(&torn, whole, count.tears / stride % going == 0, set, settings, &count);
            free(torn.byte);
        }
        put(&file, n->at, n->byte, n->size);
    }
    CHECK(count.tears > 1000 && count.gone_on > 10 && count.again < count.judged / 10);
    printf("    %d tears, %d looked at, %d to begin again, %d went on\n", count.tears, count.judged,
           count.again, count.gone_on);
    free(file.byte);
}

static void torn(const char *const *set, int settings, int stride, int going) {
    static rows whole;
    forget();
    unlink(path);
    diary.taken = true;
    CHECK(!run(set, settings, false));
    diary.taken = false;
    CHECK(diary.named > 0 && read_rows(&whole) && whole.steps == 6 && whole.contacts > 0);
    tear(&whole, set, settings, stride, going);
    forget();
}

// every byte in long checks; else such a share of them that all writes have some
static int stride_of(int some) {
    const char *lengthy = getenv("SCREE_LONG");
    return lengthy && *lengthy ? 1 : SANITIZED ? 4 * some : some;
}

static void a_write_ends_at_any_byte(void) { torn(NULL, 0, stride_of(13), 8); }

static void a_write_of_a_rounded_run_ends_at_any_byte(void) {
    static const char *const set[] = { "output.precision=single", "output.compression=6" };
    torn(set, 2, stride_of(64), 4);
}

TEST_FILE(test_run_torn) {
    const char *place = getenv("TMPDIR");
    if (!place || !*place) place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(folder, sizeof folder, "%.200s/scree-torn-XXXXXX", place);
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/run.h5", folder);
    snprintf(damaged, sizeof damaged, "%s.damaged", path);
    TEST(a_write_ends_at_any_byte);
    TEST(a_write_of_a_rounded_run_ends_at_any_byte);
    unlink(path);
    rmdir(folder);
    return harness_end();
}
