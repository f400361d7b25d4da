import { useQueryClient } from '@tanstack/react-query'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { formatLeadName, type LeadRecord } from '../contacts/data.web.ts'
import { type PersonRecord, refreshLeadPeople } from './data.web.ts'
import { contactPerson, formatPersonName } from './person.ts'

interface Props {
  readonly lead: Pick<LeadRecord, '@id' | 'id' | 'companyName' | 'name' | 'phone'>
  /** The person to edit. If there is none, the form creates a new person. */
  readonly person?: PersonRecord
  readonly opened: boolean
  readonly onClose: () => void
}

const FIELDS = ['name', 'jobTitle', 'telephone', 'mobile', 'email', 'notes'] as const

/** Form for another person at the company. */
export default function PersonDialog({ lead, person, opened, onClose }: Props) {
  const queries = useQueryClient()
  const saved = () => {
    onClose()
    void refreshLeadPeople(queries, lead.id)
  }
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={person ? formatPersonName(person) : `Add a person at ${formatLeadName(lead)}`}
      size={640}
    >
      <ResourceForm
        resource={contactPerson}
        fields={FIELDS}
        {...(person ? { record: person } : { extra: { contact: lead['@id'] } })}
        wide={['notes']}
        action={person ? 'Save' : 'Add a person'}
        onCancel={onClose}
        onSaved={saved}
      />
    </Dialog>
  )
}
