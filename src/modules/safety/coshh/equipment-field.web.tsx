import { Checkbox } from '@mantine/core'
import { useList } from '#web/api/resources.ts'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { ErrorText } from '#web/ui/error-text.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { ppe } from '../library/ppe.ts'
import css from './coshh.module.css'
import { type CoshhEquipment, parseCoshhEquipment } from './equipment.ts'

/** Form field to choose equipment that protects against substances, grouped by kind. Each item shows its standard. */
export function CoshhEquipmentField({ field, value, onChange, readOnly, error, id }: CustomFieldProps) {
  const worn = parseCoshhEquipment(value)
  const list = useList(ppe, { retired: false, isStandardCoshh: true, pagination: false })
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <LoadingRows rows={4} />
  const offered: CoshhEquipment[] = list.data['hydra:member'].map((p) => ({
    id: p.id,
    label: p.name ?? '',
    coshhValue: p.coshhValue || 'other equipment',
    standard: p.description ?? '',
    image: p.image ?? '',
  }))
  const gone = worn.filter((w) => !offered.some((o) => o.id === w.id))
  const kinds = Map.groupBy([...offered, ...gone], (o) => o.coshhValue)
  const toggle = (item: CoshhEquipment) =>
    onChange(worn.some((w) => w.id === item.id) ? worn.filter((w) => w.id !== item.id) : [...worn, item])
  return (
    <fieldset id={id} tabIndex={-1} aria-label={field.label} className={css.field}>
      <legend>{field.label}</legend>
      {error && <ErrorText>{error}</ErrorText>}
      <div className={css.kinds}>
        {[...kinds].map(([kind, items]) => (
          <div key={kind}>
            <h3>{kind}</h3>
            <div className={css.ticks}>
              {items.map((item) => (
                <Checkbox
                  key={item.id}
                  label={item.label}
                  description={item.standard}
                  checked={worn.some((w) => w.id === item.id)}
                  disabled={readOnly}
                  onChange={() => toggle(worn.find((w) => w.id === item.id) ?? item)}
                />
              ))}
            </div>
          </div>
        ))}
      </div>
    </fieldset>
  )
}
