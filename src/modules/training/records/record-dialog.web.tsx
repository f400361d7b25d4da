import { Text } from '@mantine/core'
import { useState } from 'react'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { toText } from '#kernel/text.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { useList } from '#web/api/resources.ts'
import { FieldInput } from '#web/forms/field-input.tsx'
import { type CustomInput, ResourceForm } from '#web/forms/resource-form.tsx'
import { useValueAt } from '#web/forms/store/use-value-store.ts'
import { linkedRecordIri } from '#web/forms/values.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { trainingCourse } from '../courses/course.ts'
import { ProofInput } from './proof-input.web.tsx'
import { RESULTS, trainingRecord } from './record.ts'
import { validityEnd } from './validity.ts'

type TrainingRecord = RecordOf<typeof trainingRecord>

const FIELDS = ['employee', 'course', 'result', 'completedOn', 'validUntil', 'validityReason'] as const
const DETAILS = ['provider', 'externalNumber', 'proof'] as const

/**
 * Returns the input of the last day of validity, with the day that the course gives if it is left empty. `known`: IRI of
 * the course, if the form does not ask for it.
 */
export const validUntilInput =
  (known?: string): CustomInput =>
  (props) => {
    const courses = useList(trainingCourse, { pagination: false }).data?.['hydra:member'] ?? []
    const entered = linkedRecordIri(useValueAt(props.store, ['course']))
    const chosen = known ?? entered
    const completedOn = toText(useValueAt(props.store, ['completedOn']))
    const course = courses.find((one) => one['@id'] === chosen)
    const end = course && completedOn ? validityEnd(completedOn, course) : undefined
    return (
      <>
        <FieldInput {...props} />
        {end !== undefined && !props.value && (
          <Text size="sm" c="dimmed">
            {end === null ? 'This course does not expire.' : `By the course: ${formatIsoDateAsUk(end)}`}
          </Text>
        )}
      </>
    )
  }

/** The reason is needed only with a last day of its own. */
export const ValidityReasonInput: CustomInput = (props) =>
  useValueAt(props.store, ['validUntil']) ? <FieldInput {...props} /> : null

/** Only a correction offers “Recorded in error”. */
const ResultInput: CustomInput = (props) => (
  <FieldInput {...props} field={{ ...props.field, options: RESULTS.filter(({ value }) => value !== 'void') }} />
)

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
