#include "inside.h"
int host_print(void) { return 0; }
