/* Stand-in for machines without C headers. */
#include <stddef.h>
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define stdin stdin
#define stdout stdout
#define stderr stderr
