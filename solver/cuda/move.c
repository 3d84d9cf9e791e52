#include "move.h"

#include "mirror.h"

int gmg_device_move(gmg_context *context, const struct gmg_move *move)
{
  gmg_device_fetch(context, move->from, GMG_READ);
  gmg_device_fetch(context, move->to, GMG_CHANGE);
  return 0;
}
