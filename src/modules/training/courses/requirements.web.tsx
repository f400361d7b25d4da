import '@mantine/core/styles/Combobox.layer.css'
import { Autocomplete, Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { toText } from '#kernel/text.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import { FieldInput } from '#web/forms/field-input.tsx'
import { type CustomInput, ResourceForm } from '#web/forms/resource-form.tsx'
import { useValueAt } from '#web/forms/store/use-value-store.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { trainee } from '../matrix/matrix.ts'
import { REQUIREMENT_SCOPES, trainingRequirement } from './course.ts'

const value = z.string().default('')
const LIST = listUrlSchema({
  course: value,
  scope: value,
  reason: value,
  ended: z.enum(['', 'true', 'false']).default('false'),
})

type Requirement = RecordOf<typeof trainingRequirement>

/** Values that belong to one kind of requirement, and are emptied with it. */
const NOBODY = { jobtitlename: '', department: null, site: null, employee: null }
/** Most people whose job titles are suggested. */
const SUGGESTED = 200

/** Returns the input of a field that belongs to one value of another field. */
const inputOf =
  (name: string, wanted: string, Input: CustomInput = FieldInput): CustomInput =>
  (props) =>
    useValueAt(props.store, [name]) === wanted ? <Input {...props} /> : null

const JobTitleInput: CustomInput = ({ value: title, onChange, error }) => {
  const people = useList(trainee, { retired: 'false', itemsPerPage: SUGGESTED }).data?.['hydra:member'] ?? []
  const titles = [...new Set(people.map(({ jobtitlename }) => jobtitlename?.trim() ?? '').filter(Boolean))]
  return (
    <Autocomplete
      label="Job title"
      required
      data={titles.toSorted()}
      value={toText(title)}
      error={error}
      onChange={onChange}
    />
  )
}

const INPUTS: Readonly<Record<string, CustomInput>> = {
  scope: (props) => <FieldInput {...props} onChange={(scope) => props.set({ ...NOBODY, scope })} />,
  reason: (props) => <FieldInput {...props} onChange={(reason) => props.set({ duty: null, reason })} />,
  jobtitlename: inputOf('scope', 'jobTitle', JobTitleInput),
  department: inputOf('scope', 'department'),
  site: inputOf('scope', 'site'),
  employee: inputOf('scope', 'person'),
  duty: inputOf('reason', 'duty'),
}

/** Returns who needs the course, in words. */
const whoNeeds = ({ scope, jobtitlename, department, site, employee }: Requirement): string =>
  jobtitlename ||
  (department?.name ?? site?.name ?? employee?.name) ||
  (REQUIREMENT_SCOPES.find((one) => one.value === scope)?.label ?? scope)

/** Requirements: the people, the course, the first day and the reason. */
export default function TrainingRequirements() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState<Requirement | 'new'>()
  const close = () => setOpen(undefined)
  const add = can(actor, 'create', trainingRequirement) && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
      New requirement
    </Button>
  )
  return (
    <Page
      title="Requirements"
      about="Who needs which course, and why. A requirement does not change, so that past days stay as they were: end it and add another."
      actions={add}
    >
      <DataList
        resource={trainingRequirement}
        label="Requirements"
        state={state}
        onState={set}
        search={false}
        filters={['course', 'scope', 'reason', 'ended']}
        columns={[
          { key: 'course', title: 'Course', link: true },
          { key: 'scope', title: 'Needed by', render: whoNeeds },
          { key: 'startsOn', render: ({ startsOn }: Requirement) => formatIsoAsUkDate(startsOn) },
          { key: 'graceDays', wide: true },
          { key: 'reason', wide: true },
          { key: 'endsOn', render: ({ endsOn }: Requirement) => endsOn && formatIsoAsUkDate(endsOn) },
        ]}
        onOpen={setOpen}
        rowMuted={(one) => one.ended}
        nothing={
          <EmptyState title="No requirements yet" action={add}>
            State who needs which course. The matrix then shows the gaps.
          </EmptyState>
        }
      />
      <Dialog
        opened={open !== undefined}
        onClose={close}
        title={open === 'new' ? 'New requirement' : open ? `${open.course.name}: ${whoNeeds(open)}` : ''}
      >
        {open === 'new' ? (
          <ResourceForm
            resource={trainingRequirement}
            fields={[
              'course',
              'scope',
              'jobtitlename',
              'department',
              'site',
              'employee',
              'startsOn',
              'graceDays',
              'reason',
              'duty',
              'reference',
            ]}
            defaults={{ startsOn: londonToday() }}
            inputs={INPUTS}
            onCancel={close}
            onSaved={close}
          />
        ) : (
          open && (
            <ResourceForm
              resource={trainingRequirement}
              record={open}
              fields={['endsOn']}
              action="Save the last day"
              onCancel={close}
              onSaved={close}
            />
          )
        )}
      </Dialog>
    </Page>
  )
}
