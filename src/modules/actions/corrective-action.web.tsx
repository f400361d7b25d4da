import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { can, canRunActionInState } from '#kernel/can.ts'
import { type ActionNameOf, iriOf, type Resource } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord, useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import page from '#web/ui/page.module.css'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { FileDrop } from '#web/uploads/file-drop.tsx'
import { UploadsProgress } from '#web/uploads/progress.tsx'
import { useFileUploads } from '#web/uploads/queue.ts'
import type { StoredFile } from '#web/uploads/send.ts'
import { UploadedFileLink } from '#web/uploads/thumb.tsx'
import css from './actions.module.css'
import {
  type CorrectiveAction,
  correctiveAction,
  correctiveActionEvent,
  correctiveActionFile,
  isOpenActionState,
} from './corrective-action.ts'
import { CorrectiveActionForm } from './form.web.tsx'
import { CorrectiveActionStatus } from './status-chip.web.tsx'

interface Props {
  readonly id: string
  readonly onClose: () => void
}

export function CorrectiveActionDetails({ id, onClose }: Props) {
  const found = useApiRecord(correctiveAction, id || undefined)
  if (found.data) return <Details action={found.data} onClose={onClose} />
  return found.error ? (
    <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <LoadingRows rows={6} />
  )
}

type CorrectiveActionTransition = ActionNameOf<typeof correctiveAction>

/** Returns the version of the action on the screen for a decision, which the portal refuses after a change. */
const readFacts = ({ version }: CorrectiveAction, step: CorrectiveActionTransition) =>
  'version' in (correctiveAction.actions?.[step].input ?? {}) ? { version } : {}

const STEPS: readonly CorrectiveActionTransition[] = ['complete', 'start', 'wait', 'verify', 'dismiss', 'reopen']

function Details({ action, onClose }: { readonly action: CorrectiveAction; readonly onClose: () => void }) {
  const actor = useActor()
  const queries = useQueryClient()
  const [doing, setDoing] = useState<CorrectiveActionTransition | 'edit'>()
  const refresh = () =>
    Promise.all(
      [correctiveAction, correctiveActionEvent, correctiveActionFile].map((r) =>
        queries.invalidateQueries({ queryKey: [r.url] }),
      ),
    )
  const done = () => {
    setDoing(undefined)
    void refresh()
  }
  const run = useMutation({
    mutationFn: (step: CorrectiveActionTransition) =>
      callApi('POST', `${action['@id']}/${correctiveAction.actions?.[step].path}`, readFacts(action, step)),
    onSettled: refresh,
    onError: (e) => toast.failed(e),
  })
  const steps = STEPS.filter(
    (step) => !action.retired && canRunActionInState(actor, step, correctiveAction, action.state),
  )
  // Users who verify an action that they completed themselves may have to give a reason.
  const asksNothing = (step: CorrectiveActionTransition) =>
    step === 'start' || (step === 'verify' && action.completedBy !== actor.username)
  const mayEdit = isOpenActionState(action.state) && can(actor, 'update', correctiveAction)
  if (doing === 'edit') return <CorrectiveActionForm action={action} onClose={done} />
  return (
    <Stack gap="md">
      <Group justify="space-between" align="start">
        <Title order={3}>{action.number}</Title>
        <CorrectiveActionStatus action={action} />
      </Group>
      <Text className={css.words ?? ''}>{action.description}</Text>
      <Facts action={action} />
      <Files action={action} onDone={() => void refresh()} />
      {doing ? (
        <StepForm key={doing} action={action} step={doing} onCancel={() => setDoing(undefined)} onSaved={done} />
      ) : (
        <div className={page.buttons}>
          {steps.map((step, n) => (
            <Button
              key={step}
              {...(n ? { variant: 'default' } : {})}
              loading={run.isPending && run.variables === step}
              onClick={() => (asksNothing(step) ? run.mutate(step) : setDoing(step))}
            >
              {correctiveAction.actions?.[step].title}
            </Button>
          ))}
          {mayEdit && (
            <Button variant="default" onClick={() => setDoing('edit')}>
              Edit
            </Button>
          )}
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </div>
      )}
      <History action={action} />
    </Stack>
  )
}

