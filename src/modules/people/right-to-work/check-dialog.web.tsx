import '@mantine/core/styles/Combobox.layer.css'
import { Alert, Select, Stack, Text } from '@mantine/core'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { toText } from '#kernel/text.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { useList } from '#web/api/resources.ts'
import { FieldInput } from '#web/forms/field-input.tsx'
import { fieldInputLabel } from '#web/forms/labels.ts'
import { type CustomInput, ResourceForm } from '#web/forms/resource-form.tsx'
import { useValueAt } from '#web/forms/store/use-value-store.ts'
import type { ValueStore } from '#web/forms/store/value-store.ts'
import { linkedRecordIri } from '#web/forms/values.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { employee } from '../employees/employee.ts'
import { rightToWorkCheck, rightToWorkDocument } from './right-to-work.ts'
import type { RightToWorkRecord } from './status.web.tsx'

type Check = RecordOf<typeof rightToWorkCheck>

const FIELDS = ['method', 'document', 'checkedOn', 'checkedBy', 'expiresOn', 'noticeOn', 'shareCode', 'notes'] as const
/** Values that belong to a document, and are emptied with it. */
const WITHOUT_DOCUMENT = { document: null, expiresOn: null, noticeOn: null, shareCode: '' }

function useDocument(store: ValueStore) {
  const documents = useList(rightToWorkDocument).data?.['hydra:member'] ?? []
  const chosen = linkedRecordIri(useValueAt(store, ['document']))
  return { documents, chosen: documents.find((one) => one['@id'] === chosen) }
}

const MethodInput: CustomInput = (props) => (
  <FieldInput {...props} onChange={(method) => props.set({ ...WITHOUT_DOCUMENT, method })} />
)

/** Documents that the chosen method accepts, by list and group. Permits that are no proof are offered with the reason. */
const DocumentInput: CustomInput = ({ id, name, field, store, set, error }) => {
  const { documents, chosen } = useDocument(store)
  const method = toText(useValueAt(store, ['method']))
  const offered = documents.filter(({ methods, retired }) => methods.includes(method) && !retired)
  const groups = Map.groupBy(offered, ({ list, documentGroup }) =>
    list ? `List ${list}${documentGroup ? `, group ${documentGroup}` : ''}` : 'No proof',
  )
  return (
    <Select
      {...(id ? { id } : {})}
      label={fieldInputLabel(name, field)}
      required
      disabled={!method}
      placeholder={method ? '' : 'Choose the method first'}
      data={[...groups].map(([group, some]) => ({
        group,
        items: some.map((one) => ({ value: one['@id'], label: one.name })),
      }))}
      value={chosen?.['@id'] ?? null}
      error={error ?? (chosen?.refusal || undefined)}
      onChange={(document) => set({ ...WITHOUT_DOCUMENT, document })}
    />
  )
}

/** Input of a detail that only some documents have. */
const inputFor =
  (validities: readonly string[]): CustomInput =>
  (props) => {
    const { chosen } = useDocument(props.store)
    return chosen && !chosen.refusal && validities.includes(chosen.validity) ? <FieldInput {...props} /> : null
  }

const ShareCodeInput: CustomInput = (props) =>
  useValueAt(props.store, ['method']) === 'shareCode' ? <FieldInput {...props} /> : null

const INPUTS = {
  method: MethodInput,
  document: DocumentInput,
  expiresOn: inputFor(['any', 'current', 'limited']),
  noticeOn: inputFor(['notice']),
  shareCode: ShareCodeInput,
}

/** Returns the reason why a check on a day leaves a time without defence; undefined if it does not, or nobody knows. */
function lateReason({ extCStartDate, checkedOn: former, nextCheckBy }: RightToWorkRecord, checkedOn: string) {
  if (former)
    return nextCheckBy && checkedOn > nextCheckBy
      ? `The defence of the earlier check ended on ${formatIsoDateAsUk(nextCheckBy)}.`
      : undefined
  return extCStartDate && checkedOn >= extCStartDate
    ? `The first day of employment is ${formatIsoDateAsUk(extCStartDate)}, and this check is not before it.`
    : undefined
}

/** States whether a check on the entered day is before the first day of employment, or the end of the earlier defence. */
function TimeOfCheck({ status, checkedOn }: { readonly status: RightToWorkRecord; readonly checkedOn: string }) {
  const reason = checkedOn && lateReason(status, checkedOn)
  if (reason)
    return (
      <Alert color="yellow" role="status">
        {`${reason} The check is stored, but is no statutory defence for the time before it.`}
      </Alert>
    )
  if (status.checkedOn) return null
  return (
    <Text size="sm">
      {status.extCStartDate
        ? `First day of employment: ${formatIsoDateAsUk(status.extCStartDate)}. Check before it.`
        : 'The employment start date is missing. The portal can’t show whether the check is before the first day.'}
    </Text>
  )
}

const checkedOnInput =
  (status: RightToWorkRecord): CustomInput =>
  (props) => (
    <Stack gap="xs">
      <FieldInput {...props} />
      <TimeOfCheck status={status} checkedOn={toText(props.value)} />
    </Stack>
  )

interface Props {
  readonly status: RightToWorkRecord
  /** Check to correct, with its details. A new check is recorded without one. */
  readonly corrected?: Check | undefined
  readonly onClose: () => void
  readonly onSaved: (check: number) => void
}

/** Form of a check. A correction is a new check that supersedes the wrong one. */
export function CheckDialog({ status, corrected, onClose, onSaved }: Props) {
  const of = iriOf(employee, status.id)
  const defaults = corrected && Object.fromEntries(FIELDS.map((name) => [name, corrected[name]]))
  return (
    <Dialog
      opened
      onClose={onClose}
      title={corrected ? `Correct a check of ${status.name}` : `Record a check of ${status.name}`}
    >
      <ResourceForm
        resource={rightToWorkCheck}
        fields={corrected ? [...FIELDS, 'correction'] : FIELDS}
        extra={{ employee: of, ...(corrected ? { corrects: corrected['@id'] } : {}) }}
        {...(defaults ? { defaults } : {})}
        inputs={{ ...INPUTS, checkedOn: checkedOnInput(status) }}
        wide={['document', 'correction']}
        decided
        action={corrected ? 'Record correction' : 'Record check'}
        done={() => 'The check is recorded'}
        onCancel={onClose}
        onSaved={({ id }) => onSaved(id)}
      />
    </Dialog>
  )
}
