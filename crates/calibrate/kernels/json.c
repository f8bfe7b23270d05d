/* The little of JSON that is needed. */
#include "inside.h"

#include <math.h>

/* Bytes beyond ASCII pass as they are: the system's files are UTF-8. */
void json_string(FILE *to, const char *text) {
    fputc('"', to);
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at == '"' || *at == '\\')
            fprintf(to, "\\%c", *at);
        else if (*at == '\n')
            fputs("\\n", to);
        else if (*at == '\t')
            fputs("\\t", to);
        else if (*at < ' ')
            fprintf(to, "\\u%04x", *at);
        else
            fputc(*at, to);
    }
    fputc('"', to);
}

void json_number(FILE *to, double value, int digits) {
    if (isfinite(value))
        fprintf(to, "%.*g", digits, value);
    else
        fputs("null", to);
}
