import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Collection } from '#web/api/client.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import type { TimelineNote } from '../contacts/data.web.ts'
import css from './timeline.module.css'

interface Was {
  readonly at: string
  readonly username: string
  readonly notes: string
}

/** List of a note's previous versions, latest first. */
export default function PreviousNoteVersions({ note }: { readonly note: TimelineNote }) {
  const found = useQuery({
    queryKey: [note['@id'], 'history'],
    ...urlQueryOptions<Collection<Was>>(`${note['@id']}/history`),
    staleTime: 0,
  })
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <LoadingRows rows={1} />
  const all = found.data['hydra:member']
  return (
    <section aria-label="Previous versions">
      {all.length === 0 && (
        <Text size="xs" c="dimmed">
          This note has never been changed.
        </Text>
      )}
      {all.map((was) => (
        <div key={was.at}>
          <Text size="xs" c="dimmed">
            Until <DateTimeText at={was.at} />, changed by {was.username}
          </Text>
          <Text size="sm" className={css.noteText}>
            {was.notes}
          </Text>
        </div>
      ))}
    </section>
  )
}
