/* Files of /sys and /proc. */
#ifndef NUMALAB_SYS_H
#define NUMALAB_SYS_H

#include <stdbool.h>
#include <stddef.h>

bool sys_exists(const char *path);
/* The text of a small file; false where there is none. */
bool sys_text(const char *path, char *text, size_t room);
int sys_integer(const char *path, int otherwise);
/* Marks the members of a list like 0-3,8. */
bool sys_list(const char *path, bool *members, int most);
/* The processors on which this process may run. */
void sys_allowed_cpus(bool *members, int most);
/* The nodes of which this process may use memory. */
bool sys_allowed_memory(bool *members, int most);

#endif
