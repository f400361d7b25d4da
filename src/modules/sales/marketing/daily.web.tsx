import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { canRunActionInState } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { formatInteger } from '#kernel/text.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { type Collection, callApi, queryString } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import type { ColourMeaning } from '#web/theme/meaning.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { buildRecipientQuery, DAILY_EMAIL_STATES, dailyEmail } from './daily.ts'
import { MAILING_AUDIENCE_URL, type MailingAudience } from './mailing-list.ts'

const LIST = listUrlSchema({ state: z.string().max(20).default('') })
const FIELDS = ['subject', 'body', 'day', 'businessType', 'cameFrom'] as const
type Daily = RecordOf<typeof dailyEmail>

const STATE_COLOURS: Readonly<Record<string, ColourMeaning>> = { planned: 'info', sent: 'safe', missed: 'stop' }
const State = ({ of }: { readonly of: Daily }) => (
  <StatusChip meaning={STATE_COLOURS[of.state ?? ''] ?? 'plain'}>
    {DAILY_EMAIL_STATES.find(({ value }) => value === of.state)?.label ?? ''}
  </StatusChip>
)

/** Page with daily e-mails about ISO standards, both sent and scheduled, with the number of recipients. */
export default function DailyEmailsPage() {
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState<Daily | 'new'>()
  const close = () => setOpen(undefined)
  return (
    <Page
      title="Daily e-mail: ISO standards"
      about="Each e-mail is sent at 9 am on the chosen day to leads that have consented and not opted out, once to each address."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
          New daily e-mail
        </Button>
      }
    >
      <DataList
        resource={dailyEmail}
        label="Daily e-mails"
        state={state}
        onState={set}
        params={{ topic: 'iso' }}
        search="Search by subject"
        searchBy="subject"
        filters={['state']}
        empty={<EmptyState title="No daily e-mails yet">Write a daily e-mail, preview it and schedule it.</EmptyState>}
        columns={[
          { key: 'day', title: 'Day', tight: true, render: (d: Daily) => formatIsoDateAsUk(d.day) },
          { key: 'subject', title: 'Subject', link: true },
          { key: 'businessType', title: 'Limited to', wide: true, render: onlyOf },
          { key: 'state', title: 'Status', tight: true, render: (d: Daily) => <State of={d} /> },
          { key: 'lastEditBy', title: 'Changed by', wide: true },
        ]}
        onOpen={setOpen}
      />
      <Dialog
        opened={open !== undefined}
        onClose={close}
        title={open === 'new' ? 'New daily e-mail' : (open?.subject ?? 'Daily e-mail')}
        size={720}
      >
        {open === 'new' && <ResourceForm resource={dailyEmail} fields={FIELDS} onCancel={close} onSaved={setOpen} />}
        {open && open !== 'new' && <One key={open.id} of={open} onClose={close} />}
      </Dialog>
    </Page>
  )
}

const onlyOf = (d: Daily) => [d.businessType?.name, d.cameFrom?.name].filter(Boolean).join(', ') || 'Everybody'

function One({ of, onClose }: { readonly of: Daily; readonly onClose: () => void }) {
  const actor = useActor()
  const queries = useQueryClient()
  const [editing, setEditing] = useState(false)
  const act = useMutation({
    mutationFn: (path: string) => callApi('POST', `${of['@id']}/${path}`, {}),
    onSuccess: () => {
      toast.saved(of.subject)
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [dailyEmail.url] }),
  })
  if (editing)
    return <ResourceForm resource={dailyEmail} record={of} fields={FIELDS} onCancel={onClose} onSaved={onClose} />
  const buttons = [
    ['plan', 'Schedule', 'filled'],
    ['unplan', 'Return to draft', 'default'],
    ['cancel', 'Cancel e-mail', 'default'],
  ] as const
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <State of={of} />
        <Text size="sm">{`${formatIsoDateAsUk(of.day)} · ${onlyOf(of)}`}</Text>
      </Group>
      {of.reason && <Text size="sm">{of.reason}</Text>}
      <Looked of={of} />
      {act.isError && <FormErrorText>{errorSentence(act.error)}</FormErrorText>}
      {of.run !== null && (
        <Anchor component={Link} to={`/email/messages?run=${of.run}`}>
          View sent e-mails
        </Anchor>
      )}
      <Group>
        {buttons.map(
          ([path, words, variant]) =>
            canRunActionInState(actor, path, dailyEmail, of.state) && (
              <Button key={path} variant={variant} loading={act.isPending} onClick={() => act.mutate(path)}>
                {words}
              </Button>
            ),
        )}
        {of.state === 'draft' && (
          <Button variant="default" onClick={() => setEditing(true)}>
            Edit
          </Button>
        )}
      </Group>
    </Stack>
  )
}

interface Preview {
  readonly subject: string
  readonly body: string
  readonly missing: readonly string[]
}

/** Current number of recipients, and a preview of the e-mail for the first lead. */
function Looked({ of }: { readonly of: Daily }) {
  const { retired: _, ...narrowed } = buildRecipientQuery({
    businessType: of.businessType?.id ?? null,
    cameFrom: of.cameFrom?.id ?? null,
  })
  const url = `${MAILING_AUDIENCE_URL}${queryString(narrowed)}`
  const first = `${contact.url}${queryString({ ...narrowed, retired: false, itemsPerPage: 1 })}`
  const audience = useQuery({ queryKey: [url], ...urlQueryOptions<MailingAudience>(url) })
  const lead = useQuery({ queryKey: [first], ...urlQueryOptions<Collection<{ '@id': string }>>(first) })
  const iri = lead.data?.['hydra:member'][0]?.['@id']
  const seen = useQuery({
    queryKey: ['daily preview', of.id, of.updatedAt, iri],
    queryFn: () => callApi<Preview>('POST', '/api/email/preview', { contact: iri, subject: of.subject, body: of.body }),
    enabled: iri !== undefined,
  })
  const isPast = of.state === 'sent' || of.state === 'missed' || of.state === 'cancelled'
  return (
    <>
      {!isPast &&
        (audience.data ? (
          <Text>
            {`This e-mail would be sent to ${formatInteger(audience.data.writable)} of ${formatInteger(audience.data.leads)} leads: those that have consented and not opted out.`}
          </Text>
        ) : (
          <LoadingRows rows={1} />
        ))}
      <section aria-label="Preview">
        <Text size="sm" fw={650}>
          {seen.data?.subject ?? of.subject}
        </Text>
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {seen.data?.body ?? of.body}
        </Text>
      </section>
    </>
  )
}
