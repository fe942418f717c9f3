#define _GNU_SOURCE
#include "start_code.h"

#include <link.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static int let_go(struct dl_phdr_info *file, size_t size, void *page) {
    (void)size;
    const uintptr_t within = *(const uintptr_t *)page - 1;
    // The kernel's own has a name that is no path; the program has none.
    if (file->dlpi_name[0] != '\0' && file->dlpi_name[0] != '/') return 0;
    for (int i = 0; i < file->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &file->dlpi_phdr[i];
        // What the loader writes to, and then protects, is of a part that can be written to.
        if (part->p_type != PT_LOAD || (part->p_flags & PF_W) != 0) continue;
        uintptr_t start = (file->dlpi_addr + part->p_vaddr) & ~within;
        uintptr_t end = (file->dlpi_addr + part->p_vaddr + part->p_memsz + within) & ~within;
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void nearby_start_code_let_go(void) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    dl_iterate_phdr(let_go, &page);
}

void nearby_give_back_large_blocks(void) { mallopt(M_MMAP_THRESHOLD, 128 * 1024); }
