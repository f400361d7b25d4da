import { Text } from '@mantine/core'
import { useState } from 'react'
import { idFromAnyIri } from '#kernel/iri.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import { FieldInput } from '#web/forms/field-input.tsx'
import { type CustomInput, ResourceForm } from '#web/forms/resource-form.tsx'
import { useValueAt } from '#web/forms/store/use-value-store.ts'
import { linkedRecordIri } from '#web/forms/values.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { createFileInput } from '#web/uploads/file-input.tsx'
import { equipmentCategory } from './category.ts'
import { type RequiredCheck, requiredCheck } from './check.ts'
import { describeInterval } from './intervals.ts'
import { type EquipmentItem, equipmentFile } from './item.ts'

/** Input of the category, with its usual interval and the law or guidance for it. */
const CategoryInput: CustomInput = (props) => {
  const iri = linkedRecordIri(useValueAt(props.store, ['category']))
  const category = useApiRecord(equipmentCategory, iri ? idFromAnyIri(iri) : undefined).data
  const every = category?.intervalMonths ?? category?.intervalDays
  return (
    <>
      <FieldInput {...props} />
      {category && (
        <Text size="sm" c="dimmed">
          {[
            category.checkName,
            every && describeInterval({ every, unit: category.intervalMonths ? 'months' : 'days' }),
            category.reference,
            category.notes,
          ]
            .filter(Boolean)
            .join('. ')}
        </Text>
      )}
    </>
  )
}

const INPUTS = { category: CategoryInput }

interface Props {
  readonly item: EquipmentItem
  /** Required check to change; undefined to add one. */
  readonly record?: RequiredCheck | undefined
  readonly onClose: () => void
  readonly onSaved: () => void
}

/** Adds or changes a check that an item needs. */
export default function RequiredCheckDialog({ item, record, onClose, onSaved }: Props) {
  const [scheme] = useState(() =>
    createFileInput({ label: 'Examination scheme', to: `${item['@id']}/files`, resource: equipmentFile }),
  )
  const common = ['name', 'every', 'unit', 'counted', 'startsOn', 'form', 'scheme'] as const
  return (
    <Dialog opened onClose={onClose} title={record ? `Change: ${record.name}` : 'Add a required check'}>
      <ResourceForm
        resource={requiredCheck}
        fields={record ? [...common, 'retired'] : ['category', ...common]}
        {...(record ? { record } : { defaults: { startsOn: londonToday() }, extra: { item: item['@id'] } })}
        inputs={{ ...INPUTS, scheme }}
        wide={['category', 'name', 'scheme']}
        onCancel={onClose}
        onSaved={() => {
          onSaved()
          onClose()
        }}
      />
    </Dialog>
  )
}
