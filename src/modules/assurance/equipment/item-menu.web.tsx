import '@mantine/core/styles/Menu.layer.css'
import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { can, canRunActionInState } from '#kernel/can.ts'
import type { ActionNameOf, Resource } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { type EquipmentItem, equipmentItem } from './item.ts'

type Step = ActionNameOf<typeof equipmentItem>

const STEPS: readonly Step[] = ['putInUse', 'putInStore', 'hire', 'sell', 'scrap', 'takeBack']
/** Fields that stay in the form after an item is added. Site and holder change by a hand-over. */
const EDITABLE = [
  'name',
  'number',
  'category',
  'maker',
  'serialNumber',
  'owner',
  'purchasedOn',
  'safeWorkingLoad',
  'hoursUsed',
  'parent',
  'notes',
] as const

interface Props {
  readonly item: EquipmentItem
  readonly onChanged: () => void
}

/** Button that changes an item, and menu that changes its lifecycle, each with its form. */
export function ItemMenu({ item, onChanged }: Props) {
  const actor = useActor()
  const [open, setOpen] = useState<Step | 'edit'>()
  const close = () => setOpen(undefined)
  const saved = () => {
    close()
    onChanged()
  }
  const steps = STEPS.filter((step) => canRunActionInState(actor, step, equipmentItem, item.lifecycle))
  const spec = open && open !== 'edit' ? equipmentItem.actions?.[open] : undefined
  const asked: Resource | undefined = spec && {
    ...equipmentItem,
    url: `${item['@id']}/${spec.path}`,
    fields: spec.input,
  }
  return (
    <>
      {can(actor, 'update', equipmentItem) && (
        <Button variant="default" onClick={() => setOpen('edit')}>
          Edit
        </Button>
      )}
      {steps.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
              Lifecycle
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {steps.map((step) => (
              <Menu.Item key={step} onClick={() => setOpen(step)}>
                {equipmentItem.actions?.[step].title}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <Dialog opened={open !== undefined} onClose={close} title={spec?.title ?? 'Edit item'}>
        {open === 'edit' && (
          <ResourceForm
            resource={equipmentItem}
            record={item}
            fields={EDITABLE}
            wide={['name', 'notes']}
            onCancel={close}
            onSaved={saved}
          />
        )}
        {asked && spec && (
          <ResourceForm
            resource={asked}
            fields={Object.keys(asked.fields)}
            wide={['reason']}
            action={spec.title}
            decided
            done={() => `${item.number} saved`}
            onCancel={close}
            onSaved={saved}
          />
        )}
      </Dialog>
    </>
  )
}
