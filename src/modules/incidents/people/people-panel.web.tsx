import { ActionIcon, Text } from '@mantine/core'
import { IconEye, IconPencil, IconTrash } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { AddRowButton, RowsTable } from '#web/lists/rows-table.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import { useWasEverTrue } from '#web/ui/use-was-ever-true.ts'
import css from '../reports/incidents.module.css'
import { type IncidentRecord, useReportRows } from '../reports/save-rows.web.ts'
import { INCIDENT_READER_ROLE } from '../rights.ts'
import { RequestLines, useStatementRequests } from './statement-requests.web.tsx'

const PersonDialog = lazyComponent(async () => ({
  default: (await import('./person-dialog.web.tsx')).PersonDialog,
}))

interface Props {
  readonly report: IncidentRecord
  readonly readOnly: boolean
}

type Person = NonNullable<IncidentRecord['personnel']>[number]

const HEADS = ['Type', 'Name', 'Statement', 'Actions']
const MAX_STATEMENT_CHARACTERS = 160

/** Injured parties and witnesses of an incident. Users who may not read health details see no names. */
export function PeoplePanel({ report, readOnly }: Props) {
  const actor = useActor()
  const [open, setOpen] = useState<Person | 'new'>()
  const wasOpen = useWasEverTrue(open !== undefined)
  const [dialog, ask] = useConfirm()
  const rows = useReportRows(report, 'personnel')
  const requests = useStatementRequests(report)
  const isReader = hasRole(actor, INCIDENT_READER_ROLE)
  const mayEdit = !readOnly && (isReader || (report.state === 'draft' && report.author === actor.username))
  const people = (report.personnel ?? []).filter(({ retired }) => !retired)
  const isHidden = people.some(({ name }) => name === undefined)
  const hasActions = mayEdit || people.some(({ name }) => name !== undefined)
  const remove = async (person: Person) => {
    const yes = await ask({
      title: 'Deleting Personnel',
      question: 'Are you sure you want to delete this item?',
      action: 'Delete',
      meaning: 'stop',
    })
    if (yes) await rows.change(person['@id'], { retired: true }).catch((e: unknown) => toast.failed(e))
  }
  return (
    <>
      {(isHidden || (!readOnly && !mayEdit)) && (
        <Text size="sm" c="dimmed">
          {isHidden
            ? 'Names, health details and statements are hidden: only users with the role “Reads health details of incidents”, the reporter and the person concerned see them, and only the first change them.'
            : 'Only users with the role “Reads health details of incidents” can change the people of a reported incident.'}
        </Text>
      )}
      <RowsTable
        label="Witness / injured party"
        search={!readOnly}
        heads={hasActions ? HEADS : HEADS.slice(0, 3)}
        empty="No Items"
        actions={mayEdit && <AddRowButton onAdd={() => setOpen('new')} />}
        rows={people.map((person) => {
          const name = injuredPersonName(person)
          return {
            key: person.id,
            words: `${name} ${person.statement ?? ''}`,
            cells: [
              <PersonTypeChip key="type" person={person} />,
              name,
              <Statement key="statement" person={person} name={name} requests={requests} />,
              <div key="actions" className={css.actions}>
                {person.name !== undefined && (
                  <ActionIcon
                    variant="subtle"
                    size={36}
                    aria-label={`${mayEdit ? 'Edit' : 'View'} ${name}`}
                    onClick={() => setOpen(person)}
                  >
                    {mayEdit ? <IconPencil size={18} aria-hidden /> : <IconEye size={18} aria-hidden />}
                  </ActionIcon>
                )}
                {mayEdit && (
                  <ActionIcon
                    variant="subtle"
                    color="red"
                    size={36}
                    aria-label={`Delete ${name}`}
                    onClick={() => void remove(person)}
                  >
                    <IconTrash size={18} aria-hidden />
                  </ActionIcon>
                )}
              </div>,
            ].slice(0, hasActions ? 4 : 3),
          }
        })}
      />
      {wasOpen && (
        <Suspense>
          <PersonDialog report={report} person={open} readOnly={!mayEdit} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
      {dialog}
    </>
  )
}

/** Name of a person; for readers who may not see it, their type. */
const injuredPersonName = ({ name, recordType }: Person): string =>
  name ?? (recordType === 'WT' ? 'Witness' : 'Injured person')

interface StatementProps {
  readonly person: Person
  readonly name: string
  readonly requests: ReturnType<typeof useStatementRequests>
}

/** Statement of a person, its origin, and the status of the requests for it. */
const Statement = ({ person, name, requests }: StatementProps) => (
  <>
    {shortStatement(person)}
    {person.statementReceivedAt && <StatusChip meaning="safe">Given by link</StatusChip>}
    <RequestLines requests={requests.filter((one) => one.person === person['@id'])} name={name} />
  </>
)

function shortStatement({ statement }: Person): string {
  if (statement === undefined) return 'Hidden'
  if (!statement) return '—'
  return statement.length > MAX_STATEMENT_CHARACTERS ? `${statement.slice(0, MAX_STATEMENT_CHARACTERS)}…` : statement
}

const PersonTypeChip = ({ person: { recordType, detailed } }: { readonly person: Person }) => (
  <div className={css.actions}>
    {recordType === 'IP' ? (
      <StatusChip meaning="attention">Injured Party</StatusChip>
    ) : (
      <StatusChip hue="slate">Witness</StatusChip>
    )}
    {!detailed && <StatusChip>Details incomplete</StatusChip>}
  </div>
)
