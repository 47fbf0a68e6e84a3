/// Annotations for the thread sanitizer. It cannot see a lock inside a library that was built
/// without it, so these functions tell it which thread comes first. In all other builds they are
/// empty.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define DIBS_SEES_THREADS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define DIBS_SEES_THREADS 1
#endif
#endif

#ifdef DIBS_SEES_THREADS
#include <sanitizer/tsan_interface.h>
#endif

namespace dibs {

/// All that this thread did comes before what others do after their `comes_after(mark)`.
inline void comes_before([[maybe_unused]] void* mark) {
#ifdef DIBS_SEES_THREADS
  __tsan_release(mark);
#endif
}

inline void comes_after([[maybe_unused]] void* mark) {
#ifdef DIBS_SEES_THREADS
  __tsan_acquire(mark);
#endif
}

}  // namespace dibs
