/* Work that a team begins together. */
#ifndef NUMALAB_TEAM_H
#define NUMALAB_TEAM_H

#include <stdint.h>

/* Every thread calls the work with its number and `what`; the time from the first to begin to the last to
   end, after they have met. */
double team_time(int threads, void (*work)(int thread, void *what), void *what);

/* The first and the last thread of a team hand a line to and fro, so many times there and back: the time of one way.
   Ends the program where the line did not go that often. */
double team_hand_over(int threads, int64_t trips);

#endif
