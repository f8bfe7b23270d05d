#define _GNU_SOURCE
#include "pages.h"

#include "events.h"
#include "small.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/types.h>
#include <linux/userfaultfd.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#if defined(__GLIBC__)

/* Definitions of Linux 6.7, repeated because headers are often older than the kernel. */
struct numalab_run {
    uint64_t start, end, categories;
};
struct numalab_scan {
    uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages, inverted, all_of, any_of, returned;
};
#define SCAN _IOWR('f', 16, struct numalab_scan)
enum { SCAN_PROTECT = 1, SCAN_ASYNC_ONLY = 2, IS_WRITTEN = 1 << 1, IS_PRESENT = 1 << 3, IS_SWAPPED = 1 << 4 };
enum { USER_MODE_ONLY = 1 };
/* Write protection of shared memory, of pages not yet present, and asynchronous (no thread handles faults). */
static const uint64_t FEATURES = 1 << 12 | 1 << 13 | 1 << 15;

/* Smaller allocations of the program share pages with those of the same place only. Smaller parts of static variables
 * are left as they are. */
enum { LEAST = SMALL_MOST, LEAST_STATIC = 64 << 10, MOST_LEFT_OUT = 8, MOST_ALLOCATIONS = 1 << 16, MOST_REGIONS = 1 << 12, RUNS = 1024,
       MOST_STATICS = 8, FRAMES = 16 };
/* Addresses are never reused, so each belongs to one allocation. */
static const uint64_t ROOM = UINT64_C(1) << 40;
/* Offset of the blocks that `small.c` serves. */
#define SMALL_FIRST (ROOM - SMALL_ROOM)

struct allocation {
    uint64_t start, bytes;
    /* Stack of the allocating call, innermost first, ended by 0. */
    uint64_t code[FRAMES];
};

/* Pages of the program's static variables, stored after the arena in the shared memory. */
struct statics {
    uint64_t start, bytes, offset;
};

/* Bytes from the first to the last of a loaded file. */
struct range {
    uint64_t start, end;
};

static char *arena;
/* The recorder and the OpenMP runtime, whose memory is not the program's; and the program itself. */
static struct range left_out[MOST_LEFT_OUT], own;
static atomic_uint left_out_count;
static struct statics statics[MOST_STATICS];
static unsigned statics_count;
static uint64_t bias;
static _Atomic uint64_t used;
static int backing = -1, faults = -1, pagemap = -1, ready;
static const char *refusal;
static uint64_t page, first;
static struct allocation *allocations;
static atomic_uint count;
static int looking;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    uint64_t code, met;
} regions[MOST_REGIONS];

/* The C library's functions, under the names for libraries that replace malloc. */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t number, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
extern void __libc_free(void *memory);

int pages_watched(void) {
    return ready;
}

static void quit(const char *why) {
    if (faults >= 0)
        close(faults);
    if (backing >= 0)
        close(backing);
    if (pagemap >= 0)
        close(pagemap);
    if (arena != NULL)
        munmap(arena, ROOM);
    arena = NULL;
    refusal = why;
}

/* Copies non-zero private memory to the shared memory. The first `known` bytes are from a file. */
static int copy(uint64_t start, uint64_t bytes, uint64_t known, uint64_t offset) {
    static struct numalab_run runs[RUNS];
    uint64_t at = start, end = start + bytes;
    while (at < end) {
        struct numalab_run whole = {at, start + known, 0};
        long found = 1;
        struct numalab_run *list = &whole;
        struct numalab_scan scan = {.size = sizeof scan, .start = at, .end = end, .vec = (uint64_t)(uintptr_t)runs,
                                    .vec_len = RUNS, .any_of = IS_PRESENT | IS_SWAPPED, .returned = IS_PRESENT};
        if (at >= start + known) {
            found = ioctl(pagemap, SCAN, &scan);
            list = runs;
        } else {
            scan.walk_end = start + known;
        }
        if (found < 0)
            return -1;
        for (long run = 0; run < found; run++)
            for (uint64_t from = list[run].start; from < list[run].end;) {
                ssize_t wrote = pwrite(backing, (void *)(uintptr_t)from, list[run].end - from,
                                       (off_t)(offset + (from - start)));
                if (wrote <= 0)
                    return -1;
                from += (uint64_t)wrote;
            }
        at = scan.walk_end;
    }
    return 0;
}

