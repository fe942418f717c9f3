#ifndef NEARBY_ALLOCATION_COUNT_H
#define NEARBY_ALLOCATION_COUNT_H

/// How often the calling thread has asked for memory: linked into a test, this target takes the place of the C library's
/// allocator, counts, and hands on to it.
unsigned long nearby_allocation_count(void);

/// How often the calling thread has taken a mutex, in the same way.
unsigned long nearby_lock_count(void);

#endif
