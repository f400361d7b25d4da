import { useEffect } from 'react'
import { useList } from '#web/api/resources.ts'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { ppe } from '../library/ppe.ts'
import { PpePicker } from '../library/ppe-picker.web.tsx'
import { parseNumericIds } from '../statements/selection.ts'
import { type PpeItem, resolvePpeItems } from './snapshots.ts'

/** Field to choose protective equipment. Stores the IDs, and copies of the chosen items in `ppeItems`. */
export function PpeField({ field, value, onChange, readOnly, read, set }: CustomFieldProps) {
  const all = useList(ppe, { retired: false, pagination: false }).data?.['hydra:member']
  useEffect(() => {
    if (!all || readOnly) return
    const was = (read('ppeItems') ?? []) as readonly PpeItem[]
    const now = resolvePpeItems(parseNumericIds(value), all, was)
    if (JSON.stringify(now) !== JSON.stringify(was)) set('ppeItems', now)
  }, [all, value, readOnly, read, set])
  return <PpePicker label={field.label} value={value} onChange={onChange} readOnly={readOnly} />
}