static void watch(uint64_t start, uint64_t end, uint64_t data_end) {
    start = (start + page - 1) & ~(page - 1);
    end &= ~(page - 1);
    if (end < start + LEAST_STATIC || statics_count == MOST_STATICS)
        return;
    uint64_t bytes = end - start, offset = ROOM, known = data_end > start ? (data_end + page - 1 - start) & ~(page - 1) : 0;
    for (unsigned at = 0; at < statics_count; at++)
        offset += statics[at].bytes;
    known = known < bytes ? known : bytes;
    if (ftruncate(backing, (off_t)(offset + bytes)) != 0 || copy(start, bytes, known, offset) != 0)
        return;
    void *to = (void *)(uintptr_t)start;
    if (mmap(to, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, backing, (off_t)offset) != to)
        return;
    madvise(to, bytes, MADV_NOHUGEPAGE);
    struct uffdio_register range = {.range = {start, bytes}, .mode = UFFDIO_REGISTER_MODE_WP};
    struct uffdio_writeprotect protect = {.range = {start, bytes}, .mode = UFFDIO_WRITEPROTECT_MODE_WP};
    if (ioctl(faults, UFFDIO_REGISTER, &range) == 0 && ioctl(faults, UFFDIO_WRITEPROTECT, &protect) == 0)
        statics[statics_count++] = (struct statics){start, bytes, offset};
}

static struct range range_of(const struct dl_phdr_info *info) {
    struct range range = {UINT64_MAX, 0};
    for (int at = 0; at < info->dlpi_phnum; at++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[at];
        uint64_t start = info->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
        if (part->p_type != PT_LOAD)
            continue;
        range.start = start < range.start ? start : range.start;
        range.end = end > range.end ? end : range.end;
    }
    return range;
}

static int within(const struct range *range, const void *address) {
    uint64_t at = (uint64_t)(uintptr_t)address;
    return at >= range->start && at < range->end;
}

static int of_runtime(const void *code) {
    unsigned all = atomic_load_explicit(&left_out_count, memory_order_acquire);
    for (unsigned at = 0; at < all; at++)
        if (within(&left_out[at], code))
            return 1;
    return 0;
}

static int leave_out(struct dl_phdr_info *info, size_t size, void *address) {
    (void)size;
    struct range range = range_of(info);
    const char *name = strrchr(info->dlpi_name, '/');
    name = name == NULL ? info->dlpi_name : name + 1;
    int runtime = strncmp(name, "libomp", 6) == 0 || strncmp(name, "libiomp", 7) == 0;
    unsigned at = atomic_load(&left_out_count);
    if ((runtime || within(&range, address)) && !of_runtime((void *)(uintptr_t)range.start) && at < MOST_LEFT_OUT) {
        left_out[at] = range;
        atomic_store_explicit(&left_out_count, at + 1, memory_order_release);
    }
    return 0;
}

void pages_leave_out(const void *address) {
    if (ready)
        dl_iterate_phdr(leave_out, (void *)(uintptr_t)address);
}

/* The first object is the program. Its memory that is read-only after loading is not watched. */
static int program(struct dl_phdr_info *info, size_t size, void *none) {
    (void)size, (void)none;
    uint64_t read_only = 0;
    for (int at = 0; at < info->dlpi_phnum; at++)
        if (info->dlpi_phdr[at].p_type == PT_GNU_RELRO)
            read_only = info->dlpi_addr + info->dlpi_phdr[at].p_vaddr + info->dlpi_phdr[at].p_memsz;
    bias = info->dlpi_addr;
    own = range_of(info);
    for (int at = 0; at < info->dlpi_phnum; at++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[at];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_W))
            continue;
        uint64_t start = info->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
        watch(read_only > start && read_only <= end ? read_only : start, end, start + part->p_filesz);
    }
    return 1;
}

