import { Alert, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { ApiError } from '#web/api/client.ts'
import { RichText } from '#web/forms/inputs/rich-text.tsx'
import type { RecordWithEtag } from '#web/forms/schema/autosave.ts'
import { ConflictDialog } from '#web/forms/schema/conflict-dialog.tsx'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { RestoredDraftNotice } from '#web/forms/schema/restored-draft.tsx'
import { SaveStatus, useAutosave } from '#web/forms/schema/saved-state.tsx'
import { SchemaForm } from '#web/forms/schema/schema-form.tsx'
import { useFormStore } from '#web/forms/schema/store.ts'
import { useFormCompletion } from '#web/forms/schema/use-form.ts'
import { ErrorText } from '#web/ui/error-text.tsx'
import { type GalleryStories, StatefulInput, Story } from './story.web.tsx'

const yes = [{ watch: 'atHeight', equals: true }]

/** A form with fields of every type and conditions that depend on other fields. */
const EVERY_KIND: FormSchema = {
  title: 'Site survey',
  steps: [
    {
      name: 'site',
      title: 'The site',
      help: 'Location of the work, and the person who asked for it.',
      groups: [
        {
          title: 'Location and dates',
          fields: [
            { name: 'project', kind: 'text', label: 'Project', required: true, help: 'The client’s name for the job.' },
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
          title: 'People',
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
      title: 'Hazards',
      groups: [
        {
          fields: [
            {
              name: 'dangers',
              kind: 'combobox',
              label: 'Hazards seen',
              required: true,
              options: ['Dust', 'Noise', 'Manual handling', 'Hot works', 'Asbestos', 'Traffic'].map((t) => ({
                value: t,
                label: t,
              })),
            },
            { name: 'atHeight', kind: 'switch', label: 'Work at height', required: true },
            { name: 'access', kind: 'longText', label: 'How people reach the work area', required: true, when: yes },
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
                { name: 'what', kind: 'text', label: 'Description', required: true, width: 6 },
                { name: 'metres', kind: 'number', label: 'Height in metres', required: true, width: 3 },
                { name: 'fragile', kind: 'checkbox', label: 'Fragile', width: 3 },
                {
                  name: 'guard',
                  kind: 'text',
                  label: 'Measures that keep people off',
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

/** Eighty fields on one page, a quarter of them with conditions, to measure how long a keystroke takes. */
const EIGHTY: FormSchema = {
  title: 'Eighty fields',
  steps: [
    {
      name: 'all',
      title: 'All fields',
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

/** Input that a module provides for a field of type `custom`. */
const Score = ({ field, value, onChange, readOnly, error }: CustomFieldProps) => (
  <fieldset style={{ border: 0, padding: 0, margin: 0 }}>
    <legend>{`${field.label} (Required)`}</legend>
    <SegmentedControl
      data={['Low', 'Medium', 'High']}
      value={typeof value === 'string' ? value : ''}
      onChange={onChange}
      disabled={readOnly}
      aria-label={field.label}
    />
    {error && <ErrorText>{error}</ErrorText>}
  </fieldset>
)

const Plans = ({ field }: CustomFieldProps) => <Text size="sm">{`${field.label}: none here`}</Text>
const CUSTOM = { score: Score }

/** The story's record, stored in the page. Reads and errors behave like those of the API. */
const kept = { record: { project: 'Depot roof', people: 6 } as Values, version: 1, online: true }
const now = async (): Promise<RecordWithEtag> => ({ record: kept.record, etag: String(kept.version) })
const keep = async (changes: Values, etag: string | null): Promise<RecordWithEtag> => {
  await new Promise((done) => setTimeout(done, 300))
  if (!kept.online) throw new ApiError(0, 'The connection was lost.')
  if (etag !== String(kept.version)) throw new ApiError(412, 'Somebody else has changed this since you opened it.')
  kept.record = { ...kept.record, ...changes }
  kept.version++
  return now()
}

function EveryKind() {
  const store = useFormStore(EVERY_KIND, kept.record)
  const [opened] = useState<RecordWithEtag>(() => ({ record: kept.record, etag: String(kept.version) }))
  const autosave = useAutosave({ key: 'example/every-kind', store, opened, save: keep, load: now })
  const [online, setOnline] = useState(true)
  const { percent } = useFormCompletion(store)
  return (
    <Stack>
      <Group justify="space-between">
        <SaveStatus autosave={autosave} />
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              kept.online = !online
              setOnline(!online)
            }}
          >
            {online ? 'Lose the connection' : 'Connect again'}
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              kept.record = { ...kept.record, project: 'Depot roof, phase 2', people: 9 }
              kept.version++
            }}
          >
            Change the project elsewhere
          </Button>
          <Button size="xs" onClick={() => store.check()}>
            {percent === 100 ? 'Complete' : `Complete (${percent}%)`}
          </Button>
        </Group>
      </Group>
      <RestoredDraftNotice autosave={autosave} />
      <ConflictDialog autosave={autosave} schema={EVERY_KIND} />
      <SchemaForm store={store} custom={CUSTOM} uploads={Plans} />
    </Stack>
  )
}

const AGREED: FormSchema = { ...EVERY_KIND, title: 'Agreed survey' }

function ReadOnly() {
  const store = useFormStore(AGREED, {
    project: 'Depot roof',
    startDate: '2026-03-02',
    people: 6,
    weather: 'wind',
    wind: 22,
    trade: 'Roofer',
    dangers: ['Dust', 'Noise'],
    atHeight: true,
    access: 'Scaffold with a stair tower.',
    notes: '<p>Asbestos cement sheets: <strong>do not walk on them</strong>.</p><ul><li><p>Crawl boards</p></li></ul>',
    heights: [{ what: 'North roof', metres: 7.5, fragile: true, guard: 'Barrier and signs' }],
  })
  return <SchemaForm store={store} custom={CUSTOM} uploads={Plans} readOnly stepIn="here" />
}

function Eighty() {
  const store = useFormStore(EIGHTY)
  return (
    <>
      <Alert color="signal" mb="md">
        Eighty inputs in one step, a quarter of them conditional. Each keystroke renders only one input.
      </Alert>
      <SchemaForm store={store} />
    </>
  )
}

const FORMATTED = '<p>Keep the gangway <strong>clear</strong>.</p><ol><li><p>Stop</p></li><li><p>Tell</p></li></ol>'

export const stories: GalleryStories = {
  'schema-form': (
    <>
      <Story title="Every kind of field, saved as it is typed">
        <EveryKind />
      </Story>
      <Story title="Read-only">
        <ReadOnly />
      </Story>
    </>
  ),
  'large-form': (
    <Story title="Eighty fields">
      <Eighty />
    </Story>
  ),
  'rich-text': (
    <>
      <Story title="Empty and required">
        <StatefulInput start="">
          {(v, set) => <RichText label="Notes (Required)" required value={v} onChange={set} />}
        </StatefulInput>
      </Story>
      <Story title="Filled, with an error">
        <StatefulInput start={FORMATTED}>
          {(v, set) => <RichText label="Method" value={v} onChange={set} error="Field required, please enter text" />}
        </StatefulInput>
      </Story>
      <Story title="Read-only">
        <RichText label="Agreed method" value={FORMATTED} onChange={() => undefined} readOnly />
      </Story>
    </>
  ),
}
