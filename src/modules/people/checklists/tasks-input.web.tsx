import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { FieldInput } from '#web/forms/field-input.tsx'
import type { CustomInput } from '#web/forms/resource-form.tsx'
import css from '../people.module.css'
import { checklistTemplateTask, MAX_CHECKLIST_TASKS } from './checklist.ts'

/** A task while it is entered. */
type TaskInput = Readonly<Record<'title' | 'owner' | 'person' | 'days' | 'file', unknown>>

const NEW_TASK: TaskInput = { title: '', owner: 'hr', person: null, days: 0, file: null }
const { title, owner, person, days, file } = checklistTemplateTask.fields

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
            <FieldInput name="title" field={title} value={task.title} onChange={(to) => change(n, { title: to })} />
            <FieldInput
              name="owner"
              field={owner}
              value={task.owner}
              onChange={(to) => change(n, { owner: to, person: null })}
            />
            {task.owner === 'person' && (
              <FieldInput
                name="person"
                field={person}
                value={task.person}
                onChange={(to) => change(n, { person: to })}
              />
            )}
            <FieldInput name="days" field={days} value={task.days} onChange={(to) => change(n, { days: to })} />
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
