/* The guest's init: runs the tiny plan of the calibration kernels, as far as it is about memory and nodes, and writes
   what they say to the second serial line. A kernel that fails or hangs leaves a line that begins with "failed". */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { MOST_SECONDS = 300, MOST_WORDS = 16 };

static FILE *out;

/* Copies what a run of the kernels prints; its exit status. */
static int run(char *const *words, FILE *to) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        close(ends[0]), close(ends[1]);
        alarm(MOST_SECONDS);
        setenv("OMP_WAIT_POLICY", "passive", 1);
        execv("/numalab-kernels", words);
        _exit(127);
    }
    close(ends[1]);
    char text[4096];
    for (ssize_t count; (count = read(ends[0], text, sizeof text)) > 0;) fwrite(text, 1, (size_t)count, to);
    close(ends[0]);
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

/* What threads do with lines of each other is the same whichever node they are on. */
static int is_about_nodes(const char *line) {
    static const char *const others[] = {"locks", "epcc", "false_sharing", "compute"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(line, others[i], strlen(others[i])) == 0) return 0;
    return 1;
}

static void measure(char *line) {
    char *words[MOST_WORDS] = {"numalab-kernels"}, shown[256];
    snprintf(shown, sizeof shown, "%s", line);
    int count = 1;
    for (char *word = strtok(line, " \n"); word && count + 1 < MOST_WORDS; word = strtok(NULL, " \n")) words[count++] = word;
    int status = run(words, out);
    if (status != 0) fprintf(out, "failed with %d: %s\n", status, shown);
    fflush(out);
}

int main(void) {
    mount("dev", "/dev", "devtmpfs", 0, NULL);
    mount("proc", "/proc", "proc", 0, NULL);
    mount("sys", "/sys", "sysfs", 0, NULL);
    out = fopen("/dev/ttyS1", "w");
    if (!out) reboot(RB_AUTOBOOT);
    struct termios raw;
    tcgetattr(fileno(out), &raw);
    cfmakeraw(&raw);
    tcsetattr(fileno(out), TCSANOW, &raw);
    run((char *[]){"numalab-kernels", "host", NULL}, out);
    FILE *plan = tmpfile();
    if (plan && run((char *[]){"numalab-kernels", "plan", "--tiny", NULL}, plan) == 0) {
        char line[256];
        rewind(plan);
        while (fgets(line, sizeof line, plan))
            if (is_about_nodes(line)) measure(line);
        fputs("done\n", out);
    } else {
        fputs("failed: no plan\n", out);
    }
    fflush(out);
    tcdrain(fileno(out));
    sync();
    reboot(RB_AUTOBOOT);
}
