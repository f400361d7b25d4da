import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { MAILING_LIST_ROLES } from '../rights.ts'
import { marketingConsent } from './consent.ts'

const LIST = listUrlSchema({
  how: z.enum(['', 'form', 'telephone', 'written', 'customer', 'negotiation']).default(''),
  withdrawn: z.enum(['', 'true', 'false']).default('false'),
})
type Consent = RecordOf<typeof marketingConsent>
/** Describes how a consent that is no longer in force has ended. */
const endOf = ({ withdrawnAt }: Consent) => (withdrawnAt ? 'Withdrawn' : 'Void')

/** Page with marketing consents, both current and withdrawn. */
export default function ConsentsPage() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState<Consent | 'new'>()
  const close = () => setOpen(undefined)
  return (
    <Page
      title="Consents"
      {...(hasRole(actor, MAILING_LIST_ROLES) ? { back: { to: '/cms/marketing', label: 'Mailing lists' } } : {})}
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
          New consent
        </Button>
      }
    >
      <DataList
        resource={marketingConsent}
        label="Consents"
        state={state}
        onState={set}
        search="Search by e-mail address"
        filters={['how', 'withdrawn']}
        empty={<EmptyState title="No consents yet">Consents to marketing e-mails appear here.</EmptyState>}
        columns={[
          { key: 'address', title: 'E-mail', link: true, render: (c: Consent) => c.address },
          { key: 'contact', title: 'Lead' },
          { key: 'how', title: 'How consent was given', tight: true },
          { key: 'givenOn', title: 'Given on', tight: true, render: (c: Consent) => formatIsoDateAsUk(c.givenOn) },
          {
            key: 'withdrawn',
            title: 'Status',
            tight: true,
            render: (c: Consent) => (
              <StatusChip meaning={c.withdrawn ? 'plain' : 'safe'}>{c.withdrawn ? endOf(c) : 'Given'}</StatusChip>
            ),
          },
        ]}
        onOpen={setOpen}
      />
      <Dialog opened={open !== undefined} onClose={close} title={open === 'new' ? 'New consent' : 'Consent'}>
        {open === 'new' && <ResourceForm resource={marketingConsent} onCancel={close} onSaved={close} />}
        {open && open !== 'new' && <ConsentDetails of={open} onClose={close} />}
      </Dialog>
    </Page>
  )
}

/** A consent with its evidence, and the form that withdraws it. */
export function ConsentDetails({ of, onClose }: { readonly of: Consent; readonly onClose: () => void }) {
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const withdraw = useMutation({
    mutationFn: () => callApi('POST', `${of['@id']}/withdraw`, { reason }),
    onSuccess: () => {
      toast.saved(of.address)
      onClose()
    },
    onSettled: () => client.invalidateQueries(),
  })
  return (
    <Stack>
      <Text>
        {of.address}: consent given on {formatIsoDateAsUk(of.givenOn)}. {of.evidence}
      </Text>
      {of.withdrawn ? (
        <Text>
          {endOf(of)}: {of.reason}
        </Text>
      ) : (
        <>
          <Textarea
            label="Reason for withdrawal"
            required
            autosize
            maxLength={1000}
            value={reason}
            onChange={(e) => setReason(e.currentTarget.value)}
          />
          {withdraw.isError && <FormErrorText>{errorSentence(withdraw.error)}</FormErrorText>}
          <Group justify="flex-end">
            <Button loading={withdraw.isPending} disabled={!reason.trim()} onClick={() => withdraw.mutate()}>
              Withdraw consent
            </Button>
          </Group>
        </>
      )}
    </Stack>
  )
}
