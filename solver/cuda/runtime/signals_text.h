/* A kernel that sets words and waits for words (signals.h), in less time than operations of the
 * stream on memory take: some 2 microseconds in a graph, not 5 (measured on two H200s). Of a device
 * that several processes use it would take the time that they need to set what it waits for. */
#ifndef GMG_CUDA_SIGNALS_TEXT_H
#define GMG_CUDA_SIGNALS_TEXT_H

#include <stdint.h>

enum { GMG_SIGNAL_WORDS = 64 };

/* The first ones are set, at once, then the others are awaited. */
struct gmg_signal_args {
  uint64_t word[GMG_SIGNAL_WORDS];
  int sets, awaits;
};

/* The text's only kernel is gmg_signals: launched in one thread block, with a thread for each word.
 */
extern const char gmg_signals_text[];

#endif
