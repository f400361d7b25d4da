import { Alert, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import { customForm, customFormVersion } from '#modules/safety/custom-forms/custom-form.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import { FieldInput } from '#web/forms/field-input.tsx'
import { type CustomInput, ResourceForm } from '#web/forms/resource-form.tsx'
import { SchemaForm } from '#web/forms/schema/schema-form.tsx'
import { useFormStore } from '#web/forms/schema/store.ts'
import { useValueAt } from '#web/forms/store/use-value-store.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { CHECK_RESULTS, equipmentCheck, FORM_CHECK_URL, type RequiredCheck } from './check.ts'
import type { EquipmentItem } from './item.ts'

const FIELDS = ['result', 'defects', 'immediateDanger', 'checkedOn', 'hours'] as const

const ResultInput: CustomInput = (props) => (
  <FieldInput {...props} field={{ ...props.field, options: CHECK_RESULTS.filter(({ value }) => value !== 'void') }} />
)

/** Defects belong to a failed check. */
const ofFailure: CustomInput = (props) =>
  useValueAt(props.store, ['result']) === 'failed' ? <FieldInput {...props} /> : null

const INPUTS: Readonly<Record<string, CustomInput>> = {
  result: ResultInput,
  defects: ofFailure,
  immediateDanger: ofFailure,
}
const DEFECT_INPUTS: Readonly<Record<string, CustomInput>> = {}

interface Props {
  readonly item: EquipmentItem
  /** Check that takes place. Undefined for a defect, or for the check after its repair. */
  readonly required?: RequiredCheck | undefined
  /** True to report a defect. */
  readonly isDefect?: boolean
  readonly onClose: () => void
  readonly onSaved: () => void
}

/** Records a check of an item, also without connection, or reports a defect. */
export default function CheckDialog(props: Props) {
  const { item, required, isDefect = false, onClose } = props
  const title = isDefect ? `Report a defect: ${item.name}` : `${required?.name ?? 'Check after a repair'}: ${item.name}`
  return (
    <Dialog opened onClose={onClose} title={title}>
      <Stack gap="md">
        <OfflineNotice>
          You are offline. The check is saved on this device and sent when you are online again.
        </OfflineNotice>
        {required?.form ? <FormCheck {...props} form={required.form} /> : <PlainCheck {...props} />}
      </Stack>
    </Dialog>
  )
}

const shownFields = ({ required, isDefect }: Props) =>
  FIELDS.filter((name) => (name !== 'hours' || required?.unit === 'hours') && (name !== 'result' || !isDefect))

const FAILED = 'A failed check takes the item out of service at once, and creates a corrective action.'

function PlainCheck(props: Props) {
  const { item, required, isDefect, onClose, onSaved } = props
  return (
    <>
      <Text size="sm">
        {isDefect
          ? 'A reported defect takes the item out of service at once, and creates a corrective action.'
          : FAILED}
      </Text>
      <ResourceForm
        resource={equipmentCheck}
        fields={shownFields(props)}
        defaults={{ checkedOn: londonToday() }}
        extra={{
          item: item['@id'],
          ...(required ? { requiredCheck: required['@id'] } : {}),
          ...(isDefect ? { result: 'failed' } : {}),
        }}
        inputs={isDefect ? DEFECT_INPUTS : INPUTS}
        wide={['result', 'defects', 'immediateDanger']}
        action={isDefect ? 'Report the defect' : 'Record the check'}
        done={() => (isDefect ? 'The defect is reported' : 'The check is recorded')}
        onCancel={onClose}
        onSaved={() => {
          onSaved()
          onClose()
        }}
      />
    </>
  )
}

function FormCheck({ form: iri, ...props }: Props & { readonly form: string }) {
  const form = useApiRecord(customForm, idFromAnyIri(iri))
  const version = useApiRecord(customFormVersion, form.data?.current ? idFromAnyIri(form.data.current) : undefined)
  const error = form.error ?? version.error
  if (error) return <ErrorState error={error} onRetry={() => void form.refetch()} />
  if (!version.data) return <LoadingRows rows={6} />
  return <FilledCheck {...props} version={version.data['@id']} schema={version.data.schema as FormSchema} />
}

/** Questions of the form, and beneath them the result. Both are sent as one request. */
function FilledCheck({ schema, version, ...props }: Props & { readonly schema: FormSchema; readonly version: string }) {
  const { item, required, onClose, onSaved } = props
  const store = useFormStore(schema, {})
  const [answers, setAnswers] = useState(() => store.values())
  useEffect(() => store.onAny(() => setAnswers(store.values())), [store])
  return (
    <>
      <SchemaForm store={store} stepIn="here" />
      <Alert color="signal" title="Result">
        <Text size="sm">{FAILED}</Text>
      </Alert>
      <ResourceForm
        resource={{ ...equipmentCheck, url: FORM_CHECK_URL }}
        fields={shownFields(props)}
        defaults={{ checkedOn: londonToday() }}
        extra={{ item: item['@id'], requiredCheck: required?.['@id'], version, answers }}
        inputs={INPUTS}
        wide={['result', 'defects', 'immediateDanger']}
        focused={false}
        action="Record the check"
        done={() => 'The check is recorded'}
        onCancel={onClose}
        onSaved={() => {
          onSaved()
          onClose()
        }}
      />
    </>
  )
}
