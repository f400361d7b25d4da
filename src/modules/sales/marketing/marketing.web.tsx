import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/Combobox.layer.css'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { businessType, leadSource } from '#modules/crm/contacts/import-batch.ts'
import { callApi, type QueryParams, queryString } from '#web/api/client.ts'
import { fetchFile, saveToDisk } from '#web/api/file.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { KeyFigures } from '#web/charts/key-figures.tsx'
import { DashboardSections } from '#web/dashboard/sections.tsx'
import { DateTimeText } from '#web/dates/relative.tsx'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import {
  MAILING_AUDIENCE_URL,
  MAILING_LIST_FORMATS,
  type MailingAudience,
  mailingList,
  mailingListFileUrl,
} from './mailing-list.ts'

const LIST = listUrlSchema({})
type MailingListRecord = RecordOf<typeof mailingList>

const keep = async (id: number) => {
  const { bytes, name } = await fetchFile(mailingListFileUrl(id))
  saveToDisk(bytes, name ?? 'mailing-list.csv')
}

/** Page for exporting mailing lists of leads who have given consent and have not opted out. */
export default function MailingListsPage() {
  const [type, setType] = useState<string | null>(null)
  const [from, setFrom] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const [state, set] = useUrlState(LIST)
  const segment: QueryParams = { businessType: type, cameFrom: from }
  const url = `${MAILING_AUDIENCE_URL}${queryString(segment)}`
  const audience = useQuery({ queryKey: [url], ...urlQueryOptions<MailingAudience>(url), refetchOnMount: 'always' })
  const file = useMutation({ mutationFn: keep, onError: (e) => toast.failed(e) })
  const found = audience.data
  return (
    <Page
      title="Mailing lists"
      about="Lists contain only leads that have consented and not opted out. Consents and opt-outs are checked again at each download."
      actions={
        <>
          <Button component={Link} to="/cms/marketing/consents" variant="default">
            Consents
          </Button>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
            New list
          </Button>
        </>
      }
    >
      <DashboardSections>
        <Group align="end" gap="md">
          <RemoteSelect label="Business type" target={businessType} value={type} onChange={setType} />
          <RemoteSelect label="Lead source" target={leadSource} value={from} onChange={setFrom} />
        </Group>
        {audience.isPending && <LoadingRows rows={2} />}
        {audience.isError && !found && <ErrorState error={audience.error} onRetry={() => void audience.refetch()} />}
        {found && (
          <KeyFigures
            all={[
              { label: 'Leads', cell: { value: found.leads }, beside: 'Not retired' },
              {
                label: 'With an e-mail address',
                cell: { value: found.withAddress },
                beside: 'Leads with a known e-mail address',
              },
              {
                label: 'Consented',
                cell: { value: found.consented, to: '/cms/marketing/consents' },
                beside: 'Consent not withdrawn',
              },
              { label: 'May be e-mailed', cell: { value: found.writable }, beside: 'Not opted out' },
            ]}
          />
        )}
        <DataList
          resource={mailingList}
          label="Lists"
          state={state}
          onState={set}
          search={false}
          empty={<EmptyState title="No lists yet">Lists appear here with their author and purpose.</EmptyState>}
          columns={[
            { key: 'name', title: 'Purpose', link: true },
            { key: 'format', title: 'Format', tight: true },
            { key: 'listed', title: 'Addresses' },
            { key: 'leftOut', title: 'Leads left out' },
            { key: 'author', title: 'Created by', tight: true },
            {
              key: 'createdAt',
              title: 'Created',
              tight: true,
              render: (l: MailingListRecord) => <DateTimeText at={l.createdAt} />,
            },
          ]}
          onOpen={(l) => file.mutate(l.id)}
          rowActions={(l) => (
            <Button
              variant="subtle"
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() => file.mutate(l.id)}
              aria-label={`Download CSV: ${l.name}`}
            >
              Download CSV
            </Button>
          )}
        />
      </DashboardSections>
      <Dialog opened={open} onClose={() => setOpen(false)} title="New list">
        {open && <Make segment={segment} found={found} onDone={() => setOpen(false)} />}
      </Dialog>
    </Page>
  )
}

function Make({
  segment,
  found,
  onDone,
}: {
  readonly segment: QueryParams
  readonly found: MailingAudience | undefined
  readonly onDone: () => void
}) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [format, setFormat] = useState<string>(MAILING_LIST_FORMATS[0].value)
  const [key] = useState(() => crypto.randomUUID())
  const make = useMutation({
    mutationFn: async () => {
      const options = { idempotencyKey: key }
      const made = await callApi<MailingListRecord>(
        'POST',
        `${mailingList.url}/make${queryString(segment)}`,
        { name, format },
        options,
      )
      await keep(made.id)
    },
    onSuccess: () => {
      toast.saved(name)
      onDone()
    },
    onSettled: () => client.invalidateQueries(),
  })
  return (
    <Stack>
      <Text>
        {found ? `${found.writable} of ${found.leads} leads are included.` : ''} The list is recorded under your name.
      </Text>
      <TextInput
        label="Purpose"
        required
        maxLength={200}
        value={name}
        onChange={(e) => setName(e.currentTarget.value)}
      />
      <Select
        label="Format"
        data={[...MAILING_LIST_FORMATS]}
        allowDeselect={false}
        value={format}
        onChange={(value) => setFormat(value ?? MAILING_LIST_FORMATS[0].value)}
      />
      {make.isError && <FormErrorText>{errorSentence(make.error)}</FormErrorText>}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button loading={make.isPending} disabled={!name.trim()} onClick={() => make.mutate()}>
          Create list
        </Button>
      </Group>
    </Stack>
  )
}
