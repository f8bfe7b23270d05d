/* For loops that ask for vectors: a compiler that may not use them here (no optimisation, sanitizers) is not to warn. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#endif
