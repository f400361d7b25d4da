import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { callApi } from '#web/api/client.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { equipmentItemPath } from '../nav.ts'
import css from './equipment.module.css'
import { FitnessChip } from './fitness-chip.web.tsx'
import { type EquipmentLabel, parseLabel } from './label.ts'

/** Public page behind the QR code of a label: number, name, fitness and next check, and nothing else. */
export default function LabelPage() {
  const { token = '' } = useParams()
  const at = `/api/safety/equipment_labels/${token}`
  const { data, error, refetch } = useQuery({
    queryKey: [at],
    queryFn: ({ signal }) => callApi<EquipmentLabel>('GET', at, undefined, { signal }),
    retry: false,
  })
  const label = parseLabel(token)
  return (
    <main className={css.label}>
      <PageTitle>{data ? `${data.number} ${data.name}` : 'Equipment'}</PageTitle>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={3} />}
      {data && (
        <Stack gap="sm" align="start">
          {data.fitness ? <FitnessChip fitness={data.fitness} /> : <Text>This item is not in service any more.</Text>}
          {data.nextCheckOn && <Text>{`Next check: ${formatIsoAsUkDate(data.nextCheckOn)}`}</Text>}
          {label && (
            <Anchor
              component={Link}
              to={`${equipmentItemPath(label.id)}?company=${label.clientId}`}
              className={css.alone ?? ''}
            >
              Sign in to record a check
            </Anchor>
          )}
        </Stack>
      )}
    </main>
  )
}