/* A child of fork gets a private copy of static variables, and of allocations as they are. */
static void in_child(void) {
    void *copies = mmap(arena, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, backing, 0);
    if (copies == MAP_FAILED)
        _exit(127);
    for (unsigned at = 0; at < statics_count; at++) {
        void *here = (void *)(uintptr_t)statics[at].start;
        void *own = mmap(NULL, statics[at].bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (own == MAP_FAILED)
            _exit(127);
        memcpy(own, here, statics[at].bytes);
        if (mremap(own, statics[at].bytes, statics[at].bytes, MREMAP_MAYMOVE | MREMAP_FIXED, here) != here)
            _exit(127);
    }
    ready = 0;
}

__attribute__((constructor)) static void start(void) {
    const char *wanted = getenv("NUMALAB_PAGES");
    if (wanted == NULL || ready)
        return;
    page = (uint64_t)sysconf(_SC_PAGESIZE);
    first = strcmp(wanted, "all") == 0 ? UINT64_MAX : strtoull(wanted, NULL, 10);
    backing = memfd_create("numalab", MFD_CLOEXEC);
    if (backing < 0 || ftruncate(backing, (off_t)ROOM) != 0)
        return quit("no shared memory");
    void *got = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, backing, 0);
    if (got == MAP_FAILED)
        return quit("no room for shared memory");
    arena = got;
    /* Otherwise a child of fork would write to the same memory. */
    madvise(arena, ROOM, MADV_DONTFORK);
    madvise(arena, ROOM, MADV_NOHUGEPAGE);
    faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | USER_MODE_ONLY);
    struct uffdio_api api = {.api = UFFD_API, .features = FEATURES};
    if (faults < 0)
        return quit("userfaultfd is forbidden");
    if (ioctl(faults, UFFDIO_API, &api) != 0)
        return quit("userfaultfd lacks asynchronous write protection (Linux 6.7)");
    struct uffdio_register range = {
        .range = {(uint64_t)(uintptr_t)arena, ROOM},
        .mode = UFFDIO_REGISTER_MODE_WP,
    };
    pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (pagemap < 0 || ioctl(faults, UFFDIO_REGISTER, &range) != 0)
        return quit("userfaultfd refuses shared memory");
    struct numalab_scan scan = {.size = sizeof scan, .start = (uint64_t)(uintptr_t)arena,
                                .end = (uint64_t)(uintptr_t)arena, .all_of = IS_PRESENT, .returned = IS_PRESENT};
    if (ioctl(pagemap, SCAN, &scan) < 0)
        return quit("pagemap has no scan (Linux 6.7)");
    got = mmap(NULL, MOST_ALLOCATIONS * sizeof *allocations, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED)
        return quit("no memory");
    allocations = got;
    dl_iterate_phdr(program, NULL);
    dl_iterate_phdr(leave_out, (void *)(uintptr_t)start);
    pthread_atfork(NULL, NULL, in_child);
    looking = ready = 1;
}

void pages_region(uint64_t code) {
    if (!ready)
        return;
    pthread_mutex_lock(&lock);
    uint64_t at = (code >> 2) % MOST_REGIONS, tried = 0;
    while (regions[at].code != code && regions[at].code != 0 && tried++ < MOST_REGIONS)
        at = (at + 1) % MOST_REGIONS;
    regions[at].code = code;
    uint64_t met = ++regions[at].met;
    /* Later instances are watched with decreasing frequency. */
    int now = met <= first || (met & (met - 1)) == 0;
    int before = looking;
    looking = now;
    pthread_mutex_unlock(&lock);
    if (now && !before)
        pages_look(NULL);
}

static void look(uint64_t at, uint64_t end, void (*tell)(uint64_t, uint64_t, int)) {
    static struct numalab_run runs[RUNS];
    while (at < end) {
        struct numalab_scan scan = {
            .size = sizeof scan,
            .flags = SCAN_PROTECT | SCAN_ASYNC_ONLY,
            .start = at,
            .end = end,
            .vec = (uint64_t)(uintptr_t)runs,
            .vec_len = RUNS,
            .all_of = IS_PRESENT,
            .returned = IS_PRESENT | IS_WRITTEN,
        };
        long found = ioctl(pagemap, SCAN, &scan);
        if (found < 0)
            return;
        for (long run = 0; run < found; run++) {
            uint64_t bytes = runs[run].end - runs[run].start;
            if (tell != NULL)
                tell(runs[run].start, bytes, (runs[run].categories & IS_WRITTEN) != 0);
            /* Removes the mapping; the contents stay in the shared memory. */
            madvise((void *)(uintptr_t)runs[run].start, bytes, MADV_DONTNEED);
        }
        at = scan.walk_end;
    }
}

void pages_look(void (*tell)(uint64_t, uint64_t, int)) {
    if (!ready || !looking)
        return;
    pthread_mutex_lock(&lock);
    uint64_t first_byte = (uint64_t)(uintptr_t)arena;
    look(first_byte, first_byte + atomic_load(&used), tell);
    look(first_byte + SMALL_FIRST, first_byte + SMALL_FIRST + small_end(), tell);
    for (unsigned at = 0; at < statics_count; at++)
        look(statics[at].start, statics[at].start + statics[at].bytes, tell);
    pthread_mutex_unlock(&lock);
}

