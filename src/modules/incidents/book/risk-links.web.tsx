import { Anchor, Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { canRunActionInState } from '#kernel/can.ts'
import { lastIriSegment } from '#kernel/iri.ts'
import { hasRole } from '#kernel/roles.ts'
import { toText } from '#kernel/text.ts'
import { riskAssessment } from '#modules/safety/risk/risk-assessment.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { linkedRecordIri } from '#web/forms/values.ts'
import { ChooserAddButton, RecordChooserDialog } from '#web/lists/chooser/record-chooser.tsx'
import { AddRowButton, RowsTable } from '#web/lists/rows-table.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { incidentReport } from '../reports/incident-report.ts'
import css from '../reports/incidents.module.css'
import { type IncidentRecord, useRefetchIncident, useReportRows } from '../reports/save-rows.web.ts'
import { INCIDENT_BOOK_ROLES } from '../rights.ts'

interface Props {
  readonly report: IncidentRecord
  readonly readOnly: boolean
}

const EMPTY = "No associated Risk Assessments, click the 'ADD' button above to select one."
const { resource: assessments, screens } = riskAssessment

/** Risk assessments that concern an incident, or other text if there is none. */
export function RiskLinks({ report, readOnly }: Props) {
  const actor = useActor()
  const [adding, setAdding] = useState<'assessment' | 'other'>()
  const [dialog, ask] = useConfirm()
  const rows = useReportRows(report, 'riskLinks')
  if (!hasRole(actor, INCIDENT_BOOK_ROLES)) return <p>Safety authors add risk assessments.</p>
  const links = report.riskLinks ?? []
  const mayReview = canRunActionInState(actor, 'requestReview', incidentReport, report.state) && !report.retired
  const remove = async (iri: string) => {
    const yes = await ask({
      title: 'Deleting Associated Risk Assessments',
      question: 'Are you sure you wish to delete this item?',
      action: 'Delete',
      meaning: 'stop',
    })
    if (yes) await rows.remove(iri).catch((e: unknown) => toast.failed(e))
  }
  const fail = (e: unknown) => toast.failed(e)
  return (
    <>
      <RowsTable
        label="Risk assessments"
        heads={['Document Number', 'Description', 'Actions']}
        empty={readOnly ? 'No associated Risk Assessments.' : EMPTY}
        actions={
          !readOnly && (
            <>
              <AddRowButton onAdd={() => setAdding('assessment')} />
              <AddRowButton onAdd={() => setAdding('other')}>Add other</AddRowButton>
            </>
          )
        }
        rows={links.map((row) => {
          const iri = linkedRecordIri(row.riskAssessment)
          const name = row.riskAssessmentDocumentNumber || (iri ? 'Risk assessment' : 'Other')
          return {
            key: row.id,
            words: name,
            cells: [
              iri ? (
                <Anchor key="link" component={Link} to={`${screens.list}/view/${lastIriSegment(iri)}`}>
                  {name}
                </Anchor>
              ) : (
                name
              ),
              row.description || row.other,
              <div key="actions" className={css.actions}>
                {iri && mayReview && <ReviewButton report={report} assessment={iri} name={name} />}
                {!readOnly && (
                  <Button
                    variant="subtle"
                    color="red"
                    size="compact-md"
                    aria-label={`Delete ${name}`}
                    onClick={() => void remove(row['@id'])}
                  >
                    Delete
                  </Button>
                )}
              </div>,
            ],
          }
        })}
      />
      <RecordChooserDialog
        opened={adding === 'assessment'}
        onClose={() => setAdding(undefined)}
        title="Add a risk assessment"
        r={{ ...assessments, url: `${assessments.url}/list_associated` }}
        params={{ state: ['current', 'complete'] }}
        label="Risk assessments"
        heads={['Document Number', 'Description', 'Actions']}
        draw={(row) => {
          const number = toText(row.documentNumber)
          return [
            `${number}, revision ${toText(row.revision)}`,
            `${toText(row.description) || toText(row.project)} (${formatIsoAsUkDateTime(toText(row.completedAt))})`,
            <ChooserAddButton
              key="add"
              name={number}
              added={links.some((one) => one.riskAssessmentDocumentNumber === number)}
              onAdd={() => void rows.add({ riskAssessment: toText(row['@id']) }).catch(fail)}
            />,
          ]
        }}
      />
      <Dialog opened={adding === 'other'} onClose={() => setAdding(undefined)} title="Add other" size="32rem">
        <OtherLink
          onCancel={() => setAdding(undefined)}
          onAdd={async (other) => {
            await rows.add({ other })
            setAdding(undefined)
          }}
        />
      </Dialog>
      {dialog}
    </>
  )
}

interface ReviewProps {
  readonly report: IncidentRecord
  readonly assessment: string
  readonly name: string
}

function ReviewButton({ report, assessment, name }: ReviewProps) {
  const [busy, setBusy] = useState(false)
  const refetch = useRefetchIncident(report)
  const request = async () => {
    setBusy(true)
    try {
      await callApi('POST', `${report['@id']}/request-review`, { riskAssessment: assessment })
      toast.info(`Review of ${name} requested`, 'safe')
      await refetch()
    } catch (e) {
      toast.failed(e)
    }
    setBusy(false)
  }
  return (
    <Button
      variant="default"
      size="compact-md"
      loading={busy}
      aria-label={`Request review of ${name}`}
      onClick={() => void request()}
    >
      Request review
    </Button>
  )
}

interface OtherProps {
  readonly onAdd: (text: string) => Promise<void>
  readonly onCancel: () => void
}

function OtherLink({ onAdd, onCancel }: OtherProps) {
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState<string>()
  const add = async () => {
    if (!text.trim()) return setWrong('Field required, please enter text')
    await onAdd(text.trim()).catch((e: unknown) => toast.failed(e))
  }
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        void add()
      }}
    >
      <TextInput
        label="Other (Required)"
        description="For example the reason why there is no risk assessment."
        maxLength={500}
        data-autofocus
        value={text}
        error={wrong}
        onChange={(e) => setText(e.currentTarget.value)}
      />
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit">Add</Button>
      </DialogActions>
    </form>
  )
}
