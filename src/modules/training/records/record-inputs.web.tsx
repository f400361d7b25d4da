import { Text } from '@mantine/core'
import { toText } from '#kernel/text.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { useList } from '#web/api/resources.ts'
import { FieldInput } from '#web/forms/field-input.tsx'
import type { CustomInput } from '#web/forms/resource-form.tsx'
import { useValueAt } from '#web/forms/store/use-value-store.ts'
import { linkedRecordIri } from '#web/forms/values.ts'
import { createFileInput } from '#web/uploads/file-input.tsx'
import { trainingCourse } from '../courses/course.ts'
import { PROOFS_URL, RESULTS, trainingProof } from './record.ts'
import { validityEnd } from './validity.ts'

/** Input of the certificate. */
export const ProofInput = createFileInput({
  label: 'Certificate or other proof',
  to: PROOFS_URL,
  resource: trainingProof,
})

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
export const ResultInput: CustomInput = (props) => (
  <FieldInput {...props} field={{ ...props.field, options: RESULTS.filter(({ value }) => value !== 'void') }} />
)