/* Writes the path of the program, its load offset, and first and last bytes of the watched static variables. */
static void static_variables(void) {
    char text[4096 + 64 * (MOST_STATICS + 1)] = "statics\n";
    size_t length = 8;
    ssize_t got = readlink("/proc/self/exe", text + length, 4095);
    if (got <= 0 || statics_count == 0)
        return;
    length += (size_t)got;
    length += (size_t)snprintf(text + length, sizeof text - length, "\n%llx\n", (unsigned long long)bias);
    for (unsigned at = 0; at < statics_count; at++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%llx %llx\n",
                                   (unsigned long long)statics[at].start,
                                   (unsigned long long)(statics[at].start + statics[at].bytes));
    events_text(text, length);
}

void pages_allocations(void) {
    if (refusal != NULL) {
        char text[128];
        int length = snprintf(text, sizeof text, "unwatched\n%s\n", refusal);
        events_text(text, (uint64_t)length);
    }
    if (!ready)
        return;
    unsigned number = atomic_load(&count);
    number = number < MOST_ALLOCATIONS ? number : MOST_ALLOCATIONS;
    size_t room = 64 + (size_t)number * 20 * (FRAMES + 2), length;
    char *text = __libc_malloc(room);
    if (text == NULL)
        return;
    length = (size_t)snprintf(text, room, "allocations\n");
    for (unsigned at = 0; at < number; at++) {
        struct allocation *one = &allocations[at];
        length += (size_t)snprintf(text + length, room - length, "%llx %llx", (unsigned long long)one->start,
                                   (unsigned long long)one->bytes);
        for (unsigned frame = 0; frame < FRAMES && one->code[frame] != 0; frame++)
            length += (size_t)snprintf(text + length, room - length, " %llx", (unsigned long long)one->code[frame]);
        text[length++] = '\n';
    }
    events_text(text, length);
    __libc_free(text);
    static_variables();
}

static int ours(const void *memory) {
    return arena != NULL && (const char *)memory >= arena && (const char *)memory < arena + ROOM;
}

static uint64_t whole(uint64_t bytes) {
    return (bytes + page - 1) & ~(page - 1);
}

struct walk {
    uint64_t *code;
    unsigned count;
};

static _Unwind_Reason_Code frame(struct _Unwind_Context *context, void *data) {
    struct walk *walk = data;
    uint64_t code = _Unwind_GetIP(context);
    /* Frames inside the call are the recorder's own. */
    if (walk->count > 1 || code == walk->code[0])
        walk->code[walk->count++ - 1] = code;
    return walk->count > FRAMES || code == 0 ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* Many programs wrap malloc, so the whole stack is stored and the reader finds the allocating call. */
static void callers(uint64_t codes[FRAMES], const void *code) {
    static _Thread_local int walking;
    struct walk walk = {codes, 1};
    codes[0] = (uint64_t)(uintptr_t)code;
    if (walking)
        return;
    walking = 1;
    _Unwind_Backtrace(frame, &walk);
    walking = 0;
}

static void protect(uint64_t start, uint64_t bytes) {
    struct uffdio_writeprotect protect = {
        .range = {(uint64_t)(uintptr_t)(arena + start), bytes},
        .mode = UFFDIO_WRITEPROTECT_MODE_WP,
    };
    ioctl(faults, UFFDIO_WRITEPROTECT, &protect);
}

/* Notes an allocation of the code at an address; NULL if there are too many. */
static struct allocation *noted(uint64_t start, uint64_t bytes, const void *code) {
    unsigned at = atomic_fetch_add(&count, 1);
    if (at >= MOST_ALLOCATIONS)
        return NULL;
    allocations[at] = (struct allocation){(uint64_t)(uintptr_t)(arena + start), bytes, {0}};
    callers(allocations[at].code, code);
    return &allocations[at];
}

uint64_t *pages_of_place(uint64_t offset, const void *code) {
    struct allocation *one = noted(SMALL_FIRST + offset, 0, code);
    return one == NULL ? NULL : &one->bytes;
}

void *pages_grow(uint64_t offset, uint64_t bytes) {
    protect(SMALL_FIRST + offset, bytes);
    return arena + SMALL_FIRST + offset;
}

/* Fresh zeroed bytes; NULL if the C library has to serve the request. */
static void *take(size_t bytes, size_t alignment, const void *code) {
    if (!ready || bytes > ROOM / 2 || of_runtime(code))
        return NULL;
    if (bytes < LEAST)
        return alignment <= SMALL_ALIGNED && within(&own, code) ? small_take(bytes, code) : NULL;
    if (alignment < page)
        alignment = page;
    uint64_t start, end, before = atomic_load(&used);
    do {
        start = (before + alignment - 1) & ~((uint64_t)alignment - 1);
        end = start + whole(bytes);
        if (end > SMALL_FIRST)
            return NULL;
    } while (!atomic_compare_exchange_weak(&used, &before, end));
    if (noted(start, bytes, code) == NULL)
        return NULL;
    protect(start, end - start);
    return arena + start;
}

static int is_small(const void *memory) {
    return (const char *)memory >= arena + SMALL_FIRST;
}

static uint64_t size_of(const void *memory) {
    if (is_small(memory))
        return small_size(memory);
    unsigned number = atomic_load(&count);
    for (unsigned at = number < MOST_ALLOCATIONS ? number : MOST_ALLOCATIONS; at-- > 0;)
        if (allocations[at].start == (uint64_t)(uintptr_t)memory)
            return allocations[at].bytes;
    return 0;
}

size_t malloc_usable_size(void *memory) {
    static size_t (*next)(void *);
    if (ours(memory))
        return size_of(memory);
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "malloc_usable_size");
    return next == NULL ? 0 : next(memory);
}

