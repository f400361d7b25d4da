import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { can } from '#kernel/can.ts'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { employee as employeeResource } from '#modules/people/employees/employee.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { FieldValue } from '#web/forms/field-value.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmptyState, LoadingRows, SectionError } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import type { StoredFile } from '#web/uploads/send.ts'
import { UploadedFileLink } from '#web/uploads/thumb.tsx'
import { trainingCourse } from '../courses/course.ts'
import type { MatrixCourse, MatrixPerson } from '../matrix/matrix.ts'
import css from '../training.module.css'
import { RESULTS, trainingRecord } from './record.ts'
import RecordDialog from './record-dialog.web.tsx'

type TrainingRecord = RecordOf<typeof trainingRecord>

interface Props {
  readonly employee: MatrixPerson | undefined
  readonly course: MatrixCourse | undefined
  readonly onClose: () => void
  readonly onChanged: () => void
}

const resultLabel = (result: TrainingRecord['result']): string =>
  RESULTS.find(({ value }) => value === result)?.label ?? result

/** Returns the validity of a record in words. */
function describeValidity({ result, validUntil }: TrainingRecord): string {
  if (result === 'void' || result === 'failed') return 'Not valid'
  return validUntil ? `Valid until ${formatIsoAsUkDate(validUntil)}` : 'Does not expire'
}

/** All records of a person and a course, the latest first. A corrected record remains, marked as such. */
export default function RecordsDialog({ employee, course, onClose, onChanged }: Props) {
  const actor = useActor()
  const [open, setOpen] = useState<TrainingRecord | 'new'>()
  const query = {
    employee: iriOf(employeeResource, employee?.id ?? 0),
    course: iriOf(trainingCourse, course?.id ?? 0),
    itemsPerPage: 100,
  }
  const found = useList(trainingRecord, query, { enabled: Boolean(employee && course) })
  const rows = found.data?.['hydra:member']
  const mayRecord = can(actor, 'create', trainingRecord)
  if (!employee || !course) return null
  return (
    <Dialog opened onClose={onClose} title={`${employee.name}: ${course.name}`} size="lg">
      <Stack gap="md">
        {found.error && <SectionError error={found.error} onRetry={found.refetch} />}
        {found.isPending && <LoadingRows rows={2} />}
        {rows?.length === 0 && <EmptyState title="No training recorded" />}
        {rows && rows.length > 0 && (
          <ol className={css.records}>
            {rows.map((one) => (
              <RecordEntry key={one.id} record={one} {...(mayRecord ? { onCorrect: () => setOpen(one) } : {})} />
            ))}
          </ol>
        )}
        {mayRecord && (
          <Group>
            <Button onClick={() => setOpen('new')}>Record training</Button>
          </Group>
        )}
      </Stack>
      {open && (
        <RecordDialog
          {...(open === 'new' ? { defaults: { employee: employee.id, course: course.id } } : { corrected: open })}
          onClose={() => setOpen(undefined)}
          onSaved={onChanged}
        />
      )}
    </Dialog>
  )
}

interface EntryProps {
  readonly record: TrainingRecord
  readonly onCorrect?: () => void
}

function RecordEntry({ record, onCorrect }: EntryProps) {
  const { completedOn, result, provider, externalNumber, proof, replaced, reason, validityReason } = record
  return (
    <li>
      <Group gap="xs">
        <strong>{`${resultLabel(result)}, ${formatIsoAsUkDate(completedOn)}`}</strong>
        {replaced ? <StatusChip>Corrected</StatusChip> : <span>{describeValidity(record)}</span>}
      </Group>
      {validityReason && <Text size="sm">{`Reason for the last day: ${validityReason}`}</Text>}
      {(provider || externalNumber) && (
        <Text size="sm">{[provider, externalNumber && `number ${externalNumber}`].filter(Boolean).join(', ')}</Text>
      )}
      {reason && <Text size="sm">{`Correction: ${reason}`}</Text>}
      {proof?.url ? (
        <UploadedFileLink file={proof as unknown as StoredFile} />
      ) : (
        <Text size="sm" c="dimmed">
          No proof attached
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {'Recorded by '}
        <FieldValue field={trainingRecord.fields.author} value={record.author} />
        {', '}
        <DateTimeText at={record.createdAt} />
      </Text>
      {onCorrect && !replaced && (
        <Button variant="default" onClick={onCorrect}>
          Correct this record
        </Button>
      )}
    </li>
  )
}
