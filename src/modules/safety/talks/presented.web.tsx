import { Alert, Button } from '@mantine/core'
import { IconDownload, IconFileTypePdf, IconLock, IconPencil } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { can } from '#kernel/can.ts'
import { labelOf } from '#kernel/fields.ts'
import { lastIriSegment } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { toText } from '#kernel/text.ts'
import { AuditChain } from '#modules/documents/audit-chain/seals.web.tsx'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import { document } from '#modules/documents/types/document.ts'
import { ConfidentialReadsOfRecord } from '#modules/identity/confidential-reads/of-record.web.tsx'
import { ApiError } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { openPdf, savePdf } from '#web/api/pdf.ts'
import { listQueryOptions, useApiRecord, useList } from '#web/api/resources.ts'
import { formatIsoAsUkDate, formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { InPlaceEditor } from '#web/forms/edit-in-place.tsx'
import { RichTextView } from '#web/forms/inputs/rich-text-view.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { linkedRecordIri } from '#web/forms/values.ts'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { QUEUED_MESSAGE, QUEUED_RESULT } from '#web/offline/outbox/outbox.ts'
import { addressesInAnswer, type QueuedRequest } from '#web/offline/requests.ts'
import { usePageTitle } from '#web/shell/pages/title.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { BackLink } from '#web/ui/page.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { SimultaneousReveal } from '#web/ui/reveal-together.tsx'
import { ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { useSingleFlight } from '#web/ui/use-single-flight.ts'
import {
  closeTalkRecordWarningText,
  outstandingAttendeesText,
  talkCorrectionText,
} from '../attendance/attendance-text.ts'
import { AttendeeSection, MarkAbsentDialog } from './attendees.web.tsx'
import {
  changedFactsIn,
  closingRequestIn,
  hasSignedOnDevice,
  isOutstandingOnDevice,
  type TalkRow,
  usePresentedTalk,
  useTalkRows,
} from './offline-talk.web.ts'
import { PresentedTalkStatusChip } from './presented-chip.web.tsx'
import {
  type PresentedTalkRecord,
  requestKeysOf,
  useAttendeeActions,
  useRefetchTalkRecord,
  useUpdateTalkRecord,
} from './presented-data.web.ts'
import { TalkActions } from './talk-actions.web.tsx'
import { PRESENTED_TALKS_PATH } from './talk-info.ts'
import css from './talks.module.css'
import { isSignedTalkField, presentedTalk, talkAttendee, talkCorrection, toolboxTalk } from './toolbox-talk.ts'

interface Props {
  readonly record: PresentedTalkRecord
  /** True if people have signed and the record is still open. */
  readonly mayCorrect: boolean
}

/** Corrections made after people signed, and a button to add a correction. */
function AttendanceCorrections({ record, mayCorrect }: Props) {
  const actor = useActor()
  const [opened, setOpened] = useState(false)
  const refreshed = useRefetchTalkRecord()
  const { presenter, place, date, startTime, finishTime, notes } = record
  const presented = iriOf(presentedTalk, record.id)
  const made = useList(talkCorrection, { presented, pagination: false }).data?.['hydra:member'] ?? []
  return (
    <>
      {made.length > 0 && (
        <>
          <h2>Corrections after signing</h2>
          <ul className={css.plain}>
            {made.map((one) => (
              <li key={one.id}>
                {talkCorrectionText(one)}. “{one.reason}”{' '}
                <span className={page.quiet}>
                  <PersonName username={one.author} />, {formatIsoAsUkDateTime(one.createdAt)}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {mayCorrect && can(actor, 'create', talkCorrection) && (
        <div>
          <Button
            variant="default"
            className={css.target ?? ''}
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={() => setOpened(true)}
          >
            Correct record
          </Button>
        </div>
      )}
      <Dialog opened={opened} onClose={() => setOpened(false)} title="Correct record" size="36rem">
        <p className={page.quiet}>
          The signed version will be retained alongside the correction, with the reason and your name. All signatories
          will be notified.
        </p>
        <ResourceForm
          resource={talkCorrection}
          fields={['presenter', 'place', 'date', 'startTime', 'finishTime', 'notes', 'reason']}
          defaults={{ presenter, place, date, startTime, finishTime, notes }}
          extra={{ presented }}
          action="Correct record"
          done={() => 'Record corrected. The signatories will be notified'}
          onCancel={() => setOpened(false)}
          onSaved={() => {
            setOpened(false)
            void refreshed()
          }}
        />
      </Dialog>
    </>
  )
}

export default function PresentedTalkPage() {
  const { slug } = useParams()
  const { record, start, error, refetch } = usePresentedTalk(slug)
  useOpenOnceDelivered(start)
  usePageTitle(record && `${record.title} ${formatIsoAsUkDate(record.date)}`)
  return (
    <div className={page.page}>
      <BackLink to={getListReturnPath(PRESENTED_TALKS_PATH)} label="Presented talks" />
      {record ? (
        <Record record={record} />
      ) : (
        <>
          <PageTitle>Presented talk</PageTitle>
          {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={8} />}
        </>
      )}
    </div>
  )
}

/** Opens the page of a record once the queued request that creates it has been delivered. */
function useOpenOnceDelivered(start: QueuedRequest | undefined): void {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [created] = addressesInAnswer(start?.key ?? '', start?.arrived)
  const presented = created?.[1]
  const open = useEffectEvent(async (iri: string) => {
    const id = lastIriSegment(iri)
    // Loads the record and its attendees first, so that the page keeps text and signatures in progress.
    await Promise.all([
      queries.fetchQuery(listQueryOptions(presentedTalk, { id })),
      queries.fetchQuery(listQueryOptions(talkAttendee, { presented: iri, pagination: false })),
    ])
    await navigate(`${PRESENTED_TALKS_PATH}/${id}`, { replace: true })
  })
  useEffect(() => {
    if (presented) void open(presented).catch(() => undefined)
  }, [presented])
}

const FACTS = ['presenter', 'place', 'date', 'startTime', 'finishTime', 'notes'] as const

/** Returns whether the presented revision is in force. Returns false if the user can no longer read that revision. */
function useInForce(talk: string | null): boolean {
  const { data } = useApiRecord(document, talk ? lastIriSegment(talk) : undefined)
  return data?.current === true && !data.retired
}

/** Returns the summary to confirm before closing, because a closed record can't be changed. */
function closingOf(record: PresentedTalkRecord, people: readonly TalkRow[]) {
  const said = { place: 'the place', startTime: 'the start time', finishTime: 'the finish time' } as const
  const missing = Object.entries(said).flatMap(([name, words]) => (record[name as keyof typeof said] ? [] : [words]))
  const counted = people.map((p) => (hasSignedOnDevice(p) ? { ...p, signedAt: 'queued' } : p))
  const queued = people.filter((p) => p.kept).length
  return {
    title: 'Close the record?',
    question: `${closeTalkRecordWarningText({ people: counted, missing })}${queued ? ` Still to be sent from this device: ${queued}.` : ''}`,
    action: 'Close record',
  }
}

function Record({ record: stored }: { readonly record: PresentedTalkRecord }) {
  const actor = useActor()
  const change = useUpdateTalkRecord(stored)
  const closing = useUpdateTalkRecord(stored)
  const { rows: people = [], requests } = useTalkRows(stored)
  const isQueued = requestKeysOf(stored['@id']).length > 0
  const changed = changedFactsIn(requests)
  const record = { ...stored, ...changed, signed: stored.signed + people.filter(hasSignedOnDevice).length }
  const closed = closingRequestIn(requests)
  const talk = linkedRecordIri(record.talk)
  const inForce = useInForce(talk)
  const keeps = can(actor, 'update', presentedTalk, { ...record, clientId: actor.clientId })
  const fixed = record.complete || record.retired || !keeps || closed !== undefined
  // Attendees can also sign records that belong to other users.
  const signs = !record.retired && can(actor, 'update', presentedTalk) && !closed
  const open = !signs ? 'fixed' : !record.complete ? (keeps ? 'open' : 'heard') : inForce ? 'late' : 'fixed'
  const [confirm, ask] = useConfirm()
  const [unsigned, setUnsigned] = useState(false)
  const left = people.filter(isOutstandingOnDevice)
  const closeRecord = (values: Readonly<Record<string, boolean>> = {}) =>
    closing.mutateAsync({ values: { complete: true, ...values }, what: 'Record closed' }).then(
      (saved) =>
        saved === QUEUED_RESULT ? toast.info(QUEUED_MESSAGE, 'attention') : toast.info('Record closed', 'safe'),
      // If closing is refused, the list of attendees shows the reason.
      () => undefined,
    )
  const close = useSingleFlight(async () => {
    if (left.length) setUnsigned(true)
    else if (await ask(closingOf(record, people))) await closeRecord()
  })
  const paper = `${talk ?? ''}/pdf?presented=${record.id}`
  const print = () => void openPdf(paper).catch((e: unknown) => toast.failed(e, print))
  const save = () => void savePdf(paper).catch((e: unknown) => toast.failed(e, save))
  const wrong = closing.error instanceof ApiError ? closing.error.violations : []
  return (
    <>
      <header className={page.head}>
        <div className={css.names}>
          <PageTitle>{record.title ?? 'Toolbox talk'}</PageTitle>
          <PresentedTalkStatusChip record={record} />
          {closed && <span className={page.quiet}>Closed on this device. Waiting to be sent.</span>}
        </div>
        <div className={page.buttons}>
          {talk && (
            <Button variant="default" component={Link} to={`/safety/toolbox-talks/view/${lastIriSegment(talk)}`}>
              Read talk
            </Button>
          )}
          {talk && !isQueued && (
            <>
              <Button variant="default" leftSection={<IconFileTypePdf size={16} aria-hidden />} onClick={print}>
                View PDF
              </Button>
              <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
                Download PDF
              </Button>
            </>
          )}
          {!fixed && (
            <Button
              variant={people.length && !left.length ? 'filled' : 'default'}
              leftSection={<IconLock size={16} aria-hidden />}
              loading={closing.isPending}
              onClick={() => void close()}
            >
              Close record
            </Button>
          )}
        </div>
      </header>
      {confirm}
      <UnsignedAttendeesDialog
        record={record}
        people={unsigned ? left : undefined}
        onClose={() => setUnsigned(false)}
        onCloseRecord={() => {
          setUnsigned(false)
          void closeRecord({ lateSignatures: true })
        }}
      />
      <OfflineNotice />
      {closing.isError && (
        <Alert role="alert" color="red" title="Record not closed yet">
          {wrong.length ? (
            <ul className={css.plain}>
              {wrong.map((v) => (
                <li key={v.propertyPath}>{v.message}</li>
              ))}
            </ul>
          ) : (
            errorSentence(closing.error)
          )}
        </Alert>
      )}
      <SimultaneousReveal waiting={<LoadingRows rows={8} />}>
        <div className={page.columns}>
          <AttendeeSection record={record} open={open} />
          <div className={page.page}>
            {talk && <TalkPointsSection talk={talk} />}
            <section className={page.card} aria-label="Time, place and presenter">
              <div className={css.facts}>
                {FACTS.map((name) => (
                  <InPlaceEditor
                    key={name}
                    name={name}
                    field={presentedTalk.fields[name]}
                    value={record[name]}
                    readOnly={fixed || isSignedTalkField(record, name)}
                    waiting={name in changed}
                    onSave={(value) =>
                      change.mutateAsync({
                        values: { [name]: value },
                        what: `${labelOf(name, presentedTalk.fields[name])} changed`,
                      })
                    }
                  />
                ))}
              </div>
              {!isQueued && (
                <AttendanceCorrections
                  record={stored}
                  mayCorrect={!record.complete && !record.retired && stored.signed > 0}
                />
              )}
            </section>
          </div>
        </div>
      </SimultaneousReveal>
      {!isQueued && <TalkActions record={stored} />}
      {stored.signed > 0 && <ConfidentialReadsOfRecord record={stored['@id']} />}
      {record.complete && hasRole(actor, DOCUMENT_AUTHOR_ROLES) && <AuditChain of={presentedTalk} id={record.id} />}
    </>
  )
}

interface UnsignedAttendeesDialogProps {
  readonly record: PresentedTalkRecord
  /** Outstanding attendees of the record; undefined while the dialog is closed. */
  readonly people: readonly TalkRow[] | undefined
  readonly onClose: () => void
  readonly onCloseRecord: () => void
}

/** Dialog for a record in which people have neither signed nor been marked absent. */
function UnsignedAttendeesDialog({ record, people, onClose, onCloseRecord }: UnsignedAttendeesDialogProps) {
  const mark = useAttendeeActions(record)
  const [absent, setAbsent] = useState<readonly TalkRow[]>()
  return (
    <>
      <Dialog opened={people !== undefined && !absent} onClose={onClose} title="Not everyone has signed" size="36rem">
        <p>{outstandingAttendeesText(people ?? [])}</p>
        <p className={page.quiet}>
          If they were here, close the record and let them sign late on their own device. The record will state that
          they had not signed when it was closed.
        </p>
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Keep open
          </Button>
          <Button variant="default" onClick={() => setAbsent(people)}>
            Mark as absent…
          </Button>
          <Button onClick={onCloseRecord}>Close and let them sign late</Button>
        </DialogActions>
      </Dialog>
      <MarkAbsentDialog
        key={absent?.length}
        name={absent && nameAll(absent)}
        onClose={() => {
          setAbsent(undefined)
          onClose()
        }}
        onAbsent={async (absence) => {
          for (const person of absent ?? [])
            await mark('absent', `${person.name} marked as absent`, { attendee: person['@id'], absence })
        }}
      />
    </>
  )
}

const nameAll = (people: readonly TalkRow[]) =>
  people.length === 1 ? people.map((p) => p.name).join() : `${people.length} people`

/** Points of the talk, shown beside the attendees for the presenter. */
function TalkPointsSection({ talk }: { readonly talk: string }) {
  const found = useApiRecord(toolboxTalk.resource, lastIriSegment(talk)).data as
    | Readonly<Record<string, unknown>>
    | undefined
  if (!found) return null
  const points = Array.isArray(found.points) ? (found.points as readonly { readonly text?: unknown }[]) : []
  return (
    <section className={page.card} aria-labelledby="to-say">
      <h2 id="to-say">Points to make</h2>
      <RichTextView html={toText(found.introduction)} />
      <ol className={css.points}>
        {points.map(({ text }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a sealed talk never changes
          <li key={i}>{toText(text)}</li>
        ))}
      </ol>
    </section>
  )
}
