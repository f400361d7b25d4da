import { useState } from 'react'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { trainingCourse } from '../courses/course.ts'
import { trainingRecord } from './record.ts'
import { ProofInput, ResultInput, ValidityReasonInput, validUntilInput } from './record-inputs.web.tsx'

type TrainingRecord = RecordOf<typeof trainingRecord>

const FIELDS = ['employee', 'course', 'result', 'completedOn', 'validUntil', 'validityReason'] as const
const DETAILS = ['provider', 'externalNumber', 'proof'] as const

const INPUTS = { validityReason: ValidityReasonInput, proof: ProofInput }

interface Props {
  /** Person and course that are already chosen. */
  readonly defaults?: { readonly employee: number; readonly course: number }
  /** Record to correct. */
  readonly corrected?: TrainingRecord
  readonly onClose: () => void
  readonly onSaved: () => void
}

/** Records training of one person, or corrects a record by a further one. */
export default function RecordDialog({ defaults, corrected, onClose, onSaved }: Props) {
  const of = corrected
    ? { employee: corrected.employee['@id'], course: corrected.course['@id'] }
    : defaults && {
        employee: iriOf(employee, defaults.employee),
        course: iriOf(trainingCourse, defaults.course),
      }
  const [validUntil] = useState(() => validUntilInput(of?.course))
  const former = corrected && {
    result: corrected.result,
    completedOn: corrected.completedOn,
    provider: corrected.provider,
    externalNumber: corrected.externalNumber,
    proof: corrected.proof?.['@id'] ?? null,
    validUntil: corrected.validityReason ? corrected.validUntil : null,
    validityReason: corrected.validityReason,
  }
  return (
    <Dialog opened onClose={onClose} title={corrected ? 'Correct a training record' : 'Record training'}>
      <ResourceForm
        resource={trainingRecord}
        fields={[...(of ? FIELDS.slice(2) : FIELDS), ...DETAILS, ...(corrected ? (['reason'] as const) : [])]}
        extra={{ ...of, ...(corrected ? { replaces: corrected['@id'] } : {}) }}
        {...(of ? { defaults: { ...of, ...former } } : {})}
        inputs={{ ...INPUTS, validUntil, ...(corrected ? {} : { result: ResultInput }) }}
        wide={['proof', 'reason']}
        decided
        action={corrected ? 'Record correction' : 'Record training'}
        done={() => 'The training is recorded'}
        onCancel={onClose}
        onSaved={() => {
          onSaved()
          onClose()
        }}
      />
    </Dialog>
  )
}
