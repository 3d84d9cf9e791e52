#include "wisdom.h"

#include "prepared.h"

#include "cuda/runtime/device.h"
#include "runtime/tuned.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void gmg_cuda_identify(gmg_context *context, struct gmg_wisdom_key *key)
{
  const struct gmg_device *device = context->device;
  snprintf(key->target, sizeof key->target, "cuda");
  snprintf(key->machine, sizeof key->machine, "%.60s, %.30s", device->name,
           device->way.architecture);
  snprintf(key->compiler, sizeof key->compiler, "NVRTC %d.%d", device->way.version[0],
           device->way.version[1]);
  key->threads = 0;
}

static const struct gmg_cuda_kernel *find(const char *subject)
{
  static const char first[] = "kernel ";
  const size_t skip = sizeof first - 1;
  for (int n = 0; strncmp(subject, first, skip) == 0 && gmg_cuda_kernels[n]; n++)
    if (strcmp(gmg_cuda_kernels[n]->symbol, subject + skip) == 0)
      return gmg_cuda_kernels[n];
  return NULL;
}

/* What follows the comments that a text begins with. */
static const char *skip_comments(const char *text)
{
  while (strncmp(text, "/*", 2) == 0 && strstr(text, "*/"))
    text = strstr(text, "*/") + 2;
  return text;
}

/* Of a text but for its comments, which change no kernel. */
static uint64_t hash_of(uint64_t hash, const char *text)
{
  for (const char *c = skip_comments(text); *c; c = skip_comments(c + 1))
    hash = (hash ^ (unsigned char)*c) * 1099511628211u; /* Fowler, Noll and Vo */
  return hash;
}

int gmg_cuda_source(const char *subject, char *hash, size_t size)
{
  const struct gmg_cuda_kernel *kernel = find(subject);
  if (!kernel)
    return 0;
  uint64_t value = hash_of(hash_of(14695981039346656037u, gmg_cuda_prelude), kernel->text);
  for (int n = 0; n < kernel->forms; n++)
    value = hash_of(value, kernel->form[n].text);
  snprintf(hash, size, "%016" PRIx64, value);
  return 1;
}

/* X(name of the choice, member of a shape, most). */
#define SHAPE(X) \
  X(block_i, 1024) \
  X(block_j, 1024) \
  X(rows, 64) \
  X(planes, 1024) \
  X(unroll, 64) \
  X(blocks, 32)

