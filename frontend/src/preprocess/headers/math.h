/* Stand-in for machines without C headers. */
#define M_E 2.7182818284590452354
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_SQRT2 1.41421356237309504880
#define HUGE_VAL (__builtin_huge_val ())
#define INFINITY (__builtin_inff ())
#define NAN (__builtin_nanf (""))
