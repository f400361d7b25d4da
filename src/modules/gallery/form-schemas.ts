import type { FormField, FormSchema } from '#kernel/forms/schema.ts'

const yes = [{ watch: 'atHeight', equals: true }]

/** A form with a field of every kind, and conditions between them. */
export const EVERY_KIND: FormSchema = {
  title: 'Site survey',
  steps: [
    {
      name: 'site',
      title: 'The site',
      help: 'Where the work is, and who asked for it.',
      groups: [
        {
          title: 'Where and when',
          fields: [
            { name: 'project', kind: 'text', label: 'Project', required: true, help: 'What the client calls the job.' },
            { name: 'startDate', kind: 'date', label: 'Start date', required: true, width: 6 },
            { name: 'visitedAt', kind: 'dateTime', label: 'Visited', width: 6 },
            { name: 'people', kind: 'number', label: 'People on site', required: true, min: 1, max: 500, width: 4 },
            {
              name: 'weather',
              kind: 'select',
              label: 'Weather',
              width: 8,
              options: [
                { value: 'dry', label: 'Dry' },
                { value: 'wet', label: 'Wet' },
                { value: 'wind', label: 'Windy' },
              ],
            },
            {
              name: 'wind',
              kind: 'number',
              label: 'Wind speed (mph)',
              required: true,
              when: [{ watch: 'weather', equals: 'wind' }],
            },
          ],
        },
        {
          title: 'Who',
          fields: [
            {
              name: 'client',
              kind: 'remoteSelect',
              label: 'Client',
              width: 6,
              source: { url: '/api/portal/clients', label: 'company' },
            },
            {
              name: 'trade',
              kind: 'autocomplete',
              label: 'Trade',
              required: true,
              width: 6,
              options: ['Roofer', 'Joiner', 'Electrician', 'Groundworker'].map((t) => ({ value: t, label: t })),
            },
          ],
        },
      ],
    },
    {
      name: 'dangers',
      title: 'Dangers',
      groups: [
        {
          fields: [
            {
              name: 'dangers',
              kind: 'combobox',
              label: 'Dangers seen',
              required: true,
              options: ['Dust', 'Noise', 'Manual handling', 'Hot works', 'Asbestos', 'Traffic'].map((t) => ({
                value: t,
                label: t,
              })),
            },
            { name: 'atHeight', kind: 'switch', label: 'Work at height', required: true },
            { name: 'access', kind: 'longText', label: 'How people get up there', required: true, when: yes },
            { name: 'notes', kind: 'richText', label: 'Notes', help: 'Text from a word processor can be pasted here.' },
            {
              name: 'ppe',
              kind: 'imageCards',
              label: 'Protective equipment',
              source: { url: '/api/safety/available_ppes', label: 'label' },
            },
          ],
        },
      ],
    },
    {
      name: 'heights',
      title: 'Work at height',
      when: yes,
      groups: [
        {
          fields: [
            {
              name: 'heights',
              kind: 'rows',
              label: 'Place',
              add: 'Add a place',
              required: true,
              max: 20,
              fields: [
                { name: 'what', kind: 'text', label: 'What', required: true, width: 6 },
                { name: 'metres', kind: 'number', label: 'Height in metres', required: true, width: 3 },
                { name: 'fragile', kind: 'checkbox', label: 'Fragile', width: 3 },
                {
                  name: 'guard',
                  kind: 'text',
                  label: 'What keeps people off it',
                  required: true,
                  when: [{ watch: 'fragile', equals: true }],
                },
              ],
            },
          ],
        },
      ],
    },
    {
      name: 'end',
      title: 'In an emergency',
      groups: [
        {
          fields: [
            { name: 'emergencyContact', kind: 'emergencyContacts', label: 'Emergency contacts', required: true },
            { name: 'plans', kind: 'uploads', label: 'Plans and photographs' },
            { name: 'score', kind: 'custom', label: 'Overall risk', required: true },
            { name: 'agreed', kind: 'checkbox', label: 'I have walked the whole site', required: true },
          ],
        },
      ],
    },
  ],
}

const KINDS: readonly Pick<FormField, 'kind' | 'options'>[] = [
  { kind: 'text' },
  { kind: 'number' },
  { kind: 'date' },
  { kind: 'longText' },
  { kind: 'select', options: ['Yes', 'No', 'Not known'].map((t) => ({ value: t, label: t })) },
  { kind: 'switch' },
  { kind: 'autocomplete', options: ['Leeds', 'York', 'Hull'].map((t) => ({ value: t, label: t })) },
  { kind: 'text' },
]

/** Eighty fields in one step, a quarter of them under conditions: for measuring a keystroke. */
export const EIGHTY: FormSchema = {
  title: 'Eighty fields',
  steps: [
    {
      name: 'all',
      title: 'All of them',
      groups: Array.from({ length: 10 }, (_, g) => ({
        title: `Part ${g + 1}`,
        fields: KINDS.map((k, i) => ({
          ...k,
          name: `f${g * 8 + i}`,
          label: `Field ${g * 8 + i + 1}`,
          width: 6 as const,
          required: i % 2 === 0,
          ...(i % 4 === 3 ? { when: [{ watch: `f${g * 8}`, differs: 'hide' }] } : {}),
        })),
      })),
    },
  ],
}
