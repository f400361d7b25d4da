import { type ComponentType, useEffect } from 'react'
import { useList } from '#web/api/resources.ts'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { ppe } from '../library/ppe.ts'
import { numericIds } from '../library/selection.ts'
import { type PpeItem, ppeItems } from './snapshots.ts'

export interface PpePickerProps {
  readonly label?: string
  readonly value: unknown
  readonly onChange: (ids: number[]) => void
  readonly readOnly?: boolean
}

interface Props extends CustomFieldProps {
  readonly Picker: ComponentType<PpePickerProps>
}

/** The field for protective equipment. Beside the ids it keeps the items as they were chosen, in `ppeItems`. */
export function PpeField({ field, value, onChange, readOnly, read, set, Picker }: Props) {
  const all = useList(ppe, { retired: false, pagination: false }).data?.['hydra:member']
  useEffect(() => {
    if (!all || readOnly) return
    const was = (read('ppeItems') ?? []) as readonly PpeItem[]
    const now = ppeItems(numericIds(value), all, was)
    if (JSON.stringify(now) !== JSON.stringify(was)) set('ppeItems', now)
  }, [all, value, readOnly, read, set])
  return <Picker label={field.label} value={value} onChange={onChange} readOnly={readOnly} />
}
