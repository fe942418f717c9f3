#define _GNU_SOURCE
#include "start_code.h"

#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/// Where the program's variables begin, and a place after them, as the C library's and the compiler's start files say; and where
/// the variables that begin as zeros do, as the linker says.
extern char data_start __attribute__((weak));
extern char __TMC_END__ __attribute__((weak, visibility("hidden")));
extern char __bss_start __attribute__((weak));

struct range {
    uintptr_t start, end;
};

/// The whole pages that hold a part of `file`.
static struct range pages_of(const struct dl_phdr_info *file, const ElfW(Phdr) * part, uintptr_t page) {
    uintptr_t start = file->dlpi_addr + part->p_vaddr;
    return (struct range){start & -page, (start + part->p_memsz + page - 1) & -page};
}

/// Code and constants that nothing can write to.
static void let_go_of_code(const struct dl_phdr_info *file, uintptr_t page) {
    for (int i = 0; i < file->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &file->dlpi_phdr[i];
        // What the loader writes to, and then protects, is of a part that can be written to.
        if (part->p_type != PT_LOAD || (part->p_flags & PF_W) != 0) continue;
        struct range pages = pages_of(file, part, page);
        madvise((void *)pages.start, pages.end - pages.start, MADV_DONTNEED);
    }
}

/// Those pages of a range that are still the file's.
static void let_go_of_unwritten(struct range pages, uintptr_t page) {
    const uint64_t is_of_file = UINT64_C(1) << 61;
    uint64_t states[64];
    int states_file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (states_file < 0) return;
    while (pages.start < pages.end) {
        size_t count = (pages.end - pages.start) / page;
        if (count > 64) count = 64;
        ssize_t length = pread(states_file, states, 8 * count, (off_t)(8 * (pages.start / page)));
        if (length != (ssize_t)(8 * count)) break;
        for (size_t i = 0; i < count; i++)
            if (states[i] & is_of_file) madvise((void *)(pages.start + i * page), page, MADV_DONTNEED);
        pages.start += count * page;
    }
    close(states_file);
}

/// The program's constants in the part that can be written to. Linkers put some of Swift's between what the loader protects and the
/// variables, because the loader fills in addresses there, and some after the variables: the section .rodata, which Swift's own
/// library declares as one to be written to. Once the program runs, nobody writes to either.
static void let_go_of_constants(const struct dl_phdr_info *program, uintptr_t page) {
    for (int i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &program->dlpi_phdr[i];
        if (part->p_type != PT_GNU_RELRO) continue;
        let_go_of_unwritten((struct range){pages_of(program, part, page).end, (uintptr_t)&data_start & -page}, page);
    }
    uintptr_t end = (uintptr_t)&__TMC_END__;
    // Another linker may put this place before the variables.
    if (end < (uintptr_t)&data_start) return;
    let_go_of_unwritten((struct range){(end + page - 1) & -page, (uintptr_t)&__bss_start & -page}, page);
}

static int let_go(struct dl_phdr_info *file, size_t size, void *page_size) {
    (void)size;
    const uintptr_t page = *(const uintptr_t *)page_size;
    // The program has no name; the kernel's own has one that is no path.
    if (file->dlpi_name[0] == '\0') let_go_of_constants(file, page);
    if (file->dlpi_name[0] == '\0' || file->dlpi_name[0] == '/') let_go_of_code(file, page);
    return 0;
}

void nearby_start_code_let_go(void) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    dl_iterate_phdr(let_go, &page);
    malloc_trim(0);
}

void nearby_give_back_large_blocks(void) { mallopt(M_MMAP_THRESHOLD, 128 * 1024); }
