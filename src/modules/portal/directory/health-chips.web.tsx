import { Group, Text } from '@mantine/core'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { CLIENT_PROBLEMS, type ClientProblem } from '../clients/health.ts'

interface Props {
  readonly troubles: readonly string[] | null
  /** Shows only the worst problem and the number of others, for list rows. */
  readonly short?: boolean
}

const isTrouble = (name: string): name is ClientProblem => name in CLIENT_PROBLEMS

/** Problems of a client, worst first, or “Healthy”. */
export function ClientHealthChips({ troubles, short = false }: Props) {
  const known = (troubles ?? []).filter(isTrouble)
  if (!known.length) return <StatusChip meaning="safe">Healthy</StatusChip>
  const others = known.slice(1).map((name) => CLIENT_PROBLEMS[name].words)
  return (
    <Group gap={4} wrap={short ? 'nowrap' : 'wrap'}>
      {(short ? known.slice(0, 1) : known).map((name) => (
        <StatusChip key={name} meaning={CLIENT_PROBLEMS[name].meaning}>
          {CLIENT_PROBLEMS[name].words}
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