static void give(void *start, uint64_t bytes) {
    int error = errno;
    /* In a child of fork the memory belongs to the parent. */
    if (!ready)
        return;
    if (is_small(start))
        return small_give(start);
    fallocate(backing, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)((char *)start - arena),
              (off_t)whole(bytes));
    errno = error;
}

void *malloc(size_t bytes) {
    void *got = take(bytes, 0, __builtin_return_address(0));
    return got != NULL ? got : __libc_malloc(bytes);
}

void free(void *memory) {
    if (ours(memory))
        give(memory, size_of(memory));
    else
        __libc_free(memory);
}

void *calloc(size_t number, size_t bytes) {
    size_t all;
    void *got = __builtin_mul_overflow(number, bytes, &all) ? NULL : take(all, 0, __builtin_return_address(0));
    return got != NULL ? got : __libc_calloc(number, bytes);
}

void *realloc(void *old, size_t bytes) {
    if (old == NULL) {
        void *got = take(bytes, 0, __builtin_return_address(0));
        return got != NULL ? got : __libc_malloc(bytes);
    }
    if (!ours(old) && bytes < LEAST)
        return __libc_realloc(old, bytes);
    if (bytes == 0) {
        free(old);
        return NULL;
    }
    uint64_t had = ours(old) ? size_of(old) : malloc_usable_size(old);
    void *got = take(bytes, 0, __builtin_return_address(0));
    if (got == NULL && (got = __libc_malloc(bytes)) == NULL)
        return NULL;
    memcpy(got, old, had < bytes ? had : bytes);
    free(old);
    return got;
}

static void *aligned(size_t alignment, size_t bytes, const void *code) {
    void *got = take(bytes, alignment, code);
    return got != NULL ? got : __libc_memalign(alignment, bytes);
}

void *memalign(size_t alignment, size_t bytes) {
    return aligned(alignment, bytes, __builtin_return_address(0));
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    return aligned(alignment, bytes, __builtin_return_address(0));
}

int posix_memalign(void **to, size_t alignment, size_t bytes) {
    void *got = aligned(alignment, bytes, __builtin_return_address(0));
    if (got == NULL)
        return ENOMEM;
    *to = got;
    return 0;
}

/* Operators of C++, replaced so that the caller of `new` is recorded instead of the operator. */
static void *operator_new(size_t bytes, const void *code) {
    void *got = take(bytes, 0, code);
    got = got != NULL ? got : __libc_malloc(bytes > 0 ? bytes : 1);
    if (got == NULL)
        abort();
    return got;
}

void *_Znwm(size_t bytes) {
    return operator_new(bytes, __builtin_return_address(0));
}

void *_Znam(size_t bytes) {
    return operator_new(bytes, __builtin_return_address(0));
}

void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset) {
    int plain = at == NULL && file == -1 && protection == (PROT_READ | PROT_WRITE) && (flags & MAP_ANONYMOUS) &&
                (flags & MAP_PRIVATE) && !(flags & (MAP_FIXED | MAP_GROWSDOWN | MAP_STACK | MAP_HUGETLB));
    void *got = plain ? take(bytes, 0, __builtin_return_address(0)) : NULL;
    if (got != NULL)
        return got;
    return (void *)syscall(SYS_mmap, at, bytes, protection, flags, file, offset);
}

int munmap(void *start, size_t bytes) {
    if (!ours(start))
        return (int)syscall(SYS_munmap, start, bytes);
    give(start, bytes);
    return 0;
}

#else

int pages_watched(void) {
    return 0;
}

void pages_region(uint64_t code) {
    (void)code;
}

void pages_leave_out(const void *address) {
    (void)address;
}

void pages_look(void (*tell)(uint64_t, uint64_t, int)) {
    (void)tell;
}

void pages_allocations(void) {
}

#endif
