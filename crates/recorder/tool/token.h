/* The token: its holder works, all other threads wait. At locks the thread that has worked least is next. So locks are
 * acquired in the order of a parallel run, and no thread takes another's part of the work. */
#ifndef NUMALAB_TOKEN_H
#define NUMALAB_TOKEN_H

#include <stdint.h>

/* Enables the token. It counts as broken if it is not passed for `patience_ns`. */
void token_start(uint64_t patience_ns);

/* Disables the token: from now on all threads work at once. */
void token_stop(void);

/* Waits for the token. Does nothing if the thread holds it. */
void token_take(void);

/* Releases the token. Does nothing if the thread does not hold it. The thread may get it back before a waiter wakes;
 * with `in_turn` it does not if a waiter has worked less. */
void token_give(int in_turn);

/* Passes the token to the thread that has waited longest, and waits for it again. Returns 0, with the token kept, if no
 * thread waits. `before` is called while the token is still held, if it is passed. */
int token_yield(void (*before)(void));

/* Call at a point that all threads of the team reach: their working times count from zero again. */
void token_together(void);

/* True if the calling thread holds the token. */
int token_held(void);

/* Reports progress of the calling thread, so that waiters do not give up. */
void token_seen(uint64_t now);

/* True if a thread waited in vain. All threads then run without the token. */
int token_broken(void);

#endif
