import '@mantine/core/styles/Switch.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import { Anchor, Button, Group, Switch, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { RecordPanels } from '#web/shell/manifest/panels.tsx'
import { openWorkAsDialog } from '#web/shell/navigation/dialogs.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { PhoneLink } from '#web/ui/phone-link.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import { useWasEverTrue } from '#web/ui/use-was-ever-true.ts'
import { contact, referral, type sale, supportedContact } from '../contacts/contact.ts'
import { formatLeadName, type LeadRecord, leadNotesQueryOptions, type TimelineNote } from '../contacts/data.web.ts'
import { usableEmail } from '../contacts/usable-email.ts'
import LeadFiles from '../files/files.web.tsx'
import { MAIL_STATES, mailMessage } from '../mail/message.ts'
import { MAIL_STATE_COLOURS } from '../mail/states.web.ts'
import css from '../timeline/timeline.module.css'
import { LeadSection, leadRelatedRecordsQueryOptions } from './lead-section.web.tsx'

const Compose = lazyComponent(() => import('../mail/compose.web.tsx'))
const PrintForLead = lazyComponent(() => import('../letters/for-lead.web.tsx'))

/** Recent e-mails to and from a lead, with buttons to write an e-mail or print a letter. */
function LeadMail({ lead }: { readonly lead: LeadRecord }) {
  const [writing, setWriting] = useState(false)
  const [printing, setPrinting] = useState(false)
  const [wasOpened, wasPrinting] = [useWasEverTrue(writing), useWasEverTrue(printing)]
  const found = useQuery({
    queryKey: [mailMessage.url, 'of lead', lead.id],
    ...urlQueryOptions<Collection<RecordOf<typeof mailMessage>>>(
      `${mailMessage.url}?contact=${lead.id}&itemsPerPage=5`,
    ),
  })
  return (
    <>
      {found.data?.['hydra:member'].map((m) => (
        <Group key={m.id} gap="xs">
          <Anchor component={Link} to={`/email/messages?message=${m.id}`} size="sm">
            {m.subject || 'No subject'}
          </Anchor>
          <StatusChip meaning={MAIL_STATE_COLOURS[m.state ?? ''] ?? 'plain'}>
            {MAIL_STATES.find(({ value }) => value === m.state)?.label ?? ''}
          </StatusChip>
        </Group>
      ))}
      <Group gap="xs">
        {usableEmail(lead.email) && (
          <Button size="xs" variant="default" onClick={() => setWriting(true)}>
            Write an e-mail
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => setPrinting(true)}>
          Print a letter
        </Button>
      </Group>
      {wasOpened && (
        <Suspense>
          <Compose
            to={{ ...lead, kind: 'lead', name: formatLeadName(lead) }}
            opened={writing}
            onClose={() => setWriting(false)}
          />
        </Suspense>
      )}
      {wasPrinting && (
        <Suspense>
          <PrintForLead lead={lead} opened={printing} onClose={() => setPrinting(false)} />
        </Suspense>
      )}
    </>
  )
}

/** The lead's related records. Empty sections are hidden. */
export function LeadRelatedRecords({ lead }: { readonly lead: LeadRecord }) {
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
  const asked = leadRelatedRecordsQueryOptions<Collection<RecordOf<typeof supportedContact>>>(
    `${supportedContact.url}?contact=${id}`,
  )
  const on = useQuery(asked).data?.['hydra:member'][0]?.supported === true
  const set = async (value: boolean) => {
    try {
      // This GET request creates the record if it does not exist yet.
      const record = await callApi<{ '@id': string }>('GET', `/api/crm/supported/${id}`)
      await callApi('PUT', record['@id'], { supported: value })
      await queries.invalidateQueries({ queryKey: asked.queryKey })
      void queries.invalidateQueries({ queryKey: leadNotesQueryOptions(id).queryKey })
    } catch (e) {
      toast.failed(e, () => void set(value))
    }
  }
  const spent =
    useQuery(leadRelatedRecordsQueryOptions<{ minutes: number }>(`${contact.url}/${id}/minutes`)).data?.minutes ?? 0
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
  const client = useQuery(leadRelatedRecordsQueryOptions<{ id: number; company: string }>(iri)).data
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
  const sales = useQuery(leadRelatedRecordsQueryOptions<Collection<Sale>>(`${contact.url}/${id}/sales`)).data?.[
    'hydra:member'
  ]
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
  const found = useQuery(leadRelatedRecordsQueryOptions<Collection<RecordOf<typeof referral>>>(url)).data?.[
    'hydra:member'
  ]
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
