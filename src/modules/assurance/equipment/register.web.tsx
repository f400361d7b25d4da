import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { useActor } from '#web/api/me.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { assuranceNav, equipmentItemPath } from '../nav.ts'
import { equipmentCheck } from './check.ts'
import { FitnessChip } from './fitness-chip.web.tsx'
import { type EquipmentItem, equipmentItem, isPresent } from './item.ts'

const value = z.string().default('')
const LIST = listUrlSchema({ fitness: value, lifecycle: value, category: value, site: value, holder: value })

const FIELDS = [
  'name',
  'number',
  'category',
  'maker',
  'serialNumber',
  'owner',
  'site',
  'holder',
  'purchasedOn',
  'safeWorkingLoad',
  'hiredFrom',
  'hiredUntil',
  'hoursUsed',
  'parent',
  'notes',
] as const

/** Equipment register: the items of the company, with their fitness and next check. */
export default function EquipmentRegister() {
  const actor = useActor()
  const navigate = useNavigate()
  const [state, set] = useUrlState(LIST)
  const [adding, setAdding] = useState(false)
  const add = can(actor, 'create', equipmentItem) && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      New item
    </Button>
  )
  return (
    <Page
      title="Equipment"
      about="Items with their checks. Fitness follows from checks and defects: a failed check takes an item out of service, and only a passed one returns it."
      actions={
        <>
          {add}
          {can(actor, 'create', equipmentCheck) && (
            <Button component={Link} variant="default" to={`${assuranceNav.equipment.path}/batch`}>
              Batch check
            </Button>
          )}
        </>
      }
    >
      <DataList
        resource={equipmentItem}
        label="Equipment"
        state={state}
        onState={set}
        search="Search number, name, maker or serial number"
        filters={['fitness', 'lifecycle', 'category', 'site', 'holder']}
        columns={[
          { key: 'number', link: true },
          'name',
          { key: 'fitness', render: (one: EquipmentItem) => <FitnessChip fitness={one.fitness} /> },
          { key: 'nextCheckOn', render: (one: EquipmentItem) => one.nextCheckOn && formatIsoAsUkDate(one.nextCheckOn) },
          { key: 'lifecycle', wide: true },
          { key: 'site', wide: true },
          { key: 'holder', wide: true },
        ]}
        onOpen={({ id }) => void navigate(equipmentItemPath(id))}
        rowMuted={({ lifecycle }) => !isPresent(lifecycle)}
        nothing={
          <EmptyState title="No equipment yet" action={add}>
            Add an item with its category. Its usual check is added with it.
          </EmptyState>
        }
      />
      <Dialog opened={adding} onClose={() => setAdding(false)} title="New item">
        <ResourceForm
          resource={equipmentItem}
          fields={FIELDS}
          wide={['name', 'notes']}
          onCancel={() => setAdding(false)}
          onSaved={() => setAdding(false)}
        />
      </Dialog>
    </Page>
  )
}
