import { Alert, Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { idFromAnyIri } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { client } from '#modules/portal/clients/client.ts'
import { callApi } from '#web/api/client.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { useNow } from '#web/dates/use-now.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { useValueAt } from '#web/forms/store/use-value-store.ts'
import type { ValueStore } from '#web/forms/store/value-store.ts'
import { linkedRecordIri } from '#web/forms/values.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { siteVisit } from './site-visit.ts'

/**
 * Fills in the place, contact person and e-mail address from the selected client. Values typed by the user are not
 * replaced.
 */
function FillFromClient({ store }: { readonly store: ValueStore }) {
  const chosen = idFromAnyIri(linkedRecordIri(useValueAt(store, ['account'])) ?? '')
  const firm = useApiRecord(client, chosen).data
  const filled = useRef<Readonly<Record<string, string>>>({})
  useEffect(() => {
    if (!firm || firm.id !== chosen) return
    const { address1, address2, city, county, postcode } = firm
    const said = {
      place: [address1, address2, city, county, postcode].filter(Boolean).join(', ').slice(0, 300),
      contactName: firm.contactname ?? '',
      email: firm.contactemail ?? '',
    }
    for (const [name, value] of Object.entries(said)) {
      const now = store.get([name])
      if (!now || now === filled.current[name]) store.set([name], value)
    }
    filled.current = said
  }, [chosen, firm, store])
  return null
}

type Visit = RecordOf<typeof siteVisit>
const FIELDS = ['account', 'purpose', 'startsAt', 'minutes', 'consultant', 'place', 'contactName', 'email'] as const

/** Dialog for planning, editing, reporting on or cancelling a site visit, and for notifying the client. */
export function SiteVisitDialog({
  of,
  onClose,
}: {
  readonly of: Visit | 'new' | undefined
  readonly onClose: () => void
}) {
  const title = of === 'new' ? 'Plan a visit' : (of?.account.company ?? 'Site visit')
  return (
    <Dialog opened={of !== undefined} onClose={onClose} title={title} size={720}>
      {of === 'new' && (
        <ResourceForm
          resource={siteVisit}
          fields={FIELDS}
          Above={FillFromClient}
          action="Plan the visit"
          onCancel={onClose}
          onSaved={onClose}
        />
      )}
      {of && of !== 'new' && (of.state === 'planned' ? <Planned of={of} onClose={onClose} /> : <Over of={of} />)}
    </Dialog>
  )
}

function Over({ of }: { readonly of: Visit }) {
  return (
    <Stack gap="sm">
      <Text>
        <DateTimeText at={of.startsAt} />
        {` · ${[of.consultant?.name, of.purpose].filter(Boolean).join(' · ')}`}
      </Text>
      {of.state === 'cancelled' ? (
        <Text>{`Cancelled: ${of.reason}`}</Text>
      ) : (
        <section aria-label="Report">
          <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{of.report}</Text>
        </section>
      )}
    </Stack>
  )
}

function Planned({ of, onClose }: { readonly of: Visit; readonly onClose: () => void }) {
  const now = useNow()
  const queries = useQueryClient()
  const [what, setWhat] = useState<'finish' | 'cancel'>()
  const [words, setWords] = useState('')
  const [send, setSend] = useState(false)
  const [editing, setEditing] = useState(false)
  const act = useMutation({
    mutationFn: ({ path, body }: { path: string; body: object }) => callApi('POST', `${of['@id']}/${path}`, body),
    onSuccess: (_, { path }) => {
      if (path === 'confirm') toast.info('The e-mail is being sent')
      else toast.saved(of.purpose)
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [siteVisit.url] }),
  })
  const isToCome = Date.parse(of.startsAt) > now.epochMilliseconds
  const begin = (path: 'finish' | 'cancel') => {
    if (what !== path) {
      setWhat(path)
      setWords('')
    } else
      act.mutate({ path, body: path === 'cancel' ? { reason: words } : { report: words, send: send ? 'yes' : 'no' } })
  }
  if (editing)
    return <ResourceForm resource={siteVisit} record={of} fields={FIELDS} onCancel={onClose} onSaved={onClose} />
  return (
    <Stack gap="sm">
      <Text>
        <DateTimeText at={of.startsAt} />
        {` · ${of.minutes} minutes · ${[of.consultant?.name, of.purpose].filter(Boolean).join(' · ')}`}
      </Text>
      <Text size="sm">{[of.place, of.contactName, of.account.contacttel, of.email].filter(Boolean).join(' · ')}</Text>
      {of.confirmedAt && (
        <Text size="sm" c="dimmed">
          {'Client notified: '}
          <DateTimeText at={of.confirmedAt} />
        </Text>
      )}
      {what && (
        <Textarea
          label={what === 'cancel' ? 'Reason for cancelling' : 'Report'}
          required
          autosize
          minRows={what === 'cancel' ? 2 : 6}
          maxLength={what === 'cancel' ? 1000 : 20_000}
          value={words}
          onChange={(e) => setWords(e.currentTarget.value)}
        />
      )}
      {what === 'finish' && (
        <Checkbox
          label={of.email ? `Send this report to ${of.email}` : 'Send this report (no e-mail address entered)'}
          disabled={!of.email}
          checked={send}
          onChange={(e) => setSend(e.currentTarget.checked)}
        />
      )}
      {act.isError && <FormErrorText>{errorSentence(act.error)}</FormErrorText>}
      {isToCome && what !== 'cancel' && (
        <Alert color="blue" variant="light">
          The report can be written once the visit has started.
        </Alert>
      )}
      <Group>
        {!isToCome && (
          <Button
            loading={act.isPending}
            variant={what === 'finish' || !what ? 'filled' : 'default'}
            disabled={what === 'finish' && !words.trim()}
            onClick={() => begin('finish')}
          >
            {what === 'finish' ? 'Save the report' : 'Write the report…'}
          </Button>
        )}
        {isToCome && !what && of.email && (
          <Button loading={act.isPending} onClick={() => act.mutate({ path: 'confirm', body: {} })}>
            {of.confirmedAt ? 'Notify the client again' : 'Notify the client by e-mail'}
          </Button>
        )}
        <Button variant="default" onClick={() => setEditing(true)}>
          Edit
        </Button>
        <Button
          variant="default"
          loading={act.isPending}
          disabled={what === 'cancel' && !words.trim()}
          onClick={() => begin('cancel')}
        >
          {what === 'cancel' ? 'Cancel the visit' : 'Cancel the visit…'}
        </Button>
      </Group>
    </Stack>
  )
}
