import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/NumberInput.layer.css'
import { Button, Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { FieldInput } from '#web/forms/field-input.tsx'
import type { CustomInput } from '#web/forms/resource-form.tsx'
import css from '../people.module.css'
import { checklistTemplateTask, MAX_CHECKLIST_TASKS, TASK_OWNERS } from './checklist.ts'

/** A task while it is entered. */
interface TaskInput {
  readonly '@id'?: string
  readonly title: string
  readonly owner: string
  readonly person: unknown
  readonly days: number | null
  readonly file: unknown
}

const NEW_TASK: TaskInput = { title: '', owner: 'hr', person: null, days: 0, file: null }
const { person, file } = checklistTemplateTask.fields

/** Tasks of a template, in their order. */
export const TasksInput: CustomInput = ({ value, onChange, error }) => {
  const tasks = (Array.isArray(value) ? value : []) as readonly TaskInput[]
  const change = (n: number, values: Partial<TaskInput>) =>
    onChange(tasks.map((task, at) => (at === n ? { ...task, ...values } : task)))
  return (
    <fieldset className={css.tasks}>
      <legend>Tasks</legend>
      <Text size="sm" c="dimmed">
        A task is due this number of days after the first or last day of employment. A negative number counts back from
        it.
      </Text>
      <Stack gap="md">
        {tasks.map((task, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tasks have no other identity while they are entered
          <fieldset key={n} className={css.task} aria-label={`Task ${n + 1}`}>
            <TextInput
              label="Task"
              required
              value={task.title}
              onChange={(e) => change(n, { title: e.currentTarget.value })}
            />
            <Select
              label="Owner"
              allowDeselect={false}
              data={TASK_OWNERS}
              value={task.owner}
              onChange={(owner) => owner && change(n, { owner, person: null })}
            />
            {task.owner === 'person' && (
              <FieldInput
                name="person"
                field={person}
                value={task.person}
                onChange={(to) => change(n, { person: to })}
              />
            )}
            <NumberInput
              label="Days"
              allowDecimal={false}
              clampBehavior="none"
              hideControls
              value={task.days ?? ''}
              onChange={(days) => change(n, { days: typeof days === 'number' ? days : null })}
            />
            <FieldInput name="file" field={file} value={task.file} onChange={(to) => change(n, { file: to })} />
            <Button
              variant="subtle"
              color="red"
              leftSection={<IconTrash size={16} aria-hidden />}
              aria-label={`Remove task ${n + 1}`}
              onClick={() => onChange(tasks.filter((_, at) => at !== n))}
            >
              Remove
            </Button>
          </fieldset>
        ))}
        {error && (
          <Text role="alert" size="sm" c="var(--mantine-color-error)">
            {error}
          </Text>
        )}
        {tasks.length < MAX_CHECKLIST_TASKS && (
          <Group>
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => onChange([...tasks, NEW_TASK])}
            >
              Add task
            </Button>
          </Group>
        )}
      </Stack>
    </fieldset>
  )
}
