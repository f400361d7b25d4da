import { Group } from '@mantine/core'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { HEALTH, type Trouble } from '../clients/health.ts'

const isTrouble = (name: string): name is Trouble => name in HEALTH

/** What is the matter with a client, each in a word; or that nothing is. */
export function HealthChips({ troubles }: { readonly troubles: readonly string[] | null }) {
  const known = (troubles ?? []).filter(isTrouble)
  if (!known.length) return <StatusChip meaning="safe">Well</StatusChip>
  return (
    <Group gap={4}>
      {known.map((name) => (
        <StatusChip key={name} meaning={HEALTH[name].meaning}>
          {HEALTH[name].words}
        </StatusChip>
      ))}
    </Group>
  )
}
