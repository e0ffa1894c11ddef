/* Preloaded under PostgreSQL and the servers: fails what touches files, and shifts the clock, as a file says that the torture
   program writes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct orders {
    volatile int write_error;
    volatile int read_error;
    volatile int sync_error;
    volatile int unused;
    volatile long long clock_nanoseconds;
};

static struct orders *orders;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("TORTURE_ORDERS");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *mapped = mmap(NULL, sizeof(struct orders), PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (mapped != MAP_FAILED)
        orders = mapped;
}

#define FAILS(kind)                                                                                                                \
    if (orders && orders->kind##_error) {                                                                                          \
        errno = orders->kind##_error;                                                                                              \
        return -1;                                                                                                                 \
    }

#define PASSES(kind, result, name, parameters, arguments)                                                                          \
    result name parameters                                                                                                         \
    {                                                                                                                              \
        static result(*real) parameters;                                                                                           \
        FAILS(kind)                                                                                                                \
        if (!real)                                                                                                                 \
            real = (result(*) parameters)dlsym(RTLD_NEXT, #name);                                                                  \
        return real arguments;                                                                                                     \
    }

PASSES(write, ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t at), (file, bytes, count, at))
PASSES(write, ssize_t, pwrite64, (int file, const void *bytes, size_t count, off64_t at), (file, bytes, count, at))
PASSES(write, ssize_t, pwritev, (int file, const struct iovec *pieces, int count, off_t at), (file, pieces, count, at))
PASSES(write, ssize_t, pwritev64, (int file, const struct iovec *pieces, int count, off64_t at), (file, pieces, count, at))
PASSES(write, int, posix_fallocate, (int file, off_t at, off_t length), (file, at, length))
PASSES(read, ssize_t, pread, (int file, void *bytes, size_t count, off_t at), (file, bytes, count, at))
PASSES(read, ssize_t, pread64, (int file, void *bytes, size_t count, off64_t at), (file, bytes, count, at))
PASSES(read, ssize_t, preadv, (int file, const struct iovec *pieces, int count, off_t at), (file, pieces, count, at))
PASSES(read, ssize_t, preadv64, (int file, const struct iovec *pieces, int count, off64_t at), (file, pieces, count, at))
PASSES(sync, int, fsync, (int file), (file))
PASSES(sync, int, fdatasync, (int file), (file))

int clock_gettime(clockid_t which, struct timespec *now)
{
    static int (*real)(clockid_t, struct timespec *);
    if (!real)
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(which, now);
    if (!failed && which == CLOCK_REALTIME && orders && orders->clock_nanoseconds) {
        long long shifted = now->tv_sec * 1000000000LL + now->tv_nsec + orders->clock_nanoseconds;
        now->tv_sec = shifted / 1000000000LL;
        now->tv_nsec = shifted % 1000000000LL;
    }
    return failed;
}
