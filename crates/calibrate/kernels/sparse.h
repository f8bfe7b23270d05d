/* A generated sparse matrix in compressed rows. Rows grow evenly from 2/3 to 4/3 of the mean length. Their entries are
   runs of TOGETHER neighbouring columns at random places of a band around the diagonal; the diagonal is 1 and outweighs
   the rest of its row. */
#ifndef NUMALAB_SPARSE_H
#define NUMALAB_SPARSE_H

#include <stdbool.h>
#include <stdint.h>

enum { TOGETHER = 8 }; /* a line of a vector of doubles */

struct sparse {
    int64_t n, nnz;
    int64_t band;    /* columns that the entries of a row are in */
    int64_t *starts; /* n + 1: entries of the rows before */
    double *values;
    int32_t *columns;
    /* Rows of thread t: from bounds[t] to bounds[t + 1]. */
    int parts;
    int64_t *bounds;
};

/* Memory, not yet touched but for the bounds: as many entries for each part if `balanced`, otherwise as many rows. */
void sparse_map(struct sparse *m, int parts, bool balanced);
/* Writes the rows of a part, which places them. */
void sparse_fill(const struct sparse *m, int part);
void sparse_unmap(struct sparse *m);

#endif
