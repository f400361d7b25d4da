import '@mantine/core/styles/Combobox.layer.css'
import { Select } from '@mantine/core'
import { useNavigate, useParams } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { toText } from '#kernel/text.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { EmergencyContacts } from '#web/forms/inputs/emergency-contacts.tsx'
import { type CustomInput, ResourceForm } from '#web/forms/resource-form.tsx'
import { usePageTitle } from '#web/shell/pages/title.ts'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { employeePath, PEOPLE_PATHS } from '../nav.ts'
import { useRefreshEmployees } from '../refresh.web.ts'
import { employee } from './employee.ts'
import type { EmergencyContact } from './private-details.ts'
import { SEXES } from './sex.ts'

const GROUPS = [
  { title: 'Name and contact', fields: ['forename', 'surname', 'email', 'telephone', 'mobile'] },
  {
    title: 'Job',
    fields: ['jobtitlename', 'department', 'manager', 'site', 'payroll', 'extCStartDate', 'nation', 'isSubby', 'user'],
  },
  { title: 'Address', fields: ['address1', 'address2', 'city', 'county', 'postcode'] },
  { title: 'Personal details', fields: ['dob', 'sex'] },
  { title: 'Emergency contacts', fields: ['emergencyContacts'] },
  {
    title: 'Bank and National Insurance',
    fields: ['nationalInsuranceNumber', 'accountHolder', 'sortCode', 'accountNumber'],
  },
] as const

const SexInput: CustomInput = ({ id, value, onChange, error }) => (
  <Select
    {...(id ? { id } : {})}
    label="Sex"
    data={SEXES}
    allowDeselect={false}
    value={toText(value) || '0'}
    error={error}
    onChange={(chosen) => onChange(Number(chosen ?? 0))}
  />
)

const ContactsInput: CustomInput = ({ value, onChange }) => (
  <EmergencyContacts value={(value ?? []) as readonly EmergencyContact[]} onChange={onChange} />
)

/** All details of an employee. Without a slug, the form adds an employee. */
export default function UpdateEmployee() {
  const { slug } = useParams()
  const found = useApiRecord(employee, slug)
  usePageTitle(found.data?.name)
  if (!slug) return <EmployeeForm />
  if (found.data) return <EmployeeForm record={found.data} />
  return (
    <Page title="Employee" back={{ label: 'Employees', to: PEOPLE_PATHS.list }}>
      {found.error ? <ErrorState error={found.error} onRetry={() => void found.refetch()} /> : <LoadingRows rows={8} />}
    </Page>
  )
}

function EmployeeForm({ record }: { readonly record?: RecordOf<typeof employee> }) {
  const navigate = useNavigate()
  const refresh = useRefreshEmployees()
  const back = record
    ? { label: record.name, to: employeePath(record.id) }
    : { label: 'Employees', to: PEOPLE_PATHS.list }
  return (
    <Page title={record ? `Edit ${record.name}` : 'Add employee'} back={back}>
      <ResourceForm
        resource={employee}
        fields={GROUPS.flatMap(({ fields }) => fields)}
        groups={GROUPS}
        inputs={{ sex: SexInput, emergencyContacts: ContactsInput }}
        wide={['emergencyContacts']}
        {...(record ? { record } : {})}
        onCancel={() => void navigate(back.to)}
        onSaved={(saved) => {
          refresh()
          void navigate(employeePath(saved.id))
        }}
      />
    </Page>
  )
}
