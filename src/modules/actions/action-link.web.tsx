import { Alert, Button, FileButton, Text, Textarea } from '@mantine/core'
import { IconCamera, IconCheck } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { callApi } from '#web/api/client.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { PublicLinkPage } from '#web/shell/pages/link-page.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import { OfflineNotice } from '#web/ui/states.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import css from './actions.module.css'
import { type LinkedAction, proofInput } from './corrective-action.ts'

const NO_BREAK_HYPHEN = '\u2011'

/** Page on which an owner without an account reads a corrective action, adds photos and reports it as done. */
export default function ActionLinkPage() {
  const { token = '' } = useParams()
  const at = `/api/safety/linked_actions/${token}`
  const queries = useQueryClient()
  return (
    <PublicLinkPage<LinkedAction>
      at={at}
      title="Corrective action"
      titleOf={({ action }) => action && `Corrective action ${action.number.replace('-', NO_BREAK_HYPHEN)}`}
      closedTitle="Nothing to do"
      narrow
    >
      {({ company, action }) =>
        action && (
          <>
            <Text>{`${company} has assigned this action to ${action.managerName}.`}</Text>
            <p className={css.words}>{action.description}</p>
            <dl className={css.facts}>
              <dt>Deadline</dt>
              <dd>{`${formatIsoAsUkDate(action.deadline) || 'None'}${action.isLate ? ' (overdue)' : ''}`}</dd>
              {action.notes && (
                <>
                  <dt>Notes</dt>
                  <dd className={css.words}>{action.notes}</dd>
                </>
              )}
              {action.adminNotes && (
                <>
                  <dt>Suggestions</dt>
                  <dd className={css.words}>{action.adminNotes}</dd>
                </>
              )}
            </dl>
            <ReportForm
              at={at}
              files={action.files}
              version={action.version}
              onChanged={(data) => queries.setQueryData([at], data)}
            />
          </>
        )
      }
    </PublicLinkPage>
  )
}

interface FormProps {
  readonly at: string
  readonly files: readonly string[]
  /** Version of the action that is on the screen. */
  readonly version: number | null
  readonly onChanged: (data: LinkedAction) => void
}

function ReportForm({ at, files, version, onChanged }: FormProps) {
  const queries = useQueryClient()
  const [proof, setProof] = useState('')
  const [missing, setMissing] = useState(false)
  const guard = useUnsavedChangesGuard(proof.trim() !== '')
  const add = useMutation({
    // Each file has its own request, so that a rejected file doesn't stop the others.
    mutationFn: async (chosen: readonly File[]) => {
      for (const file of chosen) {
        const form = new FormData()
        form.append('file', file)
        onChanged(await callApi<LinkedAction>('POST', `${at}/files`, form))
      }
    },
  })
  const report = useMutation({
    mutationFn: () => callApi<LinkedAction>('POST', `${at}/done`, { proof, version }),
    onSuccess: onChanged,
    // After a refusal, the page shows the current action and retains the typed text.
    onError: () => queries.invalidateQueries({ queryKey: [at] }),
  })
  return (
    <form
      className={css.report}
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        setMissing(!proof.trim())
        if (proof.trim()) report.mutate()
      }}
    >
      {guard}
      <h2>Report it as done</h2>
      <OfflineNotice>You are offline. Please report the action when the connection is back.</OfflineNotice>
      {files.length > 0 && (
        <ul className={css.list} aria-label="Files received">
          {files.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      )}
      <FileButton multiple accept="image/*,application/pdf,.pdf,.doc,.docx" onChange={(chosen) => add.mutate(chosen)}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            size="md"
            loading={add.isPending}
            leftSection={<IconCamera size={18} aria-hidden />}
          >
            Add photos or files
          </Button>
        )}
      </FileButton>
      {add.isError && <ErrorText>{errorSentence(add.error)}</ErrorText>}
      <Textarea
        label={proofInput.label}
        required
        maxLength={4000}
        autosize
        minRows={3}
        value={proof}
        error={missing && !proof.trim() ? 'Please describe what was done' : undefined}
        onChange={(e) => setProof(e.currentTarget.value)}
      />
      {report.isError && (
        <Alert color="red" role="alert">
          {errorSentence(report.error)}
        </Alert>
      )}
      <Button
        type="submit"
        size="md"
        loading={report.isPending}
        disabled={add.isPending}
        leftSection={<IconCheck size={18} aria-hidden />}
      >
        Report as done
      </Button>
    </form>
  )
}
