import { Anchor, Button, SegmentedControl, Text } from '@mantine/core'
import { IconPinned } from '@tabler/icons-react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useQueuedRequestsForUrl } from '#web/offline/outbox/outbox.ts'
import { LazyQueuedRequestList } from '#web/offline/screens/queued-requests.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { contact } from '../contacts/contact.ts'
import { earlierNotesQueryOptions, leadNotesQueryOptions, NOTES_PAGE_SIZE } from '../contacts/data.web.ts'
import { buildTimeline, TIMELINE_SCOPES, type TimelineEntry, type TimelineScope } from './entries.web.ts'
import { NoteItem } from './note.web.tsx'
import css from './timeline.module.css'

interface Props {
  readonly id: number
  /**
   * Callback that opens the full timeline. If it is set, only the latest notes are shown, with a link to the others.
   */
  readonly all?: () => void
}

const COLLAPSED_ENTRIES = 3

/** A lead's timeline, newest first, with pinned notes at the top. */
export function LeadTimeline({ id, all }: Props) {
  const [scope, setScope] = useState<TimelineScope>('all')
  const notes = useQuery(leadNotesQueryOptions(id))
  const [earlier, setEarlier] = useState(0)
  const pages = useQueries({ queries: Array.from({ length: earlier }, (_, i) => earlierNotesQueryOptions(id, i + 2)) })
  const last = pages.at(-1) ?? notes
  // Removes repeated notes: a note added between two requests moves the last note of one page to the next page.
  const known = new Map([notes, ...pages].flatMap(({ data }) => data ?? []).map((n) => [n.id, n]))
  const kept = useQueuedRequestsForUrl(`${contact.url}/${id}`)
  const found = buildTimeline([...known.values()], scope)
  const { pinned } = found
  const rest = all ? found.rest.slice(0, COLLAPSED_ENTRIES) : found.rest
  return (
    <div className={css.timeline}>
      {!all && (
        <SegmentedControl
          size="xs"
          aria-label="Timeline filter"
          data={Object.entries(TIMELINE_SCOPES).map(([value, label]) => ({ value, label }))}
          value={scope}
          onChange={(v) => setScope(v as TimelineScope)}
        />
      )}
      {notes.isPending && notes.fetchStatus !== 'paused' && <LoadingRows rows={4} height={72} />}
      {notes.isError && !notes.data && <ErrorState error={notes.error} onRetry={() => void notes.refetch()} />}
      <LazyQueuedRequestList requests={kept} label="Entries not in the timeline yet" />
      {pinned.length > 0 && (
        <section aria-label="Pinned">
          <Text size="sm" fw={650} className={css.pinnedTitle}>
            <IconPinned size={16} aria-hidden /> Pinned
          </Text>
          <Entries entries={pinned} lead={id} />
        </section>
      )}
      <Entries entries={rest} lead={id} />
      {all && found.rest.length > COLLAPSED_ENTRIES && (
        <Anchor component="button" type="button" size="sm" onClick={all}>
          All {notes.data?.length} notes
        </Anchor>
      )}
      {!all && (last.isFetching ? earlier > 0 : (last.data?.length ?? 0) >= NOTES_PAGE_SIZE) && (
        <Button variant="default" size="xs" loading={last.isFetching} onClick={() => setEarlier(earlier + 1)}>
          Show earlier notes
        </Button>
      )}
      {pages.some(({ isError }) => isError) && (
        <ErrorState error={last.error} onRetry={() => void pages.at(-1)?.refetch()} />
      )}
      {notes.data && kept.length + pinned.length + rest.length === 0 && (
        <EmptyState title={scope === 'history' ? 'No changes yet' : 'No notes yet'}>
          {scope === 'history' ? 'Changes to the details appear here.' : 'Notes and outcomes appear here.'}
        </EmptyState>
      )}
    </div>
  )
}

const Entries = ({ entries, lead }: { readonly entries: readonly TimelineEntry[]; readonly lead: number }) => (
  <ul className={css.entries}>
    {entries.map((e) => (
      <li key={e.id}>
        <NoteItem entry={e} lead={lead} />
      </li>
    ))}
  </ul>
)
