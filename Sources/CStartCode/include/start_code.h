#ifndef NEARBY_START_CODE_H
#define NEARBY_START_CODE_H

/// Lets go of all pages of the program and its libraries that nothing has written to, code and constants, and of what is free of
/// the heap. In C, because the loader lists them in C alone; and only while it lists them does it load and unload nothing.
void nearby_start_code_let_go(void);

/// From now on, blocks of memory of 128 KiB and more go back to the system as soon as they are freed. Without this the C library
/// learns from the first that is freed to keep such blocks.
void nearby_give_back_large_blocks(void);

#endif
