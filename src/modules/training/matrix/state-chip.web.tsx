import type { ColourMeaning } from '#web/theme/meaning.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { describeCell } from './cell-words.ts'
import type { MatrixCell, TrainingState } from './matrix.ts'

const MEANINGS: Readonly<Record<TrainingState, ColourMeaning>> = {
  expired: 'stop',
  never: 'stop',
  due: 'attention',
  inDate: 'safe',
  notNeeded: 'plain',
}

/** Meaning of a cell's colour. Training that is needed later is no gap yet. */
export const meaningOf = ({ state, needed, dueOn }: MatrixCell, day: string): ColourMeaning =>
  state === 'never' && (!needed || (dueOn !== null && dueOn > day)) ? 'attention' : MEANINGS[state]

export const CellChip = ({ cell, day }: { readonly cell: MatrixCell; readonly day: string }) => (
  <StatusChip meaning={meaningOf(cell, day)}>{describeCell(cell, day)}</StatusChip>
)
