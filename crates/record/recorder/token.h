/* The token: who has it works, all others wait. */
#ifndef NUMALAB_TOKEN_H
#define NUMALAB_TOKEN_H

#include <stdint.h>

/* Starts passing it; it is taken for broken where nobody passes it for so long. */
void token_start(uint64_t patience_ns);

/* Waits for the token. Nothing where the thread has it. */
void token_take(void);

/* Gives it away. Nothing where the thread does not have it. */
void token_give(void);

/* Whether the calling thread has it. */
int token_held(void);

/* Says that the calling thread gets on: nobody waits in vain for a token whose holder does. */
void token_seen(uint64_t now);

/* Whether somebody waited in vain. All go on without it then. */
int token_broken(void);

#endif
