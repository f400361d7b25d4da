import { Anchor, Button, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { callApi } from '#web/api/client.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import { type BatchJobRecord, followBatchJob } from '#web/lists/extras/runs.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { FormFailureText } from '#web/ui/error-text.tsx'
import { errorSentence } from '#web/ui/toast.ts'

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const
const LONGEST = 300

interface Props {
  readonly of: { readonly '@id': string }
  /** Name of the item at the start of the reason. */
  readonly called: string
  /** Selected documents; if empty, all in force. */
  readonly documents: readonly string[]
  readonly count: number
  readonly opened: boolean
  readonly onClose: () => void
}

/** Dialog to request reviews after a change in the library: reason and progress of the job. */
export function RequestReviewsDialog({ opened, onClose, ...props }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Request review" size="36rem">
      <Ask {...props} onClose={onClose} />
    </Dialog>
  )
}

function Ask({ of, called, documents, count, onClose }: Omit<Props, 'opened'>) {
  const [reason, setReason] = useState(
    () => `${called} was changed on ${Temporal.PlainDate.from(londonToday()).toLocaleString('en-GB', DAY)}.`,
  )
  const [run, setRun] = useState<BatchJobRecord>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const start = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const begun = await callApi<BatchJobRecord>('POST', `${of['@id']}/ask_reviews`, { reason, documents })
      setRun(await followBatchJob(begun, setRun))
    } catch (e) {
      setFailure(errorSentence(e))
    }
    setBusy(false)
  }
  return (
    <>
      {run ? (
        <Text role="status">
          {progressOf(run)}{' '}
          <Anchor component={Link} to="/profile/long-work">
            View all jobs
          </Anchor>
        </Text>
      ) : (
        <>
          <Text mb="sm">
            {count === 1
              ? 'One document becomes due for review today. Its sealed content stays unchanged.'
              : `${count.toLocaleString('en-GB')} documents become due for review today. Their sealed content stays unchanged.`}
          </Text>
          <Textarea
            label="Reason (Required)"
            description="Shown to the reviewers."
            value={reason}
            maxLength={LONGEST}
            autosize
            minRows={2}
            onChange={(e) => setReason(e.currentTarget.value)}
          />
        </>
      )}
      {failure && <FormFailureText mt="sm">{failure}</FormFailureText>}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {run ? 'Close' : 'Cancel'}
        </Button>
        {!run && (
          <Button loading={busy} onClick={() => void start()}>
            Request review
          </Button>
        )}
      </DialogActions>
    </>
  )
}

/** Progress or result of the job. */
function progressOf({ state, done, total, refused, tally }: BatchJobRecord): string {
  const before = tally.unchanged ? ` ${tally.unchanged} had already been requested.` : ''
  const not = refused ? ` ${refused} could not be requested.` : ''
  if (state === 'done') return `${done ?? 0} ${done === 1 ? 'review' : 'reviews'} requested.${before}${not}`
  if (state === 'failed' || state === 'stopped') return `Stopped after ${done ?? 0} of ${total ?? 0}.${not}`
  return `${done ?? 0} of ${total ?? 0} requested.`
}