function Facts({ action }: { readonly action: CorrectiveAction }) {
  const {
    managerName,
    email,
    owner,
    deadline,
    notes,
    adminNotes,
    sourceTitle,
    proof,
    completedBy,
    completedByLink,
    completedAt,
  } = action
  const facts = [
    ['Manager responsible', owner === null && email ? `${managerName} (${email})` : managerName],
    ['Deadline', formatIsoAsUkDate(deadline) || 'None'],
    ['Raised from', sourceTitle],
    ['Notes', notes],
    ['Suggestions', adminNotes],
    ['What was done', proof],
  ] as const
  return (
    <dl className={css.facts}>
      {facts.map(
        ([label, words]) =>
          words && (
            <div key={label} style={{ display: 'contents' }}>
              <dt>{label}</dt>
              <dd className={css.words}>{words}</dd>
            </div>
          ),
      )}
      {completedAt && (
        <>
          <dt>Completed</dt>
          <dd>
            {completedByLink ? `${completedByLink}, by link` : <PersonName username={completedBy} />},{' '}
            <DateTimeText at={completedAt} />
          </dd>
        </>
      )}
    </dl>
  )
}

interface StepProps {
  readonly action: CorrectiveAction
  readonly step: CorrectiveActionTransition
  readonly onCancel: () => void
  readonly onSaved: () => void
}

function StepForm({ action, step, onCancel, onSaved }: StepProps) {
  const spec = correctiveAction.actions?.[step]
  const asked: Resource = {
    ...correctiveAction,
    url: `${iriOf(correctiveAction, action.id)}/${spec?.path}`,
    fields: spec?.input ?? {},
  }
  const facts = readFacts(action, step)
  const fields = Object.keys(asked.fields).filter((name) => !(name in facts))
  return (
    <ResourceForm
      resource={asked}
      fields={fields}
      wide={fields}
      extra={facts}
      action={spec?.title ?? 'Save'}
      decided
      done={() => `${action.number} saved`}
      onCancel={onCancel}
      onSaved={onSaved}
    />
  )
}

function Files({ action, onDone }: { readonly action: CorrectiveAction; readonly onDone: () => void }) {
  const files = useList(correctiveActionFile, { action: action['@id'], itemsPerPage: 100 }).data?.['hydra:member'] ?? []
  const { uploads, add, retry, remove } = useFileUploads<StoredFile>({ to: `${action['@id']}/files`, onDone })
  const takes = !action.retired && (isOpenActionState(action.state) || action.state === 'rectified')
  return (
    <>
      {takes && <FileDrop small label="Proof of completion" onFiles={add} />}
      <UploadsProgress uploads={uploads} onRetry={retry} onRemove={remove} />
      {files.length > 0 && (
        <ul className={css.list} aria-label="Proof">
          {files.map((file) => (
            <li key={file.id}>
              <UploadedFileLink file={file as unknown as StoredFile} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function History({ action }: { readonly action: CorrectiveAction }) {
  const list = useList(correctiveActionEvent, { action: action['@id'], itemsPerPage: 100 })
  if (list.error) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return (
    <section>
      <Title order={3}>History</Title>
      {list.data ? (
        <ol className={css.list}>
          {list.data['hydra:member'].map(({ id, event, notes, author, createdAt }) => (
            <li key={id}>
              <strong>{event}</strong>
              <Text size="sm" c="dimmed">
                <PersonName username={author} />, <DateTimeText at={createdAt} />
              </Text>
              {notes && <Text className={css.words ?? ''}>{notes}</Text>}
            </li>
          ))}
        </ol>
      ) : (
        <LoadingRows rows={2} />
      )}
    </section>
  )
}
