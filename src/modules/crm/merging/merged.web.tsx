import { Anchor, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { canRunActionInState } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { LeadSection } from '../calling/lead-section.web.tsx'
import { leadMerge } from './relations.ts'

type Merged = RecordOf<typeof leadMerge>
const nameOf = (lead: Merged['merged']) => lead.companyName || lead.name || `Lead ${lead.id}`

/** Leads that were merged into this one, as long as the merge can still be undone. */
export default function MergedLeads({ record: { id } }: { readonly record: { readonly id: number } }) {
  const actor = useActor()
  const queries = useQueryClient()
  const [asked, setAsked] = useState<Merged>()
  const merges = useList(leadMerge, { survivor: id, state: 'merged' }).data?.['hydra:member'] ?? []
  const now = Temporal.Now.instant()
  const open = merges.filter((m) => Temporal.Instant.compare(Temporal.Instant.from(m.until), now) > 0)
  if (!open.length) return null
  const mayUndo = (m: Merged) =>
    canRunActionInState(actor, 'undo', leadMerge, m.state) &&
    (m.author?.id === actor.userId || hasRole(actor, 'ROLE_LEADS_ADMIN'))
  const undo = async (m: Merged) => {
    await callApi('POST', `${m['@id']}/undo`)
    await queries.invalidateQueries()
    setAsked(undefined)
    toast.info('Merge undone. Later entries remain with this lead.', 'safe')
  }
  return (
    <LeadSection title="Merged into this lead">
      {open.map((m) => (
        <Text key={m.id} size="sm">
          {nameOf(m.merged)} (lead {m.merged.id}), <DateTimeText at={m.createdAt} />
          {m.author && `, by ${m.author.name}`}.{' '}
          {mayUndo(m) && (
            <Anchor component="button" type="button" size="sm" onClick={() => setAsked(m)}>
              Undo merge
            </Anchor>
          )}
        </Text>
      ))}
      <ConfirmDialog
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        onConfirm={() => asked && undo(asked)}
        title="Undo this merge?"
        question="Everything that came from the other lead will be returned to it. Later entries will remain with this lead."
        action="Undo merge"
      />
    </LeadSection>
  )
}
