/* A FIFO window that computes sums, in C: a ring that doubles when it is full.  It counts its combine calls.
   Build: cc -O2 -o sum sum.c; with -DBUG a ring that wraps round is copied as if it did not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long long *ring, total;
static size_t head, size, capacity, calls;

static void grow(void) {
  long long *larger = malloc(2 * capacity * sizeof *larger);
  for (size_t i = 0; i < size; i++)
#ifdef BUG
    larger[i] = ring[i];
#else
    larger[i] = ring[(head + i) % capacity];
#endif
  free(ring);
  ring = larger;
  head = 0;
  capacity *= 2;
}

int main(void) {
  char line[256];
  while (fgets(line, sizeof line, stdin)) {
    if (!strncmp(line, "insert ", 7)) {
      if (size == capacity) grow();
      total += ring[(head + size++) % capacity] = atoll(line + 7);
      calls++;
    } else if (!strcmp(line, "evict\n")) {
      total -= ring[head];
      head = (head + 1) % capacity;
      size--;
      calls++;
    } else if (!strcmp(line, "query\n")) {
      printf("%lld\n", total);
    } else if (!strncmp(line, "reset ", 6)) {
      free(ring);
      ring = malloc((capacity = 4) * sizeof *ring);
      head = size = total = 0;
    } else if (!strcmp(line, "calls\n")) {
      printf("%zu\n", calls);
      calls = 0;
    } else if (!strcmp(line, "flush\n")) {
      fflush(stdout);
    } else if (!strcmp(line, "swagproof 1\n")) {
      puts("swagproof 1 window=fifo monoids=sum calls");
    } else {
      fprintf(stderr, "unknown: %s", line);
      return 1;
    }
  }
  return 0;
}
