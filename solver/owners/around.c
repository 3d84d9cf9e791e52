#include "around.h"

static void note_candidate(struct gmg_around *around, const int block[3], double coupling)
{
  int c = 0;
  while (c < around->candidates && !gmg_same_block(around->candidate[c].block, block))
    c++;
  if (c == around->candidates) {
    memcpy(around->candidate[c].block, block, sizeof around->candidate[c].block);
    around->candidate[c].coupling = 0;
    around->candidates++;
  }
  around->candidate[c].coupling += coupling;
}

static void note_near(struct gmg_around *around, const int block[3])
{
  for (int n = around->nears - 1; n >= 0; n--)
    if (gmg_same_block(around->near[n], block))
      return;
  memcpy(around->near[around->nears++], block, sizeof around->near[0]);
}

/* The steps of a number's digits (turns.h). */
static const signed char steps[27][3] = {
  {-1, -1, -1}, {0, -1, -1}, {1, -1, -1}, {-1, 0, -1}, {0, 0, -1},  {1, 0, -1}, {-1, 1, -1},
  {0, 1, -1},   {1, 1, -1},  {-1, -1, 0}, {0, -1, 0},  {1, -1, 0},  {-1, 0, 0}, {0, 0, 0},
  {1, 0, 0},    {-1, 1, 0},  {0, 1, 0},   {1, 1, 0},   {-1, -1, 1}, {0, -1, 1}, {1, -1, 1},
  {-1, 0, 1},   {0, 0, 1},   {1, 0, 1},   {-1, 1, 1},  {0, 1, 1},   {1, 1, 1}};

/* The owner of a neighbour; where there is none yet, its block. */
static void owner_of(const struct gmg_ballot *ballot, const int block[3],
                     const struct gmg_beside *beside, int elected, int owner[3])
{
  const int code = elected ? ballot->pieces.state[beside->at] & GMG_CODE : GMG_OWN_BLOCK;
  for (int d = 0; d < 3; d++) {
    const int cells = ballot->pieces.blocks->cells[d],
              at = block[d] + steps[beside->step][d] + (code >> d & 1 ? steps[beside->side][d] : 0);
    owner[d] = at < 0 ? at + cells : at < cells ? at : at - cells;
  }
}

void gmg_look_around(const struct gmg_ballot *ballot, const struct gmg_piece *piece,
                     struct gmg_around *around)
{
  const struct gmg_pieces *p = &ballot->pieces;
  const int label = gmg_label(p, piece->first);
  int cell[3], owner[3];
  around->piece = piece;
  around->count = around->candidates = around->nears = 0;
  gmg_links_cell(p->links, piece->first, cell);
  gmg_block_of(p->blocks, cell, around->block);
  gmg_block_list(p, around->block, &around->cells);
  for (int a = 0; a < around->cells.count; a++)
    if (gmg_is_of_piece(p, around->cells.at[a], label))
      around->cell[around->count++] = a;
  for (size_t n = piece->beside; n < piece[1].beside; n++) {
    const struct gmg_beside *beside = &ballot->turns.beside[n];
    const int elected = p->state[beside->at] >= GMG_ELECTED;
    if (gmg_is_unowned(p, beside->at))
      continue;
    owner_of(ballot, around->block, beside, elected, owner);
    if (elected)
      note_candidate(around, owner, beside->coupling);
    note_near(around, owner);
  }
}

void gmg_piece_owner(const struct gmg_ballot *ballot, const struct gmg_piece *piece, int owner[3])
{
  int cell[3];
  gmg_links_cell(ballot->pieces.links, piece->first, cell);
  gmg_block_owner(ballot->pieces.blocks, cell, ballot->pieces.state[piece->first] & GMG_CODE,
                  owner);
}

int gmg_may_go(const struct gmg_ballot *ballot, const struct gmg_around *around, const int to[3])
{
  const struct gmg_blocks *blocks = ballot->pieces.blocks;
  int step[3], near = gmg_step_between(blocks, around->block, to, step);
  for (int n = 0; n < around->count && near; n++)
    near = gmg_owner_code(blocks, around->cells.cell[around->cell[n]], step) >= 0;
  for (int n = 0; n < around->nears && near; n++)
    near = gmg_block_near(blocks, to, around->near[n]);
  return near;
}

void gmg_give(struct gmg_ballot *ballot, const struct gmg_around *around, const int to[3])
{
  const struct gmg_blocks *blocks = ballot->pieces.blocks;
  const size_t block = gmg_block_at(blocks, to);
  int step[3];
  gmg_step_between(blocks, around->block, to, step);
  for (int n = 0; n < around->count; n++) {
    const int cell = around->cell[n];
    unsigned char *own = &ballot->pieces.state[around->cells.at[cell]];
    *own = (unsigned char)((*own & GMG_LABEL) | GMG_ELECTED
                           | gmg_owner_code(blocks, around->cells.cell[cell], step));
  }
  ballot->pieces.held[block] += around->piece->diagonal;
  ballot->taken[block] = 1;
}
