import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { MultiSelect } from '@mantine/core'
import { labelOf } from '#kernel/fields.ts'
import type { RecordOf } from '#kernel/resource.ts'
import type { FieldInputProps } from '#web/forms/field-input.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { linkedRecordIri } from '#web/forms/values.ts'
import { ErrorText } from '#web/ui/error-text.tsx'
import { UploadedFilesField } from '#web/uploads/uploads.tsx'
import { LazyLibraryItemUseCount } from '../impact/item-uses.web.tsx'
import { clpLabelForStatements, HAZARD_STATEMENTS, PRECAUTIONARY_STATEMENTS } from './labels.ts'
import { ExposureLimitsInput } from './limits-input.web.tsx'
import { substance } from './substance.ts'
import css from './substances.module.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { TagsInput } from '@mantine/core'

export type SubstanceRecord = RecordOf<typeof substance>

interface Props {
  readonly record?: SubstanceRecord
  readonly name?: string
  readonly onCancel: () => void
  readonly onSaved: (saved: SubstanceRecord) => void
}

const LABEL = [
  'name',
  'supplier',
  'industry',
  'form',
  'hazardStatements',
  'unclassified',
  'precautions',
  'pictograms',
  'signalWord',
  'routes',
  'boilingPoint',
  'notes',
] as const
const SHEET = ['sheet', 'sheetDate'] as const
const LIMITS = ['limits'] as const

/** Form for a substance in the company's library. The fields are in the order of the label and the data sheet. */
export const SubstanceForm = ({ record, name, onCancel, onSaved }: Props) => (
  <ResourceForm
    resource={substance}
    fields={[...LABEL, ...SHEET, ...LIMITS]}
    groups={[
      { title: 'Label', fields: LABEL },
      { title: 'Data sheet', fields: SHEET },
      { title: 'Limits', fields: LIMITS },
    ]}
    wide={['hazardStatements', 'precautions', 'pictograms', 'sheet', 'limits']}
    {...(record ? { record } : { defaults: { name } })}
    action={record ? 'Save substance' : 'Create substance'}
    beside={record && <LazyLibraryItemUseCount of={record} />}
    onCancel={onCancel}
    onSaved={onSaved}
    inputs={{
      hazardStatements: ({ set, ...props }) => (
        <ClpStatementCodesInput
          {...props}
          label="Hazard statements"
          known={HAZARD_STATEMENTS}
          onChange={(codes) => {
            props.onChange(codes)
            set(clpLabelForStatements(codes as string[]))
          }}
        />
      ),
      precautions: (props) => (
        <ClpStatementCodesInput {...props} label="Precautionary statements" known={PRECAUTIONARY_STATEMENTS} />
      ),
      pictograms: (props) => <ChoicesInput {...props} />,
      routes: (props) => <ChoicesInput {...props} />,
      sheet: (props) => <SheetInput {...props} />,
      limits: (props) => <ExposureLimitsInput {...props} />,
    }}
  />
)

function ChoicesInput({ name, field, id, value, onChange, error, readOnly }: FieldInputProps) {
  return (
    <MultiSelect
      {...(id ? { id } : {})}
      label={labelOf(name, field)}
      data={(field.options ?? []).map((o) => ({ value: String(o.value), label: o.label }))}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={onChange}
      error={error}
      readOnly={readOnly ?? false}
    />
  )
}

/** Upload field for the data sheet. A new file replaces the previous file. */
function SheetInput({ value, onChange, error, readOnly, id }: FieldInputProps) {
  const iri = linkedRecordIri(value)
  return (
    <fieldset id={id} tabIndex={-1} className={css.limit}>
      <legend>Data sheet</legend>
      {error && <ErrorText>{error}</ErrorText>}
      <UploadedFilesField
        place="sheet"
        value={iri ? [iri] : []}
        readOnly={readOnly ?? false}
        onChange={(files) => onChange(linkedRecordIri(files.at(-1)) ?? null)}
      />
    </fieldset>
  )
}

interface ClpStatementCodesInputProps extends FieldInputProps {
  readonly label: string
  readonly known: readonly { readonly code: string; readonly text: string }[]
}

/** Input for label statements, searchable by code or text. Codes that are not in the list can be typed. */
function ClpStatementCodesInput({
  id,
  label,
  known,
  value,
  onChange,
  onBlur,
  error,
  readOnly,
}: ClpStatementCodesInputProps) {
  const codes = Array.isArray(value) ? value.map(String) : []
  const texts = new Map(known.map((s) => [s.code, s.text]))
  return (
    <div>
      <TagsInput
        {...(id ? { id } : {})}
        label={label}
        description="Enter a code or part of the statement."
        data={known.map((s) => s.code)}
        value={codes}
        onChange={onChange}
        onBlur={onBlur ?? (() => undefined)}
        error={error}
        readOnly={readOnly ?? false}
        clearable={false}
        filter={({ options, search, limit }) => {
          const words = search.trim().toLowerCase()
          return options
            .filter((o) => 'value' in o && `${o.value} ${texts.get(o.value) ?? ''}`.toLowerCase().includes(words))
            .slice(0, limit)
        }}
        limit={40}
        renderOption={({ option }) => `${option.value} ${texts.get(option.value) ?? ''}`}
      />
    </div>
  )
}
