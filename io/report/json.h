/* Values and members of the JSON that gmg writes. */
#ifndef GMG_IO_JSON_H
#define GMG_IO_JSON_H

#include <jansson.h>

#include "file/output.h"
#include "gmg.h"

/* A member of an object; take: the value. */
void put(json_t *object, const char *name, json_t *value);
void put_text(json_t *object, const char *name, const char *text);
void put_whole(json_t *object, const char *name, json_int_t value);
void put_flag(json_t *object, const char *name, int value);
void put_number(json_t *object, const char *name, double value);

/* null where the value is not finite: JSON knows no NaN and no infinity. */
json_t *json_number(double value);
json_t *json_three(const int *values);
/* The solver's options, by name; and the sentences of its fallbacks. */
json_t *json_options(const gmg_solver *solver);
json_t *json_fallbacks(const gmg_solver *solver);
/* Writes the document with so many digits, and lets go of it. take: root. Errors: STATUS_MACHINE.
 */
void json_write(const struct output *output, json_t *root, int digits, struct failure *failure);

#endif
