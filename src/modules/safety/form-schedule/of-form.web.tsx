import { ActionIcon, Button, Text } from '@mantine/core'
import { IconCalendarPlus, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { can } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { useList, useSaveRecord } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { showUndoToast, toast } from '#web/ui/toast.ts'
import { FormDueChip } from '../custom-forms/chips.web.tsx'
import type { customForm } from '../custom-forms/custom-form.ts'
import { isSystemTemplate } from '../statements/selection.ts'
import css from './form-schedule.module.css'
import { FORM_INTERVAL_OPTIONS, type FormScheduleRecord, formSchedule } from './form-schedule.ts'
import '@mantine/core/styles/Combobox.layer.css'
import { Select } from '@mantine/core'
import { usePotentialSignatories } from '#modules/documents/signoff/people.web.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import type { FieldInputProps } from '#web/forms/field-input.tsx'
import { fieldInputLabel } from '#web/forms/labels.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'

/** Schedules of a form, shown to form authors: assignees, intervals and next due dates. */
export default function FormSchedules({ record: form }: { readonly record: RecordOf<typeof customForm> }) {
  const may = can(useActor(), 'create', formSchedule)
  if (!may || isSystemTemplate(form) || form.retired || !form.live) return null
  return <Schedules form={form} />
}

function Schedules({ form }: { readonly form: RecordOf<typeof customForm> }) {
  const found = useList(formSchedule, { form: form.id, retired: false, pagination: false })
  const save = useSaveRecord(formSchedule)
  const [open, setOpen] = useState<FormScheduleRecord | 'new'>()
  const rows = found.data?.['hydra:member'] ?? []
  const end = async (due: FormScheduleRecord) => {
    const set = (retired: boolean) => save.mutateAsync({ id: due.id, values: { retired } })
    try {
      await set(true)
      showUndoToast({ message: `${due.person} no longer has to complete this form`, undo: () => set(false) })
    } catch (e) {
      toast.failed(e, () => void end(due))
    }
  }
  const close = () => setOpen(undefined)
  return (
    <section className={page.card} aria-labelledby="form-schedule">
      <h2 id="form-schedule">Schedule</h2>
      {found.isPending ? (
        <LoadingRows rows={2} />
      ) : found.error ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : rows.length === 0 ? (
        <Text size="sm">
          There is no schedule, so people can complete this form at any time. To remind somebody on each due date, add a
          schedule.
        </Text>
      ) : (
        <ul className={css.people} aria-label="People scheduled to complete this form">
          {rows.map((due) => (
            <li key={due.id}>
              <span className={css.words}>
                <strong>{due.person}</strong>
                {`, ${(FORM_INTERVAL_OPTIONS.find(({ value }) => value === due.every)?.label ?? '').toLowerCase()}${due.place ? `, ${due.place}` : ''}`}
                {due.answer && (
                  <span className={page.quiet}>
                    {' Last completed\u0020'}
                    <DateTimeText at={due.answer.createdAt} />
                  </span>
                )}
              </span>
              <FormDueChip dueOn={due.dueOn} />
              <span className={css.acts}>
                <ActionIcon
                  variant="subtle"
                  size={44}
                  aria-label={`Edit the schedule for ${due.person}`}
                  onClick={() => setOpen(due)}
                >
                  <IconPencil size={18} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={44}
                  aria-label={`End the schedule for ${due.person}`}
                  onClick={() => void end(due)}
                >
                  <IconTrash size={18} aria-hidden />
                </ActionIcon>
              </span>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button
          variant="default"
          leftSection={<IconCalendarPlus size={16} aria-hidden />}
          onClick={() => setOpen('new')}
        >
          Add a schedule
        </Button>
      </div>
      <Dialog opened={open !== undefined} onClose={close} title={`Schedule for “${form.title}”`} size="36rem">
        {open && <FormScheduleForm form={form} {...(open === 'new' ? {} : { due: open })} onClose={close} />}
      </Dialog>
    </section>
  )
}

interface FormScheduleFormProps {
  readonly form: RecordOf<typeof customForm>
  /** Schedule to edit; undefined for a new schedule. */
  readonly due?: FormScheduleRecord
  readonly onClose: () => void
}

/** Form to create or edit a schedule: assignee, interval, first due date and place. */
const FormScheduleForm = ({ form, due, onClose }: FormScheduleFormProps) => (
  <ResourceForm
    resource={formSchedule}
    fields={['user', 'every', 'startsOn', 'place']}
    {...(due ? { record: due } : { extra: { form: form['@id'] }, defaults: { startsOn: londonToday() } })}
    inputs={{ user: (props) => <PersonInput {...props} audience={form.audience} /> }}
    action="Save"
    done={(saved) => `Schedule saved: ${saved.person} will complete “${saved.title}”`}
    onCancel={onClose}
    onSaved={onClose}
  />
)

/** Field to choose a user of the company who can complete the form. */
function PersonInput({
  name,
  field,
  id,
  value,
  onChange,
  onBlur,
  error,
  audience,
}: FieldInputProps & { readonly audience: readonly string[] }) {
  const company = usePotentialSignatories().data?.['hydra:member'] ?? []
  const people = company.filter(({ roles }) => !audience.length || audience.some((role) => roles.includes(role)))
  return (
    <Select
      {...(id ? { id } : {})}
      label={fieldInputLabel(name, field)}
      required
      searchable
      nothingFoundMessage="Nobody with this name can complete the form"
      data={people.map(({ id: user, name: label }) => ({ value: String(user), label }))}
      value={typeof value === 'number' ? String(value) : null}
      error={error}
      {...(onBlur ? { onBlur } : {})}
      onChange={(chosen) => onChange(chosen === null ? null : Number(chosen))}
    />
  )
}
