import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { labelOf } from '#kernel/fields.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { FieldValue } from '#web/forms/field-value.tsx'
import { PhoneLink } from '#web/ui/phone-link.tsx'
import css from '../people.module.css'
import { employeeRecord } from './employee-record.ts'
import { sexLabel } from './sex.ts'

const { fields } = employeeRecord
type FieldName = keyof typeof fields

interface Props {
  readonly record: RecordOf<typeof employeeRecord>
}

interface FactsProps extends Props {
  readonly names: readonly FieldName[]
  readonly none: string
  readonly children?: ReactNode
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || value === false || value === 0

/** Values with their labels. Fields without a value, and those that the reader may not see, are left out. */
function Facts({ record, names, none, children }: FactsProps) {
  const shown = names.filter((name) => !isEmpty(record[name]))
  if (!shown.length && !children)
    return (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    )
  return (
    <dl className={css.facts}>
      {shown.map((name) => (
        <Fact key={name} label={labelOf(name, fields[name])}>
          <FieldValue field={fields[name]} value={record[name]} />
        </Fact>
      ))}
      {children}
    </dl>
  )
}

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
)

export const JobFacts = ({ record }: Props) => (
  <Facts
    record={record}
    names={[
      'jobtitlename',
      'department',
      'manager',
      'site',
      'payroll',
      'extCStartDate',
      'isSubby',
      'nation',
      'leavingDate',
      'leavingReason',
      'successor',
    ]}
    none="No details of the job yet"
  />
)

export const ContactFacts = ({ record }: Props) => (
  <Facts
    record={record}
    names={['email', 'telephone', 'mobile', 'address1', 'address2', 'city', 'county', 'postcode']}
    none="No contact details yet"
  />
)

export const PersonalFacts = ({ record }: Props) => (
  <Facts record={record} names={['dob', 'age']} none="">
    <Fact label="Sex">{sexLabel(record.sex)}</Fact>
  </Facts>
)

export function EmergencyFacts({ record }: Props) {
  const contacts = (record.emergencyContacts ?? []).filter(({ name, number }) => name || number)
  return (
    <Facts record={record} names={[]} none="No emergency contacts yet">
      {contacts.length > 0 &&
        contacts.map(({ name, number }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the slots are fixed
          <Fact key={n} label={name}>
            <PhoneLink number={number} who={name} />
          </Fact>
        ))}
    </Facts>
  )
}

export const BankFacts = ({ record }: Props) => (
  <Facts
    record={record}
    names={['nationalInsuranceNumber', 'accountHolder', 'sortCode', 'accountNumber']}
    none="No bank details or National Insurance number yet"
  />
)
