import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import type { OutcomeRecord } from '../outcomes/data.web.ts'
import { callOutcome } from '../outcomes/outcome.ts'
import { outcomeSimulationOf } from './rehearsal.web.tsx'

const LIST = listSchema({ retired: retiredFilterSchema })

/** `7 days`, if it sets a date. */
const spanOf = ({ interval, unit }: OutcomeRecord) =>
  interval === null ? '—' : `${interval} ${interval === 1 ? unit.slice(0, -1) : unit}`
/** The keys to press. */
const keysOf = (key: number | null) => (key === null ? '—' : key < 10 ? String(key) : `0 ${key - 9}`)

/** Outcomes of calls, edited by lead administrators with a simulation. */
export default function OutcomesPage() {
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState<OutcomeRecord | 'new'>()
  const close = () => setOpen(undefined)
  const one = open === 'new' ? undefined : open
  return (
    <Page
      title="Outcomes of calls"
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
          New outcome
        </Button>
      }
    >
      <DataList
        resource={callOutcome}
        label="Outcomes of calls"
        state={state}
        onState={set}
        search={false}
        params={{ effect: ['callback', 'rest', 'clear', 'keep', 'bar', 'skip'] }}
        filters={['retired']}
        columns={[
          { key: 'text', title: 'Outcome', link: true },
          { key: 'key', title: 'Keys', tight: true, render: ({ key }) => keysOf(key) },
          { key: 'effect', title: 'Effect' },
          { key: 'interval', title: 'Interval', tight: true, render: spanOf },
          { key: 'meaning', title: 'Sales result', tight: true },
        ]}
        onOpen={setOpen}
      />
      <Dialog opened={open !== undefined} onClose={close} title={one ? (one.text ?? '') : 'New outcome'} size={760}>
        <ResourceForm
          resource={callOutcome}
          fields={one ? CHANGED : MADE}
          {...(one ? { record: one, Above: outcomeSimulationOf(one['@id']) } : {})}
          defaults={{ effect: 'rest', interval: 7, category: 'CB' }}
          decided
          onCancel={close}
          onSaved={close}
          action={one ? 'Save outcome' : 'Create outcome'}
        />
      </Dialog>
    </Page>
  )
}

const CHANGED = [
  'text',
  'key',
  'effect',
  'interval',
  'unit',
  'workingDays',
  'asks',
  'becomes',
  'owner',
  'tray',
  'notes',
  'meaning',
  'retired',
] as const
const MADE = ['text', 'category', ...CHANGED.slice(1, -1)] as const
