/* Preconditions: none. What must vanish: sizes that are told in a unit that makes them hard to
 * read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "system/bytes.h"

static void sizes(void **state)
{
  static const struct {
    double bytes;
    const char *text;
  } known[] = {{0, "0 bytes"},          {1023, "1023 bytes"},   {1024, "1 KiB"},
               {79155.2, "77.3 KiB"},   {788529, "0.752 MiB"},  {1.05e8, "100 MiB"},
               {1.0741e8, "0.1 GiB"},   {5.4976e11, "512 GiB"}, {1.0995e12, "1 TiB"},
               {2.5e15, "2.27e+03 TiB"}};
  (void)state;
  for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
    char text[40];
    gmg_bytes_text(known[n].bytes, text, sizeof text);
    assert_string_equal(text, known[n].text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(sizes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
