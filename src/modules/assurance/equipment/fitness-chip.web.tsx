import type { ColourMeaning } from '#web/theme/meaning.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { FITNESS, type Fitness } from './item.ts'

const MEANINGS: Readonly<Record<Fitness, ColourMeaning>> = {
  'out of service': 'stop',
  overdue: 'stop',
  due: 'attention',
  'no checks': 'plain',
  fit: 'safe',
}

export const FitnessChip = ({ fitness }: { readonly fitness: Fitness }) => (
  <StatusChip meaning={MEANINGS[fitness]}>
    {FITNESS.find(({ value }) => value === fitness)?.label ?? fitness}
  </StatusChip>
)
