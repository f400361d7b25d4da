import { ActionIcon, Button, Group, TextInput, UnstyledButton } from '@mantine/core'
import { IconCheck, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { ChooserAddButton } from '#web/lists/chooser/record-chooser.tsx'
import { AddRowButton, RowsTable } from '#web/lists/rows-table.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { formatMarkedName, lookups } from '../lookups/lookup.ts'
import { type IncidentRecord, useReportRows } from '../reports/save-rows.web.ts'
import { INCIDENT_BOOK_ROLES } from '../rights.ts'

interface Props {
  readonly report: IncidentRecord
  readonly readOnly: boolean
}

/** Dangerous occurrences (RIDDOR, Schedule 2) in an incident. Deleting one retires it. */
export function Occurrences({ report, readOnly }: Props) {
  const actor = useActor()
  const [adding, setAdding] = useState(false)
  const [dialog, ask] = useConfirm()
  const rows = useReportRows(report, 'dangerousOccurrences')
  if (!hasRole(actor, INCIDENT_BOOK_ROLES)) return <p>Safety authors add dangerous occurrences.</p>
  const chosen = (report.dangerousOccurrences ?? []).filter(({ retired }) => !retired)
  const remove = async (row: (typeof chosen)[number]) => {
    const yes = await ask({
      title: 'Deleting Dangerous Occurrence',
      question: 'Are you sure you want to delete this item?',
      action: 'Delete',
      meaning: 'stop',
    })
    if (yes) await rows.change(row['@id'], { retired: true }).catch((e: unknown) => toast.failed(e))
  }
  return (
    <>
      <RowsTable
        label="Dangerous occurrences"
        search={!readOnly}
        heads={readOnly ? ['Name', 'HSE number', 'Description'] : ['Name', 'HSE number', 'Description', 'Actions']}
        empty="No Items"
        actions={!readOnly && <AddRowButton onAdd={() => setAdding(true)} />}
        rows={chosen.map((row) => {
          const name = formatMarkedName(row.dangerousOccurrence ?? {})
          const description = row.dangerousOccurrence?.description ?? ''
          return {
            key: row.id,
            words: `${name} ${row.hseNumber} ${description}`,
            cells: [
              name,
              readOnly ? (
                row.hseNumber || '—'
              ) : (
                <HseNumber
                  key="number"
                  name={name}
                  number={row.hseNumber}
                  onSave={(hseNumber) => rows.change(row['@id'], { hseNumber })}
                />
              ),
              description,
              <ActionIcon
                key="delete"
                variant="subtle"
                color="red"
                size={36}
                aria-label={`Delete ${name}`}
                onClick={() => void remove(row)}
              >
                <IconTrash size={18} aria-hidden />
              </ActionIcon>,
            ].slice(0, readOnly ? 3 : 4),
          }
        })}
      />
      <Dialog opened={adding} onClose={() => setAdding(false)} title="Add a dangerous occurrence">
        <OfferedOccurrences
          chosen={chosen.map(({ dangerousOccurrence: one }) => one?.['@id'] ?? '')}
          onAdd={(iri) => rows.add({ dangerousOccurrence: iri })}
        />
        <DialogActions>
          <Button variant="default" onClick={() => setAdding(false)}>
            Close
          </Button>
        </DialogActions>
      </Dialog>
      {dialog}
    </>
  )
}

interface OfferedProps {
  /** IRIs of the occurrences that are already chosen. */
  readonly chosen: readonly string[]
  readonly onAdd: (iri: string) => Promise<unknown>
}

/** Searchable list of the dangerous occurrences that are not chosen yet. */
function OfferedOccurrences({ chosen, onAdd }: OfferedProps) {
  const list = useList(lookups.dangerousOccurrences, { retired: false, pagination: false })
  const [adding, setAdding] = useState<string>()
  if (list.error) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <LoadingRows rows={6} />
  const add = async (iri: string) => {
    setAdding(iri)
    await onAdd(iri).catch((e: unknown) => toast.failed(e))
    setAdding(undefined)
  }
  const offered = list.data['hydra:member'].filter((one) => !chosen.includes(one['@id']))
  return (
    <RowsTable
      label="Dangerous occurrences to add"
      search
      heads={['Name', 'Description', 'Actions']}
      empty="All dangerous occurrences are chosen."
      rows={offered.map((one) => ({
        key: one.id,
        words: `${one.name} ${one.description}`,
        cells: [
          formatMarkedName(one),
          one.description,
          <ChooserAddButton
            key="add"
            name={one.name}
            added={false}
            refused={adding !== undefined}
            onAdd={() => void add(one['@id'])}
          />,
        ],
      }))}
    />
  )
}

interface HseNumberProps {
  readonly name: string
  readonly number: string
  readonly onSave: (number: string) => Promise<unknown>
}

/** HSE number that is edited in its cell. */
function HseNumber({ name, number, onSave }: HseNumberProps) {
  const [typed, setTyped] = useState<string>()
  if (typed === undefined)
    return (
      <UnstyledButton
        c="signal"
        mih={36}
        aria-label={number ? `Edit HSE number ${number} of ${name}` : `add HSE Number to ${name}`}
        onClick={() => setTyped(number)}
      >
        {number || 'add HSE Number'}
      </UnstyledButton>
    )
  const save = async () => {
    try {
      if (typed.trim() !== number) await onSave(typed.trim())
      setTyped(undefined)
    } catch (e) {
      toast.failed(e)
    }
  }
  return (
    <Group
      component="form"
      gap={4}
      wrap="nowrap"
      onSubmit={(e: FormEvent) => {
        e.preventDefault()
        void save()
      }}
    >
      <TextInput
        aria-label={`HSE number of ${name}`}
        autoFocus
        maxLength={20}
        value={typed}
        onChange={(e) => setTyped(e.currentTarget.value)}
        onKeyDown={(e) => e.key === 'Escape' && setTyped(undefined)}
      />
      <ActionIcon type="submit" variant="default" size={36} aria-label={`Save the HSE number of ${name}`}>
        <IconCheck size={18} aria-hidden />
      </ActionIcon>
    </Group>
  )
}
