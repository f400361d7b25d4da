import { labelOf } from '#kernel/fields.ts'
import { MoneyInput } from '#web/forms/inputs/money-input.tsx'
import type { CustomInput } from '#web/forms/resource-form.tsx'

/** Input of a cost in pounds. */
export const CostInput: CustomInput = ({ id, name, field, value, onChange, error }) => (
  <MoneyInput
    {...(id ? { id } : {})}
    label={labelOf(name, field)}
    description={field.help}
    symbol="£"
    value={typeof value === 'number' ? value : null}
    onChange={onChange}
    error={error}
  />
)
