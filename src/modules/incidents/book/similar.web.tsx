import { Alert, Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Collection, callApi } from '#web/api/client.ts'
import { incidentPath } from '../reports/paths.ts'
import type { IncidentRecord } from '../reports/save-rows.web.ts'

interface SimilarReport {
  readonly '@id': string
  readonly id: number
  readonly number: string
}

/** Lists reports that may be about the same incident. People decide; nothing is merged. */
export function SimilarReports({ report }: { readonly report: IncidentRecord }) {
  const { data } = useQuery({
    queryKey: [`${report['@id']}/similar`],
    queryFn: ({ signal }) =>
      callApi<Collection<SimilarReport>>('GET', `${report['@id']}/similar`, undefined, { signal }),
    enabled: report.state !== 'draft',
  })
  const similar = data?.['hydra:member'] ?? []
  if (!similar.length) return null
  return (
    <Alert color="signal" role="status" title="This may be the same incident">
      {'About the same time and place: '}
      {similar.map(({ id, number }, place) => (
        <span key={id}>
          {place > 0 && ', '}
          <Anchor component={Link} to={incidentPath(id)}>
            {number}
          </Anchor>
        </span>
      ))}
      . If so, delete one of them with the reason “Reported twice”.
    </Alert>
  )
}
