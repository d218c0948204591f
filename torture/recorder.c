// Records every change below one folder, and every line of the journal, in one global order.
//
// Loaded with LD_PRELOAD. RECORD_ROOT is the folder, RECORD_JOURNAL the journal, RECORD_TO the
// file to append to; each record is one writev to a file opened for appending.
// Record: u8 kind, u32 length of path, u32 length of second path, u64 offset, u32 thread,
// u32 length of data, path, second path, data.
// Kinds: C create, W write, T truncate or extend, F fsync begins, f fsync has ended,
// R rename, L link, U unlink, M new folder, A a line of the journal.
// Not seen: writes through mmap. SQLite makes those only to its -shm, which it rebuilds.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define HEADER 25

static int record_fd = -1;
static char root[PATH_MAX], journal[PATH_MAX];
static size_t root_length;

__attribute__((constructor)) static void begin(void) {
  char *to = getenv("RECORD_TO"), *below = getenv("RECORD_ROOT"), *lines = getenv("RECORD_JOURNAL");
  if (!to || !below || !lines || !realpath(below, root)) return;
  snprintf(journal, sizeof journal, "%s", lines);
  root_length = strlen(root);
  int fd = syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  record_fd = syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 900);
  syscall(SYS_close, fd);
}

static void record(char kind, const char *path, const char *second, uint64_t offset,
                   const void *data, uint32_t length) {
  if (record_fd < 0) return;
  int kept = errno;
  unsigned char header[HEADER];
  uint32_t thread = syscall(SYS_gettid);
  uint32_t one = path ? strlen(path) : 0, two = second ? strlen(second) : 0;
  header[0] = kind;
  memcpy(header + 1, &one, 4);
  memcpy(header + 5, &two, 4);
  memcpy(header + 9, &offset, 8);
  memcpy(header + 17, &thread, 4);
  memcpy(header + 21, &length, 4);
  struct iovec parts[4] = {
      {header, HEADER}, {(void *)path, one}, {(void *)second, two}, {(void *)data, length}};
  syscall(SYS_writev, record_fd, parts, 4);
  errno = kept;
}

static int is_below(const char *path) {
  return root_length && !strncmp(path, root, root_length) &&
         (path[root_length] == '/' || !path[root_length]);
}

// The path of an open file; tells whether it is one we watch.
static int path_of(int fd, char *path) {
  if (record_fd < 0 || fd == record_fd) return 0;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return 0;
  path[length] = 0;
  if (!strcmp(path, journal)) return 1;
  struct stat found;
  return is_below(path) && !fstat(fd, &found) &&
         (S_ISREG(found.st_mode) || S_ISDIR(found.st_mode));
}

// The absolute path of a name, its folder resolved and its last part kept as it is.
static int absolute(int folder, const char *name, char *path) {
  if (record_fd < 0) return 0;
  char start[PATH_MAX], whole[PATH_MAX * 2], resolved[PATH_MAX];
  if (name[0] == '/') {
    snprintf(whole, sizeof whole, "%s", name);
  } else if (folder == AT_FDCWD) {
    if (!getcwd(start, sizeof start)) return 0;
    snprintf(whole, sizeof whole, "%s/%s", start, name);
  } else {
    if (!path_of(folder, start)) return 0;
    snprintf(whole, sizeof whole, "%s/%s", start, name);
  }
  char *slash = strrchr(whole, '/');
  if (!slash) return 0;
  *slash = 0;
  if (!realpath(*whole ? whole : "/", resolved)) return 0;
  int length = snprintf(path, PATH_MAX, "%s/%s", resolved, slash + 1);
  return length < PATH_MAX && is_below(path);
}

#define REAL(name)                                                                          \
  static __typeof__(&name) real;                                                            \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int opened(int fd, int existed, int flags) {
  char path[PATH_MAX];
  if (fd >= 0 && (flags & (O_CREAT | O_TRUNC)) && path_of(fd, path) && strcmp(path, journal)) {
    if (!existed) record('C', path, 0, 0, 0, 0);
    else if (flags & O_TRUNC) record('T', path, 0, 0, 0, 0);
  }
  return fd;
}

#define OPEN(call, folder)                                                                  \
  mode_t mode = 0;                                                                          \
  if (flags & (O_CREAT | __O_TMPFILE)) {                                                    \
    va_list rest;                                                                           \
    va_start(rest, flags);                                                                  \
    mode = va_arg(rest, mode_t);                                                            \
    va_end(rest);                                                                           \
  }                                                                                         \
  struct stat found;                                                                        \
  int existed = record_fd < 0 || !fstatat(folder, name, &found, 0);                         \
  return opened(call, existed, flags);

