import '@mantine/core/styles/Combobox.layer.css'
import { Button, Select, Text } from '@mantine/core'
import { createContext, use } from 'react'
import { toText } from '#kernel/text.ts'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import type { FormStore } from '#web/forms/schema/store.ts'
import { useDebouncedValues } from '#web/forms/store/use-value-store.ts'
import { proposeInvestigationLevel } from './investigation-depth.ts'

export const EntryStoreContext = createContext<FormStore | undefined>(undefined)

/** Depth of the investigation, with the depth that severity and likelihood suggest. Any other may be chosen. */
export function InvestigationDepthInput(props: CustomFieldProps) {
  const store = use(EntryStoreContext)
  return store ? <DepthInput {...props} store={store} /> : null
}

function DepthInput({
  field,
  value,
  onChange,
  readOnly,
  error,
  store,
}: CustomFieldProps & { readonly store: FormStore }) {
  const proposed = proposeInvestigationLevel(useDebouncedValues(store))
  const options = (field.options ?? []).map((one) => ({ value: String(one.value), label: one.label }))
  const label = options.find((one) => one.value === proposed)?.label
  return (
    <>
      <Select
        label={field.label}
        data={options}
        value={toText(value) || null}
        onChange={onChange}
        readOnly={readOnly}
        error={error}
        clearable
      />
      <Text size="sm" mt={6} role="status">
        {label
          ? `Proposed: ${label}.`
          : 'Enter the potential severity and the likelihood, and a depth is proposed (HSG245).'}
      </Text>
      {proposed && proposed !== value && !readOnly && (
        <Button size="compact-md" variant="default" mt={6} onClick={() => onChange(proposed)}>
          Use the proposed depth
        </Button>
      )}
    </>
  )
}
