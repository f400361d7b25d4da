import type { FormField } from './schema.ts'

/** Name of an emergency contact, as a field of its row. */
export const CONTACT_NAME_FIELD: FormField = { name: 'name', kind: 'person', label: 'Full Name' }

/** Returns the fields of each row of a field that may name people; empty for a field without rows. */
export const rowFieldsOf = ({ kind, fields = [] }: FormField): readonly FormField[] =>
  kind === 'emergencyContacts' ? [CONTACT_NAME_FIELD] : fields
