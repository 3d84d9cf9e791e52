/* Functions of one coordinate, 0 … 1, whose products are the exact solutions of `gmg make`. */
#ifndef GMG_IO_PROFILE_H
#define GMG_IO_PROFILE_H

struct profile {
  void (*evaluate)(double x, double parameter, double out[3]);
  double parameter;
  int periodic; /* whether it fits periodic faces as it is */
};
extern const struct profile profile_sine, profile_cosine, profile_polynomial, profile_power_2,
  profile_power_6;
/* 1.3 + sin(…): no value or slope at the walls is zero. Fits any faces, and differs from axis to
 * axis. */
extern const struct profile profile_wave;

/* Value, first and second derivative at x, along an axis whose faces are periodic or not. */
void profile_at(const struct profile *profile, int axis, int periodic, double x, double out[3]);

#endif
