import { Anchor, Button, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { can, canRunAction, isActionAllowedOnRecord } from '#kernel/can.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord, useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { FieldValue } from '#web/forms/field-value.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { usePageTitle } from '#web/shell/pages/title.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import layout from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows, SectionError } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import css from '../people.module.css'
import { checklist, checklistTask, checklistTaskEvent, MAX_CHECKLIST_TASKS } from './checklist.ts'
import { ChecklistProgress } from './list.web.tsx'
import { CHECKLIST_PATHS } from './nav.ts'

type Task = RecordOf<typeof checklistTask>

const BACK = { label: 'Checklists', to: CHECKLIST_PATHS.list }

/** Tasks of a checklist that the reader may see, with owner, due day and progress. */
export default function ViewChecklist() {
  const { slug } = useParams()
  const found = useApiRecord(checklist, slug)
  usePageTitle(found.data?.employee.name)
  if (found.data) return <OneChecklist record={found.data} />
  return (
    <Page title="Checklist" back={BACK}>
      {found.error ? <ErrorState error={found.error} onRetry={() => void found.refetch()} /> : <LoadingRows rows={6} />}
    </Page>
  )
}

function useRefresh(): () => void {
  const queries = useQueryClient()
  return () => {
    for (const { url } of [checklist, checklistTask, checklistTaskEvent])
      void queries.invalidateQueries({ queryKey: [url] })
  }
}

function OneChecklist({ record }: { readonly record: RecordOf<typeof checklist> }) {
  const actor = useActor()
  const refresh = useRefresh()
  const [isEnding, setEnding] = useState(false)
  const list = useList(checklistTask, { checklist: record['@id'], itemsPerPage: MAX_CHECKLIST_TASKS })
  const end = async () => {
    await callApi('PUT', record['@id'], { retired: true })
    refresh()
    setEnding(false)
  }
  return (
    <Page
      title={`${record.employee.name}: ${record.name}`}
      back={BACK}
      beside={<ChecklistProgress {...record} />}
      actions={
        can(actor, 'update', checklist) &&
        !record.retired && (
          <Button variant="default" onClick={() => setEnding(true)}>
            End checklist
          </Button>
        )
      }
    >
      <section className={layout.card} aria-label="Tasks">
        {list.error && <SectionError error={list.error} onRetry={list.refetch} />}
        {!list.data && !list.error && <LoadingRows rows={6} />}
        {list.data && (
          <ol className={css.history}>
            {list.data['hydra:member'].map((task) => (
              <li key={task.id}>
                <TaskEntry task={task} />
              </li>
            ))}
          </ol>
        )}
      </section>
      <ConfirmDialog
        opened={isEnding}
        onClose={() => setEnding(false)}
        onConfirm={end}
        title="End this checklist"
        question="Open tasks are no longer asked of anybody. What was done remains."
        action="End checklist"
      />
    </Page>
  )
}

const ownerOf = ({ owner, person }: Task): string =>
  person?.name ?? checklistTask.fields.owner.options?.find(({ value }) => value === owner)?.label ?? owner

function TaskEntry({ task }: { readonly task: Task }) {
  const actor = useActor()
  const refresh = useRefresh()
  const [isReopening, setReopening] = useState(false)
  const { complete, reopen } = checklistTask.actions ?? {}
  const mayDo =
    canRunAction(actor, 'complete', checklistTask) && isActionAllowedOnRecord(actor, 'complete', checklistTask, task)
  const action = useMutation({
    mutationFn: () => callApi('POST', `${task['@id']}/${complete?.path}`, {}),
    onSuccess: refresh,
    onError: (error) => toast.failed(error),
  })
  const reopening: Resource = { ...checklistTask, url: `${task['@id']}/${reopen?.path}`, fields: reopen?.input ?? {} }
  return (
    <>
      <div className={css.check}>
        <Group gap="xs">
          <strong>{task.title}</strong>
          {task.done ? (
            <StatusChip meaning="safe">Done</StatusChip>
          ) : (
            <StatusChip meaning={task.late ? 'stop' : 'info'}>
              {task.dueOn
                ? `${task.late ? 'Overdue since' : 'Due'} ${formatIsoAsUkDate(task.dueOn)}`
                : 'No due day yet'}
            </StatusChip>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {ownerOf(task)}
          {task.doneAt && (
            <>
              {'. Done by '}
              <FieldValue field={checklistTask.fields.doneBy} value={task.doneBy} />
              {', '}
              <DateTimeText at={task.doneAt} />
            </>
          )}
        </Text>
        {task.file && <Anchor href={`/sfp/file-manager?file=${task.file.id}`}>{task.file.name}</Anchor>}
        <TaskHistory task={task} />
      </div>
      {mayDo && !task.retired && (
        <Button
          variant={task.done ? 'subtle' : 'default'}
          loading={action.isPending}
          aria-label={`${task.done ? 'Mark as not done' : 'Mark as done'}: ${task.title}`}
          onClick={() => (task.done ? setReopening(true) : action.mutate())}
        >
          {task.done ? 'Mark as not done' : 'Mark as done'}
        </Button>
      )}
      <Dialog opened={isReopening} onClose={() => setReopening(false)} title={`Mark as not done: ${task.title}`}>
        <ResourceForm
          resource={reopening}
          decided
          action="Mark as not done"
          done={() => 'The task is open again'}
          onCancel={() => setReopening(false)}
          onSaved={() => {
            refresh()
            setReopening(false)
          }}
        />
      </Dialog>
    </>
  )
}

/** Reasons for which a task was marked as not done. */
function TaskHistory({ task }: { readonly task: Task }) {
  const events = useList(checklistTaskEvent, { task: task['@id'], itemsPerPage: MAX_CHECKLIST_TASKS }).data?.[
    'hydra:member'
  ]
  const undone = events?.filter(({ event }) => event === 'undone') ?? []
  return undone.map(({ id, author, createdAt, reason }) => (
    <Text key={id} size="sm">
      {'Marked as not done by '}
      <FieldValue field={checklistTaskEvent.fields.author} value={author} />
      {', '}
      <DateTimeText at={createdAt} />
      {`: ${reason}`}
    </Text>
  ))
}
