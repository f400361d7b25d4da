import type { FormField, FormKind } from '#kernel/forms/schema.ts'
import { QUESTION_KINDS } from './edit-form.ts'

/** What fields are that versions can't add. */
const OWN: Partial<Record<FormKind, string>> = {
  richText: 'Formatted text',
  dateTime: 'A day and a time',
  combobox: 'Several of a list',
  autocomplete: 'Text with suggestions',
  remoteSelect: 'One of a list',
  imageCards: 'Pictures to choose',
  emergencyContacts: 'Names and telephone numbers',
  uploads: 'Files',
  signature: 'A signature',
  rows: 'A table',
  custom: 'An input of its own',
}

/** What a field is answered with, in words. */
export const kindWords = ({ kind }: Pick<FormField, 'kind'>): string =>
  QUESTION_KINDS.find((k) => k.value === kind)?.label ?? OWN[kind] ?? ''
