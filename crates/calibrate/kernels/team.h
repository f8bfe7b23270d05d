/* Work that a team begins together. */
#ifndef NUMALAB_TEAM_H
#define NUMALAB_TEAM_H

/* Every thread calls the work with its number and `what`; the time from the first to begin to the last to
   end, after they have met. */
double team_time(int threads, void (*work)(int thread, void *what), void *what);

#endif
