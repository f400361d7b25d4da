import { Alert, Button, Text, Textarea } from '@mantine/core'
import { IconHistory, IconSend } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useParams } from 'react-router'
import { ApiError } from '#web/api/client.ts'
import { formatIsoAsUkDate, formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { QUEUED_RESULT, sendOrQueue } from '#web/offline/outbox/outbox.ts'
import { VISITOR_DRAFT_PREFIX } from '#web/offline/owner.ts'
import { PublicLinkPage } from '#web/shell/pages/link-page.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import { LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { useSingleFlight } from '#web/ui/use-single-flight.ts'
import { removeDeviceDraft, useDeviceDraft, useStoredDraft } from '../device-draft.web.ts'
import type { LinkedStatement } from '../people/statement-request.ts'
import { statementProblem } from '../people/statement-rules.ts'
import page from '../reports/incidents.module.css'
import css from './page.module.css'

/** Public page on which a witness without an account gives a statement. It shows the place, the day and their own words. */
export default function WitnessStatementPage() {
  const { token = '' } = useParams()
  const at = `/api/safety/linked_statements/${token}`
  return (
    <PublicLinkPage<LinkedStatement>
      at={at}
      title="Your statement"
      titleOf={({ incident, received }) =>
        incident && (received ? 'Your statement has been received' : 'Your statement')
      }
      closedTitle="This link is closed"
      narrow
    >
      {(data) => <StoredStatement key={token} at={at} token={token} data={data} />}
    </PublicLinkPage>
  )
}

interface Props {
  readonly at: string
  readonly token: string
  readonly data: LinkedStatement
}

/** Statement in progress, stored in this tab until it is sent. */
interface StatementDraft {
  readonly words: string
  /** Start time, in milliseconds since 1970. */
  readonly begunAt: number
}

const isStatement = (value: unknown): value is StatementDraft =>
  value !== null && typeof value === 'object' && 'words' in value && 'begunAt' in value

function StoredStatement({ at, token, data }: Props) {
  const { company, incident, received } = data
  // The secret, the last part of the token, is not stored in the browser.
  const storeKey = `${VISITOR_DRAFT_PREFIX}statement/${token.split('-').slice(0, 2).join('-')}`
  const stored = useStoredDraft(storeKey, isStatement)
  const [queued, setQueued] = useState(false)
  const isReceived = received !== undefined
  useEffect(() => {
    if (isReceived) void removeDeviceDraft(storeKey)
  }, [isReceived, storeKey])
  if (stored === undefined) return <LoadingRows rows={6} />
  if (!incident) return stored?.words ? <UnsentWords storeKey={storeKey} words={stored.words} /> : null
  return (
    <>
      <dl className={page.facts}>
        <dt>Place</dt>
        <dd>{incident.place || 'Not stated'}</dd>
        <dt>Day</dt>
        <dd>{formatIsoAsUkDate(incident.day) || 'Not stated'}</dd>
      </dl>
      {received ? (
        <>
          <Text role="status">{`Thank you. ${company} received this statement on ${formatIsoAsUkDateTime(received.at)}. It can no longer be changed.`}</Text>
          <Text className={page.words ?? ''}>{received.statement}</Text>
        </>
      ) : queued ? (
        <Text role="status" fw={650}>
          Your statement is saved on this device, and is sent as soon as there is a connection. Stay signed in.
        </Text>
      ) : (
        <StatementForm
          at={at}
          storeKey={storeKey}
          stored={stored}
          company={company}
          until={data.until}
          onQueued={() => setQueued(true)}
        />
      )}
    </>
  )
}

interface FormProps extends Pick<Props, 'at'> {
  readonly storeKey: string
  readonly stored: StatementDraft | null
  readonly company: string
  readonly until: string | undefined
  readonly onQueued: () => void
}

function StatementForm({ at, storeKey, stored, company, until, onQueued }: FormProps) {
  const queries = useQueryClient()
  const { draft, change, restart, finish } = useDeviceDraft<StatementDraft>(
    storeKey,
    () => stored ?? blankStatement(),
    ({ words }) => words !== '',
  )
  const [wrong, setWrong] = useState<string>()
  const [error, setError] = useState('')
  const [busy, setBusy] = useState(false)
  const send = useSingleFlight(async () => {
    const problem = statementProblem(draft.words)
    setWrong(problem)
    setError('')
    if (problem) return
    setBusy(true)
    try {
      const sent = await sendOrQueue<LinkedStatement>(
        'POST',
        `${at}/statement`,
        { statement: draft.words },
        { description: { what: 'Witness statement', text: draft.words, at: location.pathname, about: [at] } },
      )
      await finish()
      if (sent === QUEUED_RESULT) onQueued()
      else queries.setQueryData([at], sent)
    } catch (e) {
      const reason = e instanceof ApiError ? e.violations.map(({ message }) => message).join(' ') : ''
      setError(
        `Your statement has not been sent, and stays here until you close this tab. ${reason || errorSentence(e)}`,
      )
      setBusy(false)
    }
  })
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        void send()
      }}
    >
      <OfflineNotice>
        You are offline. Your words stay here until you close this tab. Please send them when the connection is back.
      </OfflineNotice>
      {stored?.begunAt === draft.begunAt && (
        <Alert color="signal" role="status" title="Your saved words" icon={<IconHistory aria-hidden />}>
          <Text size="sm">{`You started this statement on ${formatIsoAsUkDateTime(new Date(draft.begunAt).toISOString())} and have not sent it yet.`}</Text>
          <Button mt="xs" variant="default" onClick={() => void restart(blankStatement())}>
            Start again
          </Button>
        </Alert>
      )}
      <Textarea
        name="statement"
        label="What you saw and heard, in your own words (Required)"
        description="You can change your words until you send them. Afterwards nobody can change them."
        autosize
        minRows={8}
        value={draft.words}
        error={wrong}
        onChange={(e) => change({ words: e.currentTarget.value })}
      />
      <Text size="sm">
        {`${company} stores your statement and the time. Only people who look into the incident and its consequences can read it. This link is valid until ${formatIsoAsUkDate(until)}.`}
      </Text>
      {error && <FormErrorText>{error}</FormErrorText>}
      <Button type="submit" size="md" loading={busy} leftSection={<IconSend size={18} aria-hidden />}>
        Send statement
      </Button>
    </form>
  )
}

const blankStatement = (): StatementDraft => ({ words: '', begunAt: Date.now() })

/** Text that was written but not sent before the link was closed, to copy or delete. */
function UnsentWords({ storeKey, words }: { readonly storeKey: string; readonly words: string }) {
  const [deleted, setDeleted] = useState(false)
  if (deleted) return <Text role="status">Your words have been deleted.</Text>
  return (
    <>
      <Text>These words have not been sent. They stay here until you close this tab.</Text>
      <Text className={page.words ?? ''}>{words}</Text>
      <Button variant="default" onClick={() => void removeDeviceDraft(storeKey).then(() => setDeleted(true))}>
        Delete
      </Button>
    </>
  )
}
