#include "box_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/parallel.h"
#include "file/file.h"

/* A part of a box: cells [from, to) of the grid. */
struct part {
  gmg_program_box box;
  int from[3], to[3];
};

static void *place(const struct part *part, int i, int j, int k)
{
  const gmg_program_box *box = &part->box;
  const ptrdiff_t at = (i - box->lower[0]) * box->stride[0] + (j - box->lower[1]) * box->stride[1]
    + (k - box->lower[2]) * box->stride[2];
  return (char *)box->data + at * (ptrdiff_t)(box->single ? sizeof(float) : sizeof(double));
}

/* Calls one of the two for every row: to or from doubles, i fastest. */
static void move(const struct part *part, double *values, int loads)
{
  const int count = part->to[0] - part->from[0];
  for (int k = part->from[2]; k < part->to[2]; k++)
    for (int j = part->from[1]; j < part->to[1]; j++, values += count) {
      double *row = place(part, part->from[0], j, k);
      float *single = (float *)(void *)row;
      for (int i = 0; i < count; i++)
        if (part->box.single && loads)
          single[i] = (float)values[i];
        else if (part->box.single)
          values[i] = (double)single[i];
        else if (loads)
          row[i] = values[i];
        else
          values[i] = row[i];
    }
}

void box_values_shape(const struct box_values *values, hsize_t shape[3])
{
  for (int d = 0; d < 3; d++)
    shape[2 - d] = (hsize_t)values->cells[d]
      + (values->with_ghosts ? 2 * (hsize_t)gmg_program_ghosts(values->program, d) : 0);
}

/* What a box has in the dataset: its cells; or what it reads there with ghosts, all that it has
 * around it; or what it writes with them, those beyond walls. Empty past the last box. */
static void find_part(const struct box_values *values, int box, int reads, struct part *part)
{
  memset(part, 0, sizeof *part);
  if (box >= gmg_program_boxes(values->program))
    return;
  gmg_program_view(values->program, values->array, box, &part->box);
  for (int d = 0; d < 3; d++) {
    const int deep = values->with_ghosts ? gmg_program_ghosts(values->program, d) : 0;
    const int around = reads && values->with_ghosts ? part->box.ghosts[d] : 0;
    part->from[d] = part->box.lower[d] - around;
    part->to[d] = part->box.upper[d] + around;
    if (part->from[d] < -deep || part->box.lower[d] == 0)
      part->from[d] = -deep;
    if (part->to[d] > values->cells[d] + deep || part->box.upper[d] == values->cells[d])
      part->to[d] = values->cells[d] + deep;
  }
}

/* Blocks of a part as the dataset counts cells: from 0 at the first ghost, where it has ghosts. */
static struct file_blocks blocks_of(const struct box_values *values, const struct part *part,
                                    int deep[3])
{
  int lower[3], upper[3];
  for (int d = 0; d < 3; d++) {
    deep[d] = values->with_ghosts ? gmg_program_ghosts(values->program, d) : 0;
    lower[d] = part->from[d] + deep[d];
    upper[d] = part->to[d] + deep[d];
  }
  return file_blocks_of(lower, upper);
}

static int find_bad(const struct box_values *values, const struct part *part, const double *data,
                    struct failure *failure)
{
  const int ni = part->to[0] - part->from[0], nj = part->to[1] - part->from[1];
  const size_t count = file_elements(part->from, part->to);
  for (size_t n = 0; n < count; n++)
    if (!isfinite(data[n]))
      return failure_set(failure, STATUS_INPUT,
                         "%s: %s is %g at cell (%d, %d, %d), expected finite values", values->file,
                         values->name, data[n], part->from[0] + (int)(n % (size_t)ni),
                         part->from[1] + (int)(n / (size_t)ni % (size_t)nj),
                         part->from[2] + (int)(n / (size_t)ni / (size_t)nj));
  return 0;
}

/* Reads or writes the box of that number in the order of all ranks. */
static int transfer(const struct box_values *values, int box, int reads, struct failure *failure)
{
  struct part part;
  int deep[3], error = 0;
  find_part(values, box, reads, &part);
  const struct file_blocks blocks = blocks_of(values, &part, deep);
  double *data = malloc(sizeof *data * (file_block_elements(&blocks) + 1));
  error = !data;
  for (int round = 0; round < blocks.rounds; round++) {
    int from[3], to[3];
    struct part piece = part;
    file_block(&blocks, round, from, to);
    for (int d = 0; d < 3; d++) {
      piece.from[d] = from[d] - deep[d];
      piece.to[d] = to[d] - deep[d];
    }
    const int empty = !file_elements(from, to);
    if (!reads) {
      if (parallel_max(error))
        break;
      if (!empty)
        move(&piece, data, 0);
      error = file_write(values->dataset, from, to, data) < 0;
    } else if (!empty && !error) {
      error = file_read(values->dataset, from, to, data) < 0
        || find_bad(values, &piece, data, failure) != 0;
      if (!error)
        move(&piece, data, 1);
    }
  }
  free(data);
  return error;
}

static int most_boxes(const struct box_values *values)
{
  return (int)parallel_max(gmg_program_boxes(values->program));
}

int box_values_read(const struct box_values *values, struct failure *failure)
{
  const int boxes = most_boxes(values);
  for (int b = 0; b < boxes; b++)
    if (transfer(values, b, 1, failure) && !failure->status)
      failure_set(failure, STATUS_INPUT, "%s: %s cannot be read: %s", values->file, values->name,
                  file_reason());
  return parallel_agree(failure);
}

int box_values_write(const struct box_values *values)
{
  const int boxes = most_boxes(values);
  int error = 0;
  for (int b = 0; b < boxes && !error; b++)
    error = (int)parallel_max(transfer(values, b, 0, NULL) != 0);
  return error;
}

int box_values_range(const struct box_values *values, double range[2])
{
  double most[3] = {-INFINITY, -INFINITY, 0}; /* of -value, of value; 1: not all are finite */
  for (int b = 0; b < gmg_program_boxes(values->program); b++) {
    struct part part;
    find_part(values, b, 0, &part);
    for (int k = part.from[2]; k < part.to[2]; k++)
      for (int j = part.from[1]; j < part.to[1]; j++)
        for (int i = part.from[0]; i < part.to[0]; i++) {
          const void *at = place(&part, i, j, k);
          const double value = part.box.single ? (double)*(const float *)at : *(const double *)at;
          most[0] = fmax(most[0], -value);
          most[1] = fmax(most[1], value);
          most[2] = fmax(most[2], !isfinite(value));
        }
  }
  parallel_max_values(most, 3);
  range[0] = -most[0];
  range[1] = most[1];
  return most[2] == 0;
}
