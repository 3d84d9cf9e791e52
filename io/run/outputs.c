#include "outputs.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/parallel.h"

/* Whether two paths lead to the same file. */
static int same_file(const char *a, const char *b)
{
  struct stat first, second;
  if (stat(a, &first) != 0 || stat(b, &second) != 0)
    return strcmp(a, b) == 0;
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static int name_result(const struct run_request *request, struct outputs *outputs,
                       struct failure *failure)
{
  const int stem = (int)(strrchr(request->program, '.') - request->program);
  const int length = request->output
    ? snprintf(outputs->path, PATH_MAX, "%s", request->output)
    : snprintf(outputs->path, PATH_MAX, "%.*s.result.h5", stem, request->program);
  if (length >= PATH_MAX)
    return failure_set(failure, STATUS_INPUT, "the path %.60s... is too long", outputs->path);
  return 0;
}

int outputs_name_step(const struct outputs *outputs, int step, char name[PATH_MAX],
                      struct failure *failure)
{
  char ending[40];
  snprintf(ending, sizeof ending, ".%08d.h5", step);
  return output_name(outputs->path, ending, name, PATH_MAX, failure);
}

int outputs_prepare(const struct run_request *request, struct outputs *outputs,
                    struct failure *failure)
{
  char checkpoint[PATH_MAX], series[PATH_MAX];
  const char *report = request->report;
  if (name_result(request, outputs, failure)
      || output_name(outputs->path, ".checkpoint.h5", checkpoint, sizeof checkpoint, failure)
      || output_name(outputs->path, ".xdmf", series, sizeof series, failure))
    return failure->status;
  if (same_file(outputs->path, request->program)
      || (request->input && same_file(outputs->path, request->input)))
    failure_set(failure, STATUS_INPUT, "%s is what is read; --output must name another file",
                outputs->path);
  if (report
      && (same_file(report, outputs->path) || same_file(report, request->program)
          || (request->input && same_file(report, request->input))))
    failure_set(failure, STATUS_INPUT,
                "%s is another file of the run; --report must name one of its own", report);
  if (parallel_agree(failure) || output_prepare(outputs->path, 0, &outputs->result, failure)
      || (request->checkpoint && output_prepare(checkpoint, 0, &outputs->checkpoint, failure))
      || (request->series && output_prepare(series, 0, &outputs->series, failure)))
    return failure->status;
  return report ? output_prepare(report, 1, &outputs->report, failure) : 0;
}

/* ---- XDMF ---- */

struct series {
  const struct outputs *outputs;
  const struct gmg_program_descriptor *made;
  const struct arrays_header *header;
  int every;
};

static void write_grid(FILE *stream, const struct series *series, const char *file, int step)
{
  const int *cells = series->header->cells;
  const char *slash = strrchr(file, '/');
  fprintf(stream,
          "      <Grid Name=\"step %d\" GridType=\"Uniform\">\n"
          "        <Time Value=\"%d\"/>\n"
          "        <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"%d %d %d\"/>\n"
          "        <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n"
          "          <DataItem Dimensions=\"3\" Format=\"XML\">0 0 0</DataItem>\n"
          "          <DataItem Dimensions=\"3\" Format=\"XML\">1 1 1</DataItem>\n"
          "        </Geometry>\n",
          step, step, cells[2] + 1, cells[1] + 1, cells[0] + 1);
  for (int a = 0; a < series->made->arrays; a++)
    if (series->made->array[a].age == 0)
      fprintf(stream,
              "        <Attribute Name=\"%s\" AttributeType=\"Scalar\" Center=\"Cell\">\n"
              "          <DataItem Dimensions=\"%d %d %d\" NumberType=\"Float\" Precision=\"8\" "
              "Format=\"HDF\">%s:/%s</DataItem>\n"
              "        </Attribute>\n",
              series->made->array[a].shown, cells[2], cells[1], cells[0], slash ? slash + 1 : file,
              series->made->array[a].shown);
  fputs("      </Grid>\n", stream);
}

static void write_series(const void *user, FILE *stream)
{
  const struct series *series = user;
  fputs("<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n  <Domain>\n    <Grid Name=\"series\" "
        "GridType=\"Collection\" CollectionType=\"Temporal\">\n",
        stream);
  for (int64_t step = 0; step <= series->header->step; step += series->every) {
    struct failure failure = {.status = 0};
    char file[PATH_MAX];
    if (!outputs_name_step(series->outputs, (int)step, file, &failure) && access(file, R_OK) == 0)
      write_grid(stream, series, file, (int)step);
  }
  fputs("    </Grid>\n  </Domain>\n</Xdmf>\n", stream);
}

int outputs_write_series(const struct outputs *outputs, const struct gmg_program_descriptor *made,
                         const struct arrays_header *header, int every, struct failure *failure)
{
  const struct series series = {outputs, made, header, every};
  return output_text(&outputs->series, write_series, &series, failure);
}
