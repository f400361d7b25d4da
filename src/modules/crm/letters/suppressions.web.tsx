import { Anchor, Button, SegmentedControl, Stack, Text } from '@mantine/core'
import { PersonName } from '#web/ui/people/person-name.tsx'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { emailSuppression } from '../mail/message.ts'
import { letterOptOut } from './letter.ts'

const SUPPRESSION_CHANNELS = [
  { value: 'mail', label: 'By e-mail' },
  { value: 'post', label: 'By post' },
]
const LIST = listUrlSchema({
  way: z.enum(['mail', 'post']).default('mail'),
  retired: retiredFilterSchema,
  reason: z.string().default(''),
})

type No = RecordOf<typeof emailSuppression> | RecordOf<typeof letterOptOut>

/**
 * Page of opt-outs: e-mail addresses, and leads that don't want letters by post. Authorised users can lift an opt-out
 * if they enter a reason.
 */
export default function LetterOptOutsPage() {
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState<No | 'new'>()
  const close = () => setOpen(undefined)
  const { way, reason, ...list } = state
  const ofMail = { ...list, reason }
  const byMail = way === 'mail'
  const shared = {
    label: 'Opt-outs',
    onState: set,
    onOpen: (row: No) => setOpen(row),
    rowMuted: (row: No) => row.retired === true,
  }
  return (
    <Page
      title="Opt-outs"
      about="Nobody can write to recipients who have opted out, not even in a batch. Recipients who have opted out of e-mails get no letters by post either. Recipients whose e-mails were returned can still get letters."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
          {byMail ? 'Add an e-mail address' : 'Add a lead'}
        </Button>
      }
    >
      <SegmentedControl
        data={SUPPRESSION_CHANNELS}
        value={way}
        onChange={(value) => set({ way: value as 'mail' | 'post', page: 1, order: '' })}
        aria-label="By e-mail or by post"
        style={{ alignSelf: 'start' }}
      />
      {byMail ? (
        <DataList
          key="mail"
          resource={emailSuppression}
          {...shared}
          state={ofMail}
          search="Search by e-mail address"
          searchBy="address"
          filters={['retired', 'reason']}
          columns={[
            { key: 'address', link: true, render: (row) => row.address },
            'reason',
            { key: 'detail', title: 'Reason', wide: true },
            { key: 'createdAt', title: 'Since', render: (row) => <DateTimeText at={row.createdAt} /> },
            { key: 'author', title: 'Recorded by', inCard: false },
          ]}
          empty={
            <EmptyState title="No opt-outs yet">
              An e-mail address is added when the recipient uses the unsubscribe link in an e-mail, when e-mails to the
              address are returned, or manually.
            </EmptyState>
          }
        />
      ) : (
        <DataList
          key="post"
          resource={letterOptOut}
          {...shared}
          state={list}
          search={false}
          filters={['retired']}
          columns={[
            { key: 'contact', title: 'Lead', link: true, render: leadOf },
            { key: 'detail', title: 'Reason', wide: true },
            { key: 'createdAt', title: 'Since', render: (row) => <DateTimeText at={row.createdAt} /> },
            { key: 'author', title: 'Recorded by', inCard: false },
          ]}
          empty={
            <EmptyState title="No opt-outs yet">
              Leads that have opted out of letters by post are listed here.
            </EmptyState>
          }
        />
      )}
      <Dialog opened={open !== undefined} onClose={close} title={titleOf(open, byMail)} size={560}>
        {open === 'new' && byMail && (
          <ResourceForm
            resource={emailSuppression}
            fields={['address', 'reason', 'detail']}
            onCancel={close}
            onSaved={close}
          />
        )}
        {open === 'new' && !byMail && (
          <ResourceForm resource={letterOptOut} fields={['contact', 'detail']} onCancel={close} onSaved={close} />
        )}
        {open && open !== 'new' && <OneNo row={open} onDone={close} />}
      </Dialog>
    </Page>
  )
}

const leadOf = ({ contact }: RecordOf<typeof letterOptOut>) =>
  contact?.companyName || contact?.name || `Lead ${contact?.id ?? ''}`
const calledNo = (row: No) => ('address' in row ? row.address : leadOf(row))
const titleOf = (open: No | 'new' | undefined, byMail: boolean) =>
  open && open !== 'new' ? calledNo(open) : byMail ? 'Add an e-mail opt-out' : 'Add an opt-out from letters by post'

function OneNo({ row, onDone }: { readonly row: No; readonly onDone: () => void }) {
  const actor = useActor()
  const may = hasRole(actor, 'ROLE_MAIL_ADMIN')
  const settings = {
    fields: ['liftedReason'] as const,
    extra: { retired: true },
    action: 'Lift',
    onCancel: onDone,
    onSaved: onDone,
  }
  return (
    <Stack gap="sm">
      <Text size="sm">
        {row.detail || 'Entered'}, <DateTimeText at={row.createdAt} /> by{' '}
        <PersonName username={row.author || 'system'} />.{' '}
        {'contact' in row && row.contact && (
          <Anchor component={Link} to={`/crm/contact/view/${row.contact.id}`} inherit>
            Open the lead
          </Anchor>
        )}
        {'message' in row && row.message !== null && (
          <Anchor component={Link} to={`/email/messages?message=${row.message}`} inherit>
            Open the e-mail
          </Anchor>
        )}
      </Text>
      {row.retired ? (
        <Text size="sm">Lifted: {row.liftedReason}</Text>
      ) : !may ? (
        <Text size="sm" c="dimmed">
          Mail administrators can lift this opt-out with a reason.
        </Text>
      ) : 'address' in row ? (
        <ResourceForm resource={emailSuppression} record={row} {...settings} />
      ) : (
        <ResourceForm resource={letterOptOut} record={row} {...settings} />
      )}
    </Stack>
  )
}
