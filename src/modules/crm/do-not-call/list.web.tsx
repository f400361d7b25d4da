import { Button, Group, Stack, Switch, Text } from '@mantine/core'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { formatPhoneNumber } from '#web/ui/phone.ts'
import '@mantine/core/styles/Switch.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import { IconPlus, IconUpload } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { canRunActionInState } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { useList, useSaveRecord } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { callSettings, doNotCallNumber } from './do-not-call.ts'

const ScreeningDialog = lazyComponent(() => import('./screening.web.tsx'))

const LIST = listUrlSchema({
  state: z.enum(['', 'in force', 'lifted']).default('in force'),
  source: z.enum(['', 'objection', 'TPS', 'CTPS']).default(''),
})
type Barred = RecordOf<typeof doNotCallNumber>

/**
 * List of do-not-call numbers, with who opted out and when, and the results from the registers. Exports of the list
 * serve as evidence.
 */
export default function DoNotCallPage() {
  const actor = useActor()
  const [state, setState] = useUrlState(LIST)
  const [open, setOpen] = useState<Barred | 'new' | 'screening'>()
  const close = () => setOpen(undefined)
  const isAdmin = hasRole(actor, 'ROLE_LEADS_ADMIN')
  return (
    <Page
      title="Do not call"
      about="A number on this list is blocked on every lead that has the number, now or later. Lifted entries remain as evidence."
      actions={
        <Group gap="xs">
          {isAdmin && (
            <Button
              variant="default"
              leftSection={<IconUpload size={16} aria-hidden />}
              onClick={() => setOpen('screening')}
            >
              TPS and CTPS results
            </Button>
          )}
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
            Add a number
          </Button>
        </Group>
      }
    >
      <DataList
        resource={doNotCallNumber}
        label="Do-not-call numbers"
        state={state}
        onState={setState}
        filters={['state', 'source']}
        empty={
          <EmptyState title="No do-not-call numbers yet">
            Numbers are added by the outcome “Dead”, by “Do not call” on a lead, manually, or by importing TPS and CTPS
            results.
          </EmptyState>
        }
        columns={[
          { key: 'number', link: true, render: (row: Barred) => formatPhoneNumber(row.number) },
          'source',
          { key: 'reason', wide: true },
          'author',
          'createdAt',
          'state',
          { key: 'liftedReason', inCard: false },
        ]}
        onOpen={setOpen}
      />
      <Dialog opened={open === 'new'} onClose={close} title="Add a do-not-call number">
        <ResourceForm resource={doNotCallNumber} fields={['number', 'reason']} onCancel={close} onSaved={close} />
      </Dialog>
      <Dialog
        opened={typeof open === 'object'}
        onClose={close}
        title={typeof open === 'object' ? formatPhoneNumber(open.number) : ''}
      >
        {typeof open === 'object' && <OneNumber row={open} onDone={close} />}
      </Dialog>
      <Dialog opened={open === 'screening'} onClose={close} title="TPS and CTPS results">
        <Suspense>
          <Screens />
          <ScreeningDialog onDone={close} />
        </Suspense>
      </Dialog>
    </Page>
  )
}

function OneNumber({ row, onDone }: { readonly row: Barred; readonly onDone: () => void }) {
  const actor = useActor()
  return (
    <Stack>
      <Text>
        {row.reason}, recorded <DateTimeText at={row.createdAt} /> by <PersonName username={row.author || 'system'} />
        {row.contact && (
          <>
            {' on '}
            <Link to={`/crm/contact/view/${row.contact.id}`}>
              {row.contact.companyName || row.contact.name || `lead ${row.contact.id}`}
            </Link>
          </>
        )}
        .
      </Text>
      {row.liftedAt && (
        <Text>
          Lifted <DateTimeText at={row.liftedAt} /> by <PersonName username={row.liftedBy || 'system'} />:{' '}
          {row.liftedReason}
        </Text>
      )}
      {canRunActionInState(actor, 'lift', doNotCallNumber, row.state) ? (
        <ResourceForm resource={doNotCallNumber} record={row} action="lift" onCancel={onDone} onSaved={onDone} />
      ) : (
        row.state === 'in force' && (
          <Text size="sm" c="dimmed">
            Only a lead administrator can lift this entry.
          </Text>
        )
      )}
    </Stack>
  )
}

/** Switch that sets whether the provider screens numbers. */
function Screens() {
  const settings = useList(callSettings)
  const save = useSaveRecord(callSettings)
  const row = settings.data?.['hydra:member'][0]
  const set = async (screens: boolean) => {
    try {
      await save.mutateAsync({ ...(row ? { id: row.id } : {}), values: { screens } })
    } catch (e) {
      toast.failed(e, () => void set(screens))
    }
  }
  return (
    <Switch
      mb="md"
      label={callSettings.fields.screens.label}
      description={`If this is on, UK numbers can’t be called unless they were checked within the last ${row?.screeningDays ?? 28} days.`}
      checked={row?.screens !== false}
      disabled={!settings.data}
      onChange={(e) => void set(e.currentTarget.checked)}
    />
  )
}
