import { Stack } from '@mantine/core'
import { choice, date, email, flag, integer, longText, phone, strings, text } from '#kernel/fields.ts'
import { FieldInput } from '#web/forms/field-input.tsx'

export const DECLARED = {
  name: text({ required: true, help: 'The name as it is written on the certificate.\n\nInitials are not enough.' }),
  email: email({ label: 'E-mail' }),
  telephone: phone(),
  employees: integer({ min: 0, max: 5000, help: 'Everybody on the payroll, part-time included.' }),
  business: choice(['Builder', 'Care home', 'Restaurant'], { required: true, label: 'Business type' }),
  tags: strings(),
  started: date({ required: true }),
  notes: longText(),
  active: flag(),
}
export const FILLED: Record<string, unknown> = {
  name: 'Priya Shah',
  email: 'priya@brick.example',
  telephone: '01632 960 001',
  employees: 24,
  business: 'Builder',
  tags: ['night', 'roof'],
  started: '2026-02-28',
  notes: 'Prefers to be rung before nine.',
  active: true,
}

/** A save that takes a moment, and may fail. */
export const later = <T,>(value: T, failing = false) =>
  new Promise<T>((done, fail) =>
    setTimeout(
      () => (failing ? fail('The connection was lost. What you typed is still here; please try again.') : done(value)),
      600,
    ),
  )

interface DeclaredProps {
  readonly value: Record<string, unknown>
  readonly onChange: (value: Record<string, unknown>) => void
  readonly readOnly?: boolean
}

/** An input for each of them. */
export const Declared = ({ value, onChange, readOnly = false }: DeclaredProps) => (
  <Stack>
    {Object.entries(DECLARED).map(([name, field]) => (
      <FieldInput
        key={name}
        name={name}
        field={field}
        value={value[name]}
        readOnly={readOnly}
        onChange={(x) => onChange({ ...value, [name]: x })}
      />
    ))}
  </Stack>
)
