import '@mantine/core/styles/Switch.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import { Anchor, Button, Switch, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { RecordPanels } from '#web/shell/manifest/panels.tsx'
import { openWorkAsDialog } from '#web/shell/navigation/dialogs.ts'
import { PhoneLink } from '#web/ui/phone-link.tsx'
import { toast } from '#web/ui/toast.ts'
import { contact } from '../contacts/contact.ts'
import { type LeadRecord, leadNotesOptions, type TimelineNote } from '../contacts/data.web.ts'
import { referral, type sale, supportedContact } from '../contacts/records.ts'
import LeadFiles from '../files/files.web.tsx'
import { LeadMail } from '../letters/of-lead.web.tsx'
import css from '../timeline/timeline.module.css'
import { LeadSection, leadPartOptions } from './part.web.tsx'

/** Related records of the lead; empty sections are hidden. */
export function LeadRecords({ lead }: { readonly lead: LeadRecord }) {
  return (
    <>
      <RecordPanels record={lead} />
      <Supported id={lead.id} />
      {lead.client && <Client iri={lead.client} />}
      <LeadSection title="Letters">
        <LeadMail lead={lead} />
      </LeadSection>
      <Sales id={lead.id} />
      <Referrals id={lead.id} />
      <LeadSection title="Files">
        <LeadFiles of="lead" id={lead.id} />
      </LeadSection>
    </>
  )
}

function Supported({ id }: { readonly id: number }) {
  const queries = useQueryClient()
  const asked = leadPartOptions<Collection<RecordOf<typeof supportedContact>>>(`${supportedContact.url}?contact=${id}`)
  const on = useQuery(asked).data?.['hydra:member'][0]?.supported === true
  const set = async (value: boolean) => {
    try {
      // The GET creates the record if there is none.
      const record = await callApi<{ '@id': string }>('GET', `/api/crm/supported/${id}`)
      await callApi('PUT', record['@id'], { supported: value })
      await queries.invalidateQueries({ queryKey: asked.queryKey })
      void queries.invalidateQueries({ queryKey: leadNotesOptions(id).queryKey })
    } catch (e) {
      toast.failed(e, () => void set(value))
    }
  }
  const spent = useQuery(leadPartOptions<{ minutes: number }>(`${contact.url}/${id}/minutes`)).data?.minutes ?? 0
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
  const client = useQuery(leadPartOptions<{ id: number; company: string }>(iri)).data
  if (!client) return null
  return (
    <LeadSection title="Client">
      <Anchor component={Link} to={`/cms/clients?client=${client.id}`} size="sm">
        {client.company}
      </Anchor>
      <Button size="xs" variant="default" onClick={() => openWorkAsDialog({ id: client.id, company: client.company })}>
        Work as this client
      </Button>
    </LeadSection>
  )
}

function Sales({ id }: { readonly id: number }) {
  type Sale = Omit<RecordOf<typeof sale>, 'user'> & Pick<TimelineNote, 'user'>
  const sales = useQuery(leadPartOptions<Collection<Sale>>(`${contact.url}/${id}/sales`)).data?.['hydra:member']
  if (!sales?.length) return null
  return (
    <LeadSection title="Sales">
      {sales.map((s) => (
        <div key={s.id}>
          <Text size="sm" className={css.noteText}>
            {s.notes || s.reason || 'Sale'}
          </Text>
          <Text size="xs" c="dimmed">
            {s.user?.name} <DateTimeText at={s.timestamp} />
          </Text>
        </div>
      ))}
    </LeadSection>
  )
}

function Referrals({ id }: { readonly id: number }) {
  const url = `${referral.url}?contact.id=${id}&retired=false`
  const found = useQuery(leadPartOptions<Collection<RecordOf<typeof referral>>>(url)).data?.['hydra:member']
  if (!found?.length) return null
  return (
    <LeadSection title="Referrals">
      {found.map((r) => (
        <Text key={r.id} size="sm">
          {[r.name, r.companyName].filter(Boolean).join(', ')} <PhoneLink number={r.telephone} who={r.name ?? ''} />
        </Text>
      ))}
    </LeadSection>
  )
}
