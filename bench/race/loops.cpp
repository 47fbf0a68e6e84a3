#include "bench/race/bare_loop.hpp"
#include "bench/race/message_loop.hpp"

namespace dibs::bench {

template class bare_loop<bare_heap>;
template class bare_loop<bare_queue>;

template class message_loop<keyed_draws>;
template class message_loop<keyed_draws, node_memory>;
template class message_loop<watched_record, node_memory>;
template class message_loop<second_thread_record, node_memory>;

}  // namespace dibs::bench
