import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { incidentSite } from '#modules/people/sites/incident-site.ts'
import { incidentFacts } from '../incident-facts.ts'
import { lookups } from '../lookups/lookup.ts'
import { incidentDepartment } from '../settings/incident-department.ts'

const { fields } = incidentFacts

type FactName = keyof typeof fields

/** Returns a form field for a report: a choice with the options of its declaration. */
const select = (name: FactName, label: string): FormField => {
  const { options = [] } = fields[name]
  return { name, kind: 'select', label, options }
}
const list = (name: FactName, label: string, of: { readonly url: string }, shown = 'description'): FormField => ({
  name,
  kind: 'remoteSelect',
  label,
  source: { url: of.url, label: shown },
})
const text = (name: FactName, label: string, more: Partial<FormField> = {}): FormField => ({
  name,
  kind: 'text',
  label,
  ...more,
})
const longText = (name: FactName, label: string, more: Partial<FormField> = {}): FormField => ({
  name,
  kind: 'longText',
  label,
  ...more,
})

const custom = (name: string, label: string, more: Partial<FormField> = {}): FormField => ({
  name,
  kind: 'custom',
  label,
  ...more,
})
/** Step with rows of the incident, which are saved immediately and not with the form. */
const rowsStep = (name: string, title: string) => ({ name, title, groups: [{ fields: [custom(name, title)] }] })

const hasPostcode = [{ watch: 'noPostcode', differs: true }]

/** Form of an entry in the accident book. */
export const incidentForm: FormSchema = {
  title: 'Incident',
  steps: [
    {
      name: 'what',
      title: 'What happened',
      groups: [
        {
          fields: [
            longText('description', 'What happened', { required: true, help: fields.description.help }),
            { name: 'datetime', kind: 'dateTime', label: 'Date and time', required: true, width: 6 },
            { ...list('incidentType', 'Kind of incident', lookups.categories, 'label'), width: 6 },
            { name: 'nearMiss', kind: 'switch', label: 'Near miss: nobody was hurt' },
            text('reportedBy', 'Reported by', { width: 6 }),
            { ...list('department', 'Department', incidentDepartment, 'name'), width: 6 },
            {
              name: 'supportDepartments',
              kind: 'combobox',
              label: 'Support departments',
              source: { url: incidentDepartment.url, label: 'name' },
            },
            text('subActivity', 'Activity', { width: 6 }),
            { ...list('workProcess', 'Work process', lookups.workProcesses, 'label'), width: 6 },
            { ...list('mainIndustry', 'Main industry', lookups.mainIndustries, 'label'), width: 6 },
          ],
        },
      ],
    },
    {
      name: 'where',
      title: 'Where',
      groups: [
        {
          fields: [
            { ...list('site', 'Site', incidentSite, 'name'), width: 6 },
            { ...select('addressType', 'Type of address'), width: 6 },
            text('internalLocation', 'Where exactly'),
            text('addressLine1', 'Address line 1', { required: true, width: 6 }),
            text('addressLine2', 'Address line 2', { width: 6 }),
            text('city', 'City', { required: true, width: 4 }),
            text('county', 'County', { required: true, width: 4 }),
            text('postcode', 'Postcode', { required: true, width: 4, when: hasPostcode }),
            { name: 'noPostcode', kind: 'switch', label: 'The place has no postcode' },
            custom('localAuthority', 'Local authority', { also: ['nation'] }),
          ],
        },
      ],
    },
    rowsStep('personnel', 'People'),
    rowsStep('dangerousOccurrences', 'Dangerous occurrences'),
    rowsStep('riskLinks', 'Risk assessments'),
    {
      name: 'investigation',
      title: 'Investigation',
      help: 'Find out why it happened, not who is to blame. You can report and save without it.',
      groups: [
        {
          fields: [
            { ...select('actualSeverity', 'Actual severity'), width: 6 },
            {
              ...select('potentialSeverity', 'Potential severity'),
              width: 6,
              help: 'The worst that could reasonably have happened.',
            },
            select('recurrence', 'Likelihood that it happens again'),
            { ...select('investigationLevel', 'Depth of the investigation'), kind: 'custom' },
            longText('immediateCauses', 'Immediate causes', {
              help: 'The unsafe acts and conditions at the time, such as a missing guard or a wet floor.',
            }),
            longText('underlyingCauses', 'Underlying causes', {
              help: 'Why these acts and conditions existed, such as a check that was skipped or pressure of time.',
            }),
            longText('rootCauses', 'Root causes', {
              help: 'Failures of planning, supervision, training or organisation behind the underlying causes.',
            }),
            longText('prevention', 'What would have prevented it'),
          ],
        },
      ],
    },
    rowsStep('correctiveActions', 'Corrective actions'),
    rowsStep('files', 'Photos and documents'),
  ],
}
