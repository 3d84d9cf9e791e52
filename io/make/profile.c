#include "profile.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static void sine(double x, double frequency, double out[3])
{
  double c = frequency * pi;
  out[0] = sin(c * x);
  out[1] = c * cos(c * x);
  out[2] = -c * c * sin(c * x);
}

static void cosine(double x, double frequency, double out[3])
{
  double c = frequency * pi;
  out[0] = cos(c * x);
  out[1] = -c * sin(c * x);
  out[2] = -c * c * cos(c * x);
}

/* 2 x^6 - 6 x^5 + 5 x^4 - x^2: zero with its first derivative at 0 and 1. */
static void polynomial(double x, double unused, double out[3])
{
  (void)unused;
  out[0] = x * x * (-1 + x * x * (5 + x * (-6 + 2 * x)));
  out[1] = x * (-2 + x * x * (20 + x * (-30 + 12 * x)));
  out[2] = -2 + x * x * (60 + x * (-120 + 60 * x));
}

/* sin^13 (frequency π x): smooth enough for fourth order, periodic for even frequencies. */
static void power(double x, double frequency, double out[3])
{
  const double p = 13;
  double c = frequency * pi, s = sin(c * x), t = cos(c * x), s11 = pow(s, p - 2);
  out[0] = s11 * s * s;
  out[1] = c * p * t * s11 * s;
  out[2] = c * c * p * s11 * ((p - 1) * t * t - s * s);
}

const struct profile profile_sine = {sine, 1, 0}, profile_cosine = {cosine, 1, 0},
                     profile_polynomial = {polynomial, 0, 1}, profile_power_2 = {power, 2, 1},
                     profile_power_6 = {power, 6, 1}, profile_wave = {0, 0, 1};

void profile_at(const struct profile *profile, int axis, int periodic, double x, double out[3])
{
  if (profile->evaluate) {
    profile->evaluate(x, profile->parameter, out);
    return;
  }
  const double k = periodic ? 2 * pi : 1.7 - 0.3 * axis, phase = 0.4 + 0.5 * axis;
  out[0] = 1.3 + sin(k * x + phase);
  out[1] = k * cos(k * x + phase);
  out[2] = -k * k * sin(k * x + phase);
}