int gmg_cuda_allows(const char *subject, const char *name, const char *word, int number)
{
  const struct gmg_cuda_kernel *kernel = find(subject);
  if (!kernel)
    return 0;
  if (strcmp(name, "form") == 0) {
    int known = 0;
    for (int n = 0; n < kernel->forms; n++)
      known |= strcmp(kernel->form[n].name, word) == 0;
    return known;
  }
#define ALLOWED(member, most) \
  if (strcmp(name, #member) == 0) \
    return !word[0] && number >= 1 && number <= (most);
  SHAPE(ALLOWED)
#undef ALLOWED
  return 0;
}

int gmg_wisdom_legal(const struct gmg_wanted *wanted)
{
  enum { WARP = 32, MOST_THREADS = 1024, RESIDENT = 2048 };
  const struct gmg_cuda_shape *s = &wanted->shape;
  const int threads = s->block_i * s->block_j,
            between = wanted->form && strcmp(wanted->form->name, "between") == 0;
  return wanted->form && threads % WARP == 0 && threads <= MOST_THREADS
    && s->blocks * threads <= RESIDENT && s->unroll <= s->planes && s->planes % s->unroll == 0
    && (!between || (s->block_i % WARP == 0 && s->planes % 2 == 0));
}

void gmg_wisdom_subject(const struct gmg_call *call, struct gmg_wisdom_entry *entry)
{
  snprintf(entry->subject, sizeof entry->subject, "kernel %s", call->kernel->cuda->symbol);
  gmg_tuned_extents(call->level->layout, entry->cells);
}

/* Whether the driver takes the grid on the level's largest box. */
static int grid_fits(const struct gmg_wanted *wanted, const int cells[3])
{
  enum { MOST_BLOCKS = 65535 };
  unsigned grid[3];
  gmg_cuda_grid(wanted->kernel, wanted->form, &wanted->shape, cells, grid);
  return wanted->many || (grid[1] <= MOST_BLOCKS && grid[2] <= MOST_BLOCKS);
}

static struct gmg_wanted with_form(const struct gmg_wanted *wanted,
                                   const struct gmg_cuda_form *form)
{
  struct gmg_wanted result = gmg_modules_form(wanted->kernel, form);
  result.many = wanted->many;
  return result;
}

/* Takes the form and, of its shape, what the entry names. */
static void take(const struct gmg_wisdom_entry *entry, struct gmg_wanted *wanted)
{
  const struct gmg_cuda_kernel *kernel = wanted->kernel;
  for (int c = 0; c < entry->choices; c++)
    for (int n = 0; n < kernel->forms; n++)
      if (strcmp(entry->choice[c].name, "form") == 0
          && strcmp(kernel->form[n].name, entry->choice[c].word) == 0)
        *wanted = with_form(wanted, &kernel->form[n]);
  for (int c = 0; c < entry->choices; c++) {
#define TAKEN(member, most) \
  if (strcmp(entry->choice[c].name, #member) == 0) \
    wanted->shape.member = entry->choice[c].number;
    SHAPE(TAKEN)
#undef TAKEN
  }
}

struct gmg_wanted gmg_wisdom_usual(const struct gmg_call *call)
{
  enum { LEAST_THREADS = 64, LEAST_WIDTH = 4 };
  const int boxes = call->level->layout->local_count;
  struct gmg_wanted usual = gmg_modules_default(call->kernel->cuda, boxes > 1);
  int widest = 0, longest = 0;
  for (int b = 0; b < boxes; b++) {
    const int *cells = call->args.box[b].cells, i = gmg_cuda_positions(usual.kernel, cells, 0);
    widest = i > widest ? i : widest;
    longest = cells[1] > longest ? cells[1] : longest;
  }
  while (usual.many) {
    struct gmg_wanted narrow = usual;
    narrow.shape.block_i /= 2;
    if (2 * narrow.shape.block_j * narrow.shape.rows <= longest)
      narrow.shape.block_j *= 2;
    const int threads = narrow.shape.block_i * narrow.shape.block_j;
    if (widest > narrow.shape.block_i || narrow.shape.block_i < LEAST_WIDTH
        || threads < LEAST_THREADS || !gmg_wisdom_legal(&narrow))
      break;
    usual = narrow;
  }
  return usual;
}

/* How often the device is filled by the thread blocks of such boxes, one time after another. */
static double waves(const struct gmg_call *call, const struct gmg_wanted *wanted,
                    const int cells[3])
{
  const struct gmg_layout *layout = call->level->layout;
  const double wave = (double)call->level->context->device->multiprocessors * wanted->shape.blocks;
  unsigned grid[3];
  gmg_cuda_grid(wanted->kernel, wanted->form, &wanted->shape, cells, grid);
  return ceil((double)layout->local_count * grid[0] * grid[1] * grid[2] / wave);
}

/* Whether a choice that was measured on a level of other extents is to be expected to gain on this
 * one: large thread blocks that fill the device there may leave most of it idle on a smaller level.
 */
static int pays_here(const struct gmg_call *call, const struct gmg_wisdom_entry *entry,
                     const struct gmg_wanted *wanted, const struct gmg_wanted *usual,
                     const int cells[3])
{
  if (memcmp(entry->cells, cells, sizeof entry->cells) == 0)
    return 1;
  const int known = entry->seconds > 0 && entry->default_seconds > 0;
  const double here = waves(call, wanted, cells) / waves(call, usual, cells),
               there = waves(call, wanted, entry->cells) / waves(call, usual, entry->cells);
  return (known ? entry->seconds / entry->default_seconds : 1) * here / there <= 1;
}

struct gmg_wanted gmg_wisdom_wanted(const struct gmg_call *call)
{
  struct gmg_wanted usual = gmg_wisdom_usual(call), wanted = usual;
  struct gmg_wisdom_entry place = {.choices = 0};
  gmg_wisdom_subject(call, &place);
  const struct gmg_wisdom_entry *entry =
    gmg_tuned_find(call->level->context, GMG_TARGET_CUDA, place.subject, place.cells);
  if (!entry || entry->choices == 0)
    return usual;
  take(entry, &wanted);
  usual.refused = !gmg_wisdom_legal(&wanted) || !grid_fits(&wanted, place.cells);
  if (usual.refused || !pays_here(call, entry, &wanted, &usual, place.cells))
    return usual;
  wanted.optional = wanted.form != usual.form || !gmg_shapes_equal(&wanted.shape, &usual.shape);
  return wanted;
}

void gmg_wisdom_write(const struct gmg_loaded *loaded, char *text, size_t size)
{
  const struct gmg_cuda_shape *s = &loaded->shape;
  snprintf(text, size, "form=%s block_i=%d block_j=%d rows=%d planes=%d unroll=%d blocks=%d",
           loaded->form->name, s->block_i, s->block_j, s->rows, s->planes, s->unroll, s->blocks);
}

void gmg_wisdom_put(const struct gmg_wanted *wanted, struct gmg_wisdom_entry *entry)
{
  const int number[] = {
#define NUMBER(member, most) wanted->shape.member,
    SHAPE(NUMBER)
#undef NUMBER
  };
  static const char *const name[] = {
#define NAME(member, most) #member,
    SHAPE(NAME)
#undef NAME
  };
  entry->choices = 1 + (int)(sizeof number / sizeof *number);
  memset(entry->choice, 0, sizeof entry->choice);
  snprintf(entry->choice[0].name, sizeof entry->choice[0].name, "form");
  snprintf(entry->choice[0].word, sizeof entry->choice[0].word, "%s", wanted->form->name);
  for (int n = 0; n + 1 < entry->choices; n++) {
    snprintf(entry->choice[n + 1].name, sizeof entry->choice[n + 1].name, "%s", name[n]);
    entry->choice[n + 1].number = number[n];
  }
}

void gmg_wisdom_describe(struct gmg_placement *p, struct gmg_call *call)
{
  const struct gmg_loaded *loaded = call->prepared->kernel;
  const struct gmg_wanted usual = gmg_wisdom_usual(call), wanted = gmg_wisdom_wanted(call);
  const int follows =
    loaded->form == wanted.form && gmg_shapes_equal(&loaded->shape, &wanted.shape);
  const int unusual = loaded->form != usual.form || !gmg_shapes_equal(&loaded->shape, &usual.shape);
  gmg_free(call->stat->choice);
  call->stat->choice = unusual ? gmg_malloc(GMG_KERNEL_CHOICE_TEXT) : NULL;
  if (call->stat->choice)
    gmg_wisdom_write(loaded, call->stat->choice, GMG_KERNEL_CHOICE_TEXT);
  if (follows && !wanted.refused)
    return;
  if (p->untuned++ == 0)
    snprintf(p->untuned_kernel, sizeof p->untuned_kernel, "%.80s %s", loaded->kernel->symbol,
             wanted.refused ? "cannot run so on its level" : "could not be compiled or loaded so");
}
