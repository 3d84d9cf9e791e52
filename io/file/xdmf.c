#include "xdmf.h"

#include <string.h>

#define REALS "NumberType=\"Float\" Precision=\"8\" Format="

struct description {
  const char *solution; /* file name without folder */
  const struct problem *problem;
};

/* Text of an XML value. */
static void escaped(FILE *stream, const char *text)
{
  for (; *text; text++)
    if (*text == '&')
      fputs("&amp;", stream);
    else if (*text == '<')
      fputs("&lt;", stream);
    else if (*text == '>')
      fputs("&gt;", stream);
    else
      fputc(*text, stream);
}

/* Origin and spacing; XDMF counts z, y, x. */
static void uniform(FILE *stream, const struct problem *problem)
{
  const double *lower = problem->lower;
  double h[3];
  for (int d = 0; d < 3; d++)
    h[d] = problem_extent(problem, d) / problem->cells[d];
  fprintf(stream,
          "      <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n"
          "        <DataItem Dimensions=\"3\" " REALS "\"XML\">%.17g %.17g %.17g</DataItem>\n"
          "        <DataItem Dimensions=\"3\" " REALS "\"XML\">%.17g %.17g %.17g</DataItem>\n"
          "      </Geometry>\n",
          lower[2], lower[1], lower[0], h[2], h[1], h[0]);
}

/* Coordinates of the faces: from the solution file where they are stretched. */
static void rectilinear(FILE *stream, const struct description *description)
{
  const struct problem *problem = description->problem;
  fputs("      <Geometry GeometryType=\"VXVYVZ\">\n", stream);
  for (int d = 0; d < 3; d++) {
    int count = problem->cells[d] + 1;
    fprintf(stream, "        <DataItem Dimensions=\"%d\" " REALS "\"%s\">", count,
            problem->stretched[d] ? "HDF" : "XML");
    if (problem->stretched[d]) {
      escaped(stream, description->solution);
      fprintf(stream, ":/grid/%c", "xyz"[d]);
    } else {
      double h = problem_extent(problem, d) / problem->cells[d];
      for (int n = 0; n < count; n++)
        fprintf(stream, "%s%.17g", n ? " " : "", problem->lower[d] + n * h);
    }
    fputs("</DataItem>\n", stream);
  }
  fputs("      </Geometry>\n", stream);
}

static void write_text(const void *user, FILE *stream)
{
  const struct description *description = user;
  const struct problem *problem = description->problem;
  const int *cells = problem->cells;
  int stretched = problem->stretched[0] || problem->stretched[1] || problem->stretched[2];
  fputs("<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n  <Domain>\n    <Grid Name=\"grid\" "
        "GridType=\"Uniform\">\n",
        stream);
  fprintf(stream, "      <Topology TopologyType=\"%s\" Dimensions=\"%d %d %d\"/>\n",
          stretched ? "3DRectMesh" : "3DCoRectMesh", cells[2] + 1, cells[1] + 1, cells[0] + 1);
  if (stretched)
    rectilinear(stream, description);
  else
    uniform(stream, problem);
  fprintf(stream,
          "      <Attribute Name=\"solution\" AttributeType=\"Scalar\" Center=\"Cell\">\n"
          "        <DataItem Dimensions=\"%d %d %d\" " REALS "\"HDF\">",
          cells[2], cells[1], cells[0]);
  escaped(stream, description->solution);
  fputs(":/solution</DataItem>\n      </Attribute>\n    </Grid>\n  </Domain>\n</Xdmf>\n", stream);
}

int xdmf_write(const struct output *output, const char *solution, const struct problem *problem,
               struct failure *failure)
{
  const char *slash = strrchr(solution, '/');
  const struct description description = {slash ? slash + 1 : solution, problem};
  return output_text(output, write_text, &description, failure);
}
