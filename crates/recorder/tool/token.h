/* The token: who has it works, all others wait. At locks who has worked least is next, so that they come to threads in the order in
 * which they would if all worked at a time, and none takes another's part of the work. */
#ifndef NUMALAB_TOKEN_H
#define NUMALAB_TOKEN_H

#include <stdint.h>

/* Starts passing it; it is taken for broken where nobody passes it for so long. */
void token_start(uint64_t patience_ns);

/* Waits for the token. Nothing where the thread has it. */
void token_take(void);

/* Gives it away. Nothing where the thread does not have it. It may have it again before anybody is awake; in turn it does not, if
 * another has worked less. */
void token_give(int in_turn);

/* Says that the calling thread is where all of its team are: from here on they have worked equally long. */
void token_together(void);

/* Whether the calling thread has it. */
int token_held(void);

/* Says that the calling thread gets on: nobody waits in vain for a token whose holder does. */
void token_seen(uint64_t now);

/* Whether somebody waited in vain. All go on without it then. */
int token_broken(void);

#endif
