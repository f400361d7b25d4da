import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { labelOf } from '#kernel/fields.ts'
import { iriOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { FieldInput } from '#web/forms/field-input.tsx'
import { type CustomInput, ResourceForm } from '#web/forms/resource-form.tsx'
import layout from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { LoadingRows, SectionError } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { FileDrop } from '#web/uploads/file-drop.tsx'
import { UploadsProgress } from '#web/uploads/progress.tsx'
import { useFileUploads } from '#web/uploads/queue.ts'
import type { StoredFile } from '#web/uploads/send.ts'
import { UploadedFileLink } from '#web/uploads/thumb.tsx'
import { trainingCourse } from '../courses/course.ts'
import { PROOFS_URL, trainingProof, trainingRecord } from '../records/record.ts'
import { ResultInput, ValidityReasonInput, validUntilInput } from '../records/record-inputs.web.tsx'
import { type CertificateReading, proposalsUrl } from './proposals.ts'

const FIELDS = [
  'employee',
  'course',
  'result',
  'completedOn',
  'validUntil',
  'validityReason',
  'provider',
  'externalNumber',
] as const

/** Uploads certificates, and shows what their text proposes. A person confirms each of them. */
export default function CertificatesPage() {
  const [files, setFiles] = useState<readonly StoredFile[]>([])
  const { uploads, add, retry, remove } = useFileUploads<StoredFile>({
    to: PROOFS_URL,
    onDone: (file) => setFiles((all) => [...all, file]),
  })
  return (
    <Page
      title="Certificates"
      about="Add several certificates at once. Their text proposes people, courses and dates. Nothing is filled in or recorded until you choose and confirm it."
    >
      <Stack gap="lg">
        <FileDrop label="Add certificates" onFiles={add} />
        <UploadsProgress uploads={uploads} onRetry={retry} onRemove={remove} />
        {files.map((file) => (
          <Certificate key={file.id} file={file} />
        ))}
      </Stack>
    </Page>
  )
}

function Certificate({ file }: { readonly file: StoredFile }) {
  const [recorded, setRecorded] = useState('')
  const url = proposalsUrl(file.id)
  const reading = useQuery({ queryKey: [url], ...urlQueryOptions<CertificateReading>(url) })
  return (
    <section className={layout.card} aria-label={file.name}>
      <Group gap="sm" mb="md">
        <Title order={2} size="h4">
          {file.name}
        </Title>
        <StatusChip meaning={recorded ? 'safe' : 'attention'}>{recorded || 'Not recorded yet'}</StatusChip>
      </Group>
      <UploadedFileLink file={file} />
      {reading.isPending && <LoadingRows rows={2} />}
      {reading.error && <SectionError error={reading.error} onRetry={reading.refetch} />}
      {reading.data && !recorded && (
        <>
          {reading.data.unreadable && (
            <Text my="sm">{`${reading.data.unreadable} Please enter the values yourself.`}</Text>
          )}
          <ConfirmForm
            file={file}
            reading={reading.data}
            onRecorded={(name, course) => setRecorded(`Recorded: ${name}, ${course}`)}
          />
        </>
      )}
    </section>
  )
}

interface Proposal {
  readonly value: string
  readonly label: string
}

/** Returns an input with a button for each proposal. A proposal is filled in only when it is pressed. */
const withProposals =
  (proposals: readonly Proposal[], Input: CustomInput = (props) => <FieldInput {...props} />): CustomInput =>
  (props) => (
    <>
      <Input {...props} />
      {proposals.length > 0 && (
        <Group gap="xs" mt="xs" role="group" aria-label={`Proposals: ${labelOf(props.name, props.field)}`}>
          {proposals.map(({ value, label }) => (
            <Button key={`${value} ${label}`} variant="default" size="xs" onClick={() => props.onChange(value)}>
              {label}
            </Button>
          ))}
        </Group>
      )}
    </>
  )

interface FormProps {
  readonly file: StoredFile
  readonly reading: CertificateReading
  readonly onRecorded: (name: string, course: string) => void
}

function ConfirmForm({ file, reading, onRecorded }: FormProps) {
  const [inputs] = useState(() => {
    const dates = reading.dates.map(({ date, words }) => ({
      value: date,
      label: `${formatIsoDateAsUk(date)}: “${words}”`,
    }))
    const people = reading.people.map(({ id, name }) => ({ value: iriOf(employee, id), label: name }))
    const courses = reading.courses.map(({ id, name }) => ({ value: iriOf(trainingCourse, id), label: name }))
    return {
      employee: withProposals(people),
      course: withProposals(courses),
      result: ResultInput,
      completedOn: withProposals(dates),
      validUntil: withProposals(dates, validUntilInput()),
      validityReason: ValidityReasonInput,
    }
  })
  return (
    <ResourceForm
      resource={trainingRecord}
      fields={FIELDS}
      extra={{ proof: iriOf(trainingProof, file.id) }}
      inputs={inputs}
      wide={['completedOn', 'validUntil']}
      focused={false}
      decided
      action="Record training"
      done={() => 'The training is recorded'}
      onSaved={({ employee: { name }, course }) => onRecorded(name, course.name)}
    />
  )
}
