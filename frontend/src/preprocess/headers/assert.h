/* anyrank's assert.h: one expression, so that the condition and the failing branch are plain to an analysis. */
#undef assert
#undef static_assert
#ifdef NDEBUG
#define assert(condition) ((void) 0)
#else
#define assert(condition) ((condition) ? (void) 0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif
#define static_assert _Static_assert
