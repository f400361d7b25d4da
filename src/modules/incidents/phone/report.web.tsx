import { Alert, Anchor, Button, CloseButton, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { can } from '#kernel/can.ts'
import { incidentSite } from '#modules/people/sites/incident-site.ts'
import { ApiError } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord, useList } from '#web/api/resources.ts'
import { session } from '#web/api/session.ts'
import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { QUEUED_RESULT, sendOrQueue } from '#web/offline/outbox/outbox.ts'
import { ownerKeyOf } from '#web/offline/owner.ts'
import { placeholderForRequest } from '#web/offline/requests.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { useSingleFlight } from '#web/ui/use-single-flight.ts'
import { FileDrop } from '#web/uploads/file-drop.tsx'
import { UploadsProgress } from '#web/uploads/progress.tsx'
import { useFileUploads } from '#web/uploads/queue.ts'
import type { StoredFile } from '#web/uploads/send.ts'
import { shrinkPhoto } from '#web/uploads/shrink.ts'
import { incidentReport } from '../reports/incident-report.ts'
import { INCIDENT_PATHS, incidentPath } from '../reports/paths.ts'
import { incidentSettings } from '../settings/incident-settings.ts'
import css from './phone.module.css'
import { type ReportDraft, toReportBody } from './report-draft.ts'
import { ReportSteps } from './report-steps.web.tsx'
import { useReportDraft, useStoredReport } from './use-report-draft.web.ts'

type Receipt = { readonly id: number; readonly number: string } | 'queued'

/** Page to report an accident or a near miss on a phone, online or offline. */
export default function ReportIncidentPage() {
  const nearMiss = useLocation().pathname === INCIDENT_PATHS.reportNearMiss
  const actor = useActor()
  const storeKey = `${ownerKeyOf(session.me())}/incident-${nearMiss ? 'near-miss' : 'accident'}`
  const stored = useStoredReport(storeKey)
  const title = nearMiss ? 'Report a near miss' : 'Report an accident'
  if (!can(actor, 'create', incidentReport))
    return (
      <Page title={title}>
        <EmptyState title="You can’t report here">
          Please sign in with your own account to report an incident.
        </EmptyState>
      </Page>
    )
  return (
    <Page title={title}>
      {stored === undefined ? (
        <LoadingRows rows={6} />
      ) : (
        <Report key={storeKey} storeKey={storeKey} stored={stored} nearMiss={nearMiss} />
      )}
    </Page>
  )
}

interface Props {
  readonly storeKey: string
  readonly stored: ReportDraft | null
  readonly nearMiss: boolean
}

function Report({ storeKey, stored, nearMiss }: Props) {
  const { draft, change, restart, finish } = useReportDraft(storeKey, stored, nearMiss)
  const [receipt, setReceipt] = useState<Receipt>()
  const sites = useList(incidentSite, { retired: 'false', pagination: 'false' }).data?.['hydra:member'] ?? []
  const { clientId } = useActor()
  const required = useApiRecord(incidentSettings, clientId).data?.requiredAnswers ?? []
  if (receipt)
    return <Sent receipt={receipt} onAgain={() => void restart(nearMiss).then(() => setReceipt(undefined))} />
  return (
    <>
      <OfflineNotice>
        You are offline. Your report is saved on this device and sent when you are online again.
      </OfflineNotice>
      {stored?.key === draft.key && (
        <Alert color="signal" role="status" title="Your saved report" icon={<IconHistory aria-hidden />}>
          <Text size="sm">{`You started this report on ${formatIsoAsUkDateTime(new Date(draft.begunAt).toISOString())} and have not sent it yet.`}</Text>
          <Button mt="xs" variant="default" onClick={() => void restart(nearMiss)}>
            Start again
          </Button>
        </Alert>
      )}
      <ReportForm
        key={draft.key}
        draft={draft}
        sites={sites}
        required={required}
        onChange={change}
        onSent={(sent) => void finish().then(() => setReceipt(sent))}
      />
      <Text size="sm">
        {nearMiss ? 'Was anyone hurt? ' : 'Nobody hurt, but it could have been? '}
        <Anchor component={Link} to={nearMiss ? INCIDENT_PATHS.report : INCIDENT_PATHS.reportNearMiss}>
          {nearMiss ? 'Report an accident' : 'Report a near miss'}
        </Anchor>
      </Text>
    </>
  )
}

