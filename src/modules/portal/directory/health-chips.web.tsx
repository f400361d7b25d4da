import { Group, Text } from '@mantine/core'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { HEALTH, type Trouble } from '../clients/health.ts'

interface Props {
  readonly troubles: readonly string[] | null
  /** In a row of a list: the worst alone, and how many others there are. */
  readonly short?: boolean
}

const isTrouble = (name: string): name is Trouble => name in HEALTH

/** What is the matter with a client, each in a word, the worst first; or that nothing is. */
export function HealthChips({ troubles, short = false }: Props) {
  const known = (troubles ?? []).filter(isTrouble)
  if (!known.length) return <StatusChip meaning="safe">Well</StatusChip>
  const others = known.slice(1).map((name) => HEALTH[name].words)
  return (
    <Group gap={4} wrap={short ? 'nowrap' : 'wrap'}>
      {(short ? known.slice(0, 1) : known).map((name) => (
        <StatusChip key={name} meaning={HEALTH[name].meaning}>
          {HEALTH[name].words}
        </StatusChip>
      ))}
      {short && others.length > 0 && (
        <Text size="sm" c="dimmed" title={others.join(', ')}>
          {`and ${others.length} more`}
        </Text>
      )}
    </Group>
  )
}
