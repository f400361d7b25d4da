import '@mantine/core/styles/Switch.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import { Anchor, Button, Switch, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { type Collection, call } from '#web/api/client.ts'
import { Moment } from '#web/dates/relative.tsx'
import { Panels } from '#web/shell/manifest/panels.tsx'
import { workAs } from '#web/shell/navigation/dialogs.ts'
import { PhoneLink } from '#web/ui/phone-link.tsx'
import { toast } from '#web/ui/toast.ts'
import { contact } from '../contacts/contact.ts'
import { type Lead, type Note, notesOptions } from '../contacts/data.web.ts'
import { referral, type sale, supported } from '../contacts/records.ts'
import Files from '../files/files.web.tsx'
import { LettersOfLead } from '../letters/of-lead.web.tsx'
import css from '../timeline/timeline.module.css'
import { Part, read } from './part.web.tsx'

/** Related records of the lead; empty sections are hidden. */
export function Records({ lead }: { readonly lead: Lead }) {
  return (
    <>
      <Panels record={lead} />
      <Supported id={lead.id} />
      {lead.client && <Client iri={lead.client} />}
      <Part title="Letters">
        <LettersOfLead lead={lead} />
      </Part>
      <Sales id={lead.id} />
      <Referrals id={lead.id} />
      <Part title="Files">
        <Files of="lead" id={lead.id} />
      </Part>
    </>
  )
}

function Supported({ id }: { readonly id: number }) {
  const queries = useQueryClient()
  const asked = read<Collection<RecordOf<typeof supported>>>(`${supported.url}?contact=${id}`)
  const on = useQuery(asked).data?.['hydra:member'][0]?.supported === true
  const set = async (value: boolean) => {
    try {
      // The GET creates the record if there is none.
      const record = await call<{ '@id': string }>('GET', `/api/crm/supported/${id}`)
      await call('PUT', record['@id'], { supported: value })
      await queries.invalidateQueries({ queryKey: asked.queryKey })
      void queries.invalidateQueries({ queryKey: notesOptions(id).queryKey })
    } catch (e) {
      toast.failed(e, () => void set(value))
    }
  }
  const spent = useQuery(read<{ minutes: number }>(`${contact.url}/${id}/minutes`)).data?.minutes ?? 0
  return (
    <>
      <Switch label="Supported client" checked={on} onChange={(e) => void set(e.currentTarget.checked)} />
      {spent > 0 && (
        <Text size="xs" c="dimmed">
          {spent} minutes in the last 12 months
        </Text>
      )}
    </>
  )
}

function Client({ iri }: { readonly iri: string }) {
  const client = useQuery(read<{ id: number; company: string }>(iri)).data
  if (!client) return null
  return (
    <Part title="Client">
      <Anchor component={Link} to={`/cms/clients?client=${client.id}`} size="sm">
        {client.company}
      </Anchor>
      <Button size="xs" variant="default" onClick={() => workAs({ id: client.id, company: client.company })}>
        Work as this client
      </Button>
    </Part>
  )
}

function Sales({ id }: { readonly id: number }) {
  type Sale = Omit<RecordOf<typeof sale>, 'user'> & Pick<Note, 'user'>
  const sales = useQuery(read<Collection<Sale>>(`${contact.url}/${id}/sales`)).data?.['hydra:member']
  if (!sales?.length) return null
  return (
    <Part title="Sales">
      {sales.map((s) => (
        <div key={s.id}>
          <Text size="sm" className={css.noteText}>
            {s.notes || s.reason || 'Sale'}
          </Text>
          <Text size="xs" c="dimmed">
            {s.user?.name} <Moment at={s.timestamp} />
          </Text>
        </div>
      ))}
    </Part>
  )
}

function Referrals({ id }: { readonly id: number }) {
  const url = `${referral.url}?contact.id=${id}&retired=false`
  const found = useQuery(read<Collection<RecordOf<typeof referral>>>(url)).data?.['hydra:member']
  if (!found?.length) return null
  return (
    <Part title="Referrals">
      {found.map((r) => (
        <Text key={r.id} size="sm">
          {[r.name, r.companyName].filter(Boolean).join(', ')} <PhoneLink number={r.telephone} who={r.name ?? ''} />
        </Text>
      ))}
    </Part>
  )
}