interface FormProps {
  readonly draft: ReportDraft
  readonly sites: readonly { readonly '@id': string; readonly name: string }[]
  readonly required: readonly string[]
  readonly onChange: ReturnType<typeof useReportDraft>['change']
  readonly onSent: (receipt: Receipt) => void
}

function ReportForm({ draft, sites, required, onChange, onSent }: FormProps) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const { uploads, add, retry, remove } = useFileUploads<StoredFile>({
    to: `${incidentReport.url}/files`,
    place: draft.key,
    onDone: ({ '@id': iri, name }) => onChange((now) => ({ photos: [...now.photos, { '@id': iri, name }] })),
  })
  const underway = uploads.filter(({ state }) => state === 'waiting' || state === 'sending')
  const failed = uploads.filter(({ state }) => state === 'failed')
  const queued = uploads.filter(({ state }) => state === 'kept').map(({ key }) => key)
  const send = useSingleFlight(async () => {
    setError('')
    if (underway.length) return setError('Photos are still being uploaded. Please wait a moment.')
    if (failed[0])
      return setError(
        `“${failed[0].file.name}” could not be uploaded. Retry it, or remove it and send the report without it.`,
      )
    setBusy(true)
    try {
      const named = [...draft.photos.map((photo) => photo['@id']), ...queued.map((key) => placeholderForRequest(key))]
      const made = await sendOrQueue<{ id: number; number: string }>(
        'POST',
        incidentReport.url,
        toReportBody(draft, named, required),
        {
          idempotencyKey: draft.key,
          parts: queued,
          description: {
            what: draft.nearMiss ? 'Report of a near miss' : 'Report of an accident',
            text: draft.description,
            at: draft.nearMiss ? INCIDENT_PATHS.reportNearMiss : INCIDENT_PATHS.report,
            about: [incidentReport.url],
          },
        },
      )
      onSent(made === QUEUED_RESULT ? 'queued' : made)
    } catch (e) {
      const reasons = e instanceof ApiError ? e.violations.map(({ message }) => message).join(' ') : ''
      setError(`Your report has not been sent, and is saved on this device. ${reasons || errorSentence(e)}`)
      setBusy(false)
    }
  })
  return (
    <ReportSteps
      draft={draft}
      onChange={onChange}
      reporter="user"
      sites={sites}
      photoCount={draft.photos.length + queued.length}
      required={required}
      busy={busy}
      error={error}
      onSend={() => void send()}
      photos={
        <>
          <Text size="sm">Photos of the place help. The portal shrinks them and removes their location.</Text>
          <UploadedPhotos
            photos={draft.photos}
            onRemove={(iri) => onChange((now) => ({ photos: now.photos.filter((photo) => photo['@id'] !== iri) }))}
          />
          <FileDrop label="Photos" photo onFiles={(chosen) => void Promise.all(chosen.map(shrinkPhoto)).then(add)} />
          <UploadsProgress uploads={uploads} onRetry={retry} onRemove={remove} />
        </>
      }
    />
  )
}

interface UploadedPhotosProps {
  readonly photos: ReportDraft['photos']
  readonly onRemove: (iri: string) => void
}

/** Photos that have been uploaded. A photo that is removed here is not sent with the report. */
function UploadedPhotos({ photos, onRemove }: UploadedPhotosProps) {
  if (!photos.length) return null
  return (
    <ul className={css.photos} aria-label="Uploaded photos">
      {photos.map(({ '@id': iri, name }) => (
        <li key={iri}>
          {name}
          <CloseButton size="xl" aria-label={`Remove ${name}`} onClick={() => onRemove(iri)} />
        </li>
      ))}
    </ul>
  )
}

/** Confirmation: received with its number, or saved on this device. */
function Sent({ receipt, onAgain }: { readonly receipt: Receipt; readonly onAgain: () => void }) {
  return (
    <EmptyState
      title={receipt === 'queued' ? 'Saved on this device' : `Received as ${receipt.number}`}
      action={
        <Button variant="default" onClick={onAgain}>
          Report another
        </Button>
      }
    >
      {receipt === 'queued' ? (
        'Your report is sent as soon as there is a connection. Keep this device switched on, and stay signed in.'
      ) : (
        <>
          {'The portal is notifying your company. '}
          <Anchor component={Link} to={incidentPath(receipt.id)}>
            Show the report
          </Anchor>
        </>
      )}
    </EmptyState>
  )
}
