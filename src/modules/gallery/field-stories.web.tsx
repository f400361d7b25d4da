import { Stack } from '@mantine/core'
import { choice, date, email, flag, integer, longText, phone, strings, text } from '#kernel/fields.ts'
import { client } from '#modules/portal/clients/client.ts'
import { DateField } from '#web/dates/date-field.tsx'
import type { DateRange } from '#web/dates/date-range.ts'
import { DateRangeField } from '#web/dates/date-range-field.tsx'
import { DateTimeField } from '#web/dates/date-time-field.tsx'
import { InPlaceEditor } from '#web/forms/edit-in-place.tsx'
import { FieldInput } from '#web/forms/field-input.tsx'
import { ComboField } from '#web/forms/inputs/combo-field.tsx'
import { EmergencyContacts } from '#web/forms/inputs/emergency-contacts.tsx'
import { type ImageCard, ImageCardPicker } from '#web/forms/inputs/image-card-picker.tsx'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { type GalleryStories, StatefulInput, Story } from './story.web.tsx'

const sign = (colour: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80"><circle cx="40" cy="40" r="36" fill="${colour}"/></svg>`)}`

const CATEGORIES = [
  { value: 'head', label: 'Head' },
  { value: 'hands', label: 'Hands' },
]
const ITEMS: readonly ImageCard[] = [
  { id: '1', name: 'Hard hat', image: sign('#005387') },
  { id: '2', name: 'Goggles', image: sign('#237f52') },
  { id: '3', name: '', image: null },
]
const nothing = () => undefined

const ImageCardStories = () => (
  <>
    <Story title="Some cards selected, one card without a name">
      <StatefulInput start={['1']}>
        {(v, set) => (
          <ImageCardPicker
            label="Protective equipment"
            categories={CATEGORIES}
            category="head"
            onCategory={nothing}
            items={ITEMS}
            value={v}
            onChange={set}
          />
        )}
      </StatefulInput>
    </Story>
    <Story title="Read-only">
      <ImageCardPicker
        label="Agreed equipment"
        categories={CATEGORIES}
        category="head"
        onCategory={nothing}
        items={ITEMS}
        value={['2']}
        onChange={nothing}
        readOnly
      />
    </Story>
    <Story title="Loading">
      <ImageCardPicker
        label="Equipment"
        categories={CATEGORIES}
        category="hands"
        onCategory={nothing}
        items={undefined}
        value={[]}
        onChange={nothing}
      />
    </Story>
  </>
)

const DECLARED = {
  name: text({ required: true, help: 'The name as it is written on the certificate.\n\nInitials are not enough.' }),
  email: email({ label: 'E-mail' }),
  telephone: phone(),
  employees: integer({ min: 0, max: 5000, help: 'Everybody on the payroll, including part-time staff.' }),
  business: choice(['Builder', 'Care home', 'Restaurant'], { required: true, label: 'Business type' }),
  tags: strings(),
  started: date({ required: true }),
  notes: longText(),
  active: flag(),
}
const FILLED: Record<string, unknown> = {
  name: 'Priya Shah',
  email: 'priya@brick.example',
  telephone: '01632 960 001',
  employees: 24,
  business: 'Builder',
  tags: ['night', 'roof'],
  started: '2026-02-28',
  notes: 'Prefers calls before nine.',
  active: true,
}

/** Simulates a save that takes a moment and can fail. */
const later = <T,>(value: T, failing = false) =>
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

/** Renders an input for each declared field. */
const Declared = ({ value, onChange, readOnly = false }: DeclaredProps) => (
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

const NO_DATE = null as string | null
const NO_RANGE: DateRange = { start: null, end: null }
const HAZARDS = ['Dust', 'Noise', 'Working at height', 'Manual handling', 'Hot works', 'Asbestos', 'Electricity']

export const stories: GalleryStories = {
  date: (
    <>
      <Story title="Empty and required">
        <StatefulInput start={NO_DATE}>
          {(v, set) => <DateField label="Review due (Required)" required value={v} onChange={set} />}
        </StatefulInput>
      </Story>
      <Story title="Filled">
        <StatefulInput start={'2026-02-28' as string | null}>
          {(v, set) => <DateField label="Start date" value={v} onChange={set} />}
        </StatefulInput>
      </Story>
      <Story title="Error">
        <DateField
          label="End date"
          value={null}
          onChange={() => undefined}
          error="Date Required, Please select a date"
        />
      </Story>
      <Story title="Read-only">
        <DateField label="Created on" value="2026-02-28" onChange={() => undefined} readOnly />
      </Story>
    </>
  ),
  'date-time': (
    <>
      <Story title="Empty">
        <StatefulInput start={NO_DATE}>
          {(v, set) => <DateTimeField label="Call back" value={v} onChange={set} />}
        </StatefulInput>
      </Story>
      <Story title="Filled, in summer time">
        <StatefulInput start={'2026-07-01T08:30:00+00:00' as string | null}>
          {(v, set) => <DateTimeField label="Visit" value={v} onChange={set} />}
        </StatefulInput>
      </Story>
    </>
  ),
  'date-range': (
    <>
      <Story title="Empty">
        <StatefulInput start={NO_RANGE}>
          {(v, set) => <DateRangeField label="Holiday" value={v} onChange={set} />}
        </StatefulInput>
      </Story>
      <Story title="End before start">
        <StatefulInput start={{ start: '2026-03-09', end: '2026-03-02' } as DateRange}>
          {(v, set) => <DateRangeField label="Project" required value={v} onChange={set} />}
        </StatefulInput>
      </Story>
    </>
  ),
  combobox: (
    <>
      <Story title="Empty">
        <StatefulInput start={[] as string[]}>
          {(v, set) => <ComboField label="Hazards" options={HAZARDS} value={v} onChange={set} />}
        </StatefulInput>
      </Story>
      <Story title="Full: a sixth value is dropped">
        <StatefulInput start={HAZARDS.slice(0, 5)}>
          {(v, set) => <ComboField label="Hazards on site" options={HAZARDS} value={v} onChange={set} required />}
        </StatefulInput>
      </Story>
      <Story title="Error">
        <ComboField
          label="Trades"
          options={[]}
          value={[]}
          onChange={() => undefined}
          error="Field required, select an option"
        />
      </Story>
      <Story title="Read-only">
        <ComboField
          label="Agreed hazards"
          options={HAZARDS}
          value={HAZARDS.slice(0, 2)}
          onChange={() => undefined}
          readOnly
        />
      </Story>
    </>
  ),
  record: (
    <>
      <Story title="Empty">
        <StatefulInput start={null as string | null}>
          {(v, set) => <RemoteSelect target={client} label="Client" value={v} onChange={set} />}
        </StatefulInput>
      </Story>
      <Story title="Filled">
        <StatefulInput start={'/api/portal/clients/1' as string | null}>
          {(v, set) => <RemoteSelect target={client} label="Account (Required)" required value={v} onChange={set} />}
        </StatefulInput>
      </Story>
    </>
  ),
  declared: (
    <>
      <Story title="Empty">
        <StatefulInput start={{} as Record<string, unknown>}>
          {(v, set) => <Declared value={v} onChange={set} />}
        </StatefulInput>
      </Story>
      <Story title="Filled, read-only">
        <Declared value={FILLED} onChange={() => undefined} readOnly />
      </Story>
    </>
  ),
  'edit-in-place': (
    <>
      <Story title="Filled, empty, read-only">
        <StatefulInput start={FILLED}>
          {(v, set) =>
            (['name', 'email', 'telephone', 'business', 'started', 'notes', 'active'] as const).map((name) => (
              <InPlaceEditor
                key={name}
                name={name}
                field={DECLARED[name]}
                value={v[name]}
                onSave={async (x) => set({ ...v, [name]: await later(x) })}
              />
            ))
          }
        </StatefulInput>
        <InPlaceEditor name="mobile" field={phone()} value="" onSave={(value) => later(value)} />
        <InPlaceEditor
          name="number"
          field={text({ readonly: true })}
          value="RA-0012"
          onSave={(value) => later(value)}
        />
      </Story>
      <Story title="Failed save that loses no input">
        <InPlaceEditor
          name="company"
          field={text({ required: true })}
          value="Brick & Sons"
          onSave={(x) => later(x, true)}
        />
      </Story>
    </>
  ),
  'emergency-contacts': (
    <>
      <Story title="Filled, with an error">
        <StatefulInput start={[{ name: 'Ann Fraser', number: '01632 960 111' }]}>
          {(v, set) => (
            <EmergencyContacts
              value={v}
              onChange={set}
              errors={[undefined, { number: 'Field required, please enter number' }]}
            />
          )}
        </StatefulInput>
      </Story>
      <Story title="Read-only">
        <EmergencyContacts
          value={[{ name: 'Ann Fraser', number: '01632 960 111' }]}
          onChange={() => undefined}
          readOnly
        />
      </Story>
    </>
  ),
  'image-cards': <ImageCardStories />,
}