int open(const char *name, int flags, ...) {
  REAL(open);
  OPEN(real(name, flags, mode), AT_FDCWD)
}
int open64(const char *name, int flags, ...) {
  REAL(open64);
  OPEN(real(name, flags, mode), AT_FDCWD)
}
int openat(int folder, const char *name, int flags, ...) {
  REAL(openat);
  OPEN(real(folder, name, flags, mode), folder)
}
int openat64(int folder, const char *name, int flags, ...) {
  REAL(openat64);
  OPEN(real(folder, name, flags, mode), folder)
}

static void written(int fd, const void *data, size_t length, off_t offset) {
  char path[PATH_MAX];
  if (!path_of(fd, path)) return;
  if (!strcmp(path, journal)) {
    record('A', 0, 0, 0, data, length);
    return;
  }
  if (offset < 0) offset = lseek(fd, 0, (fcntl(fd, F_GETFL) & O_APPEND) ? SEEK_END : SEEK_CUR);
  record('W', path, 0, offset, data, length);
}

ssize_t write(int fd, const void *data, size_t length) {
  REAL(write);
  written(fd, data, length, -1);
  return real(fd, data, length);
}
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
  REAL(pwrite);
  written(fd, data, length, offset);
  return real(fd, data, length, offset);
}
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
  REAL(pwrite64);
  written(fd, data, length, offset);
  return real(fd, data, length, offset);
}

static void resized(int fd, off_t length) {
  char path[PATH_MAX];
  if (path_of(fd, path)) record('T', path, 0, length, 0, 0);
}

int ftruncate(int fd, off_t length) {
  REAL(ftruncate);
  resized(fd, length);
  return real(fd, length);
}
int ftruncate64(int fd, off64_t length) {
  REAL(ftruncate64);
  resized(fd, length);
  return real(fd, length);
}

static void reserved(int fd, off_t end) {
  struct stat found;
  if (!fstat(fd, &found) && found.st_size < end) resized(fd, end);
}

int posix_fallocate(int fd, off_t offset, off_t length) {
  REAL(posix_fallocate);
  reserved(fd, offset + length);
  return real(fd, offset, length);
}
int posix_fallocate64(int fd, off64_t offset, off64_t length) {
  REAL(posix_fallocate64);
  reserved(fd, offset + length);
  return real(fd, offset, length);
}

#define SYNC                                                                                \
  char path[PATH_MAX];                                                                      \
  int watched = path_of(fd, path);                                                          \
  if (watched) record('F', path, 0, 0, 0, 0);                                               \
  int result = real(fd);                                                                    \
  if (watched && !result) record('f', path, 0, 0, 0, 0);                                    \
  return result;

int fsync(int fd) {
  REAL(fsync);
  SYNC
}
int fdatasync(int fd) {
  REAL(fdatasync);
  SYNC
}

#define MOVE(kind, from, name, to, other, call)                                             \
  char path[PATH_MAX], second[PATH_MAX];                                                    \
  if (absolute(from, name, path) && absolute(to, other, second))                            \
    record(kind, path, second, 0, 0, 0);                                                    \
  return call;

int rename(const char *name, const char *other) {
  REAL(rename);
  MOVE('R', AT_FDCWD, name, AT_FDCWD, other, real(name, other))
}
int renameat(int from, const char *name, int to, const char *other) {
  REAL(renameat);
  MOVE('R', from, name, to, other, real(from, name, to, other))
}
int link(const char *name, const char *other) {
  REAL(link);
  MOVE('L', AT_FDCWD, name, AT_FDCWD, other, real(name, other))
}
int unlink(const char *name) {
  REAL(unlink);
  char path[PATH_MAX];
  if (absolute(AT_FDCWD, name, path)) record('U', path, 0, 0, 0, 0);
  return real(name);
}
int unlinkat(int folder, const char *name, int flags) {
  REAL(unlinkat);
  char path[PATH_MAX];
  if (!flags && absolute(folder, name, path)) record('U', path, 0, 0, 0, 0);
  return real(folder, name, flags);
}
int mkdir(const char *name, mode_t mode) {
  REAL(mkdir);
  int result = real(name, mode);
  char path[PATH_MAX];
  if (!result && absolute(AT_FDCWD, name, path)) record('M', path, 0, 0, 0, 0);
  return result;
}
