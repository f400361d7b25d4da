import { createTextMatcher } from '#kernel/text/search.ts'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { Button, MultiSelect, TagsInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { labelOf } from '#kernel/fields.ts'
import type { RecordOf } from '#kernel/resource.ts'
import type { FieldInputProps } from '#web/forms/field-input.tsx'
import { type CustomInput, ResourceForm } from '#web/forms/resource-form.tsx'
import { useDebouncedValues } from '#web/forms/store/use-value-store.ts'
import { linkedRecordIri } from '#web/forms/values.ts'
import { ErrorText } from '#web/ui/error-text.tsx'
import { UploadedFilesField } from '#web/uploads/uploads.tsx'
import { SheetProposals } from '../data-sheets/sheet-proposals.web.tsx'
import { LazyLibraryItemUseCount } from '../impact/item-uses.web.tsx'
import {
  type ClpStatementKind,
  casNumberProblem,
  clpStatementCodeProblem,
  normaliseCasNumbers,
  readClpStatementCodes,
} from './codes.ts'
import { clpLabelForStatements, HAZARD_STATEMENTS, PRECAUTIONARY_STATEMENTS } from './labels.ts'
import { ExposureLimitsInput } from './limits-input.web.tsx'
import { SUPPLIER_ADVICE_NAMES, substance } from './substance.ts'
import css from './substances.module.css'

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
  'casNumbers',
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
const FIRST_AID = SUPPLIER_ADVICE_NAMES.filter((field) => field.startsWith('firstAid'))
const PPE = SUPPLIER_ADVICE_NAMES.filter((field) => field.startsWith('ppe'))

/**
 * Form for a substance in the company's library. The data sheet comes first, because most of the other values can be
 * read from it.
 */
export const SubstanceForm = ({ record, name, onCancel, onSaved }: Props) => (
  <ResourceForm
    resource={substance}
    fields={[...LABEL, ...SHEET, ...LIMITS, ...FIRST_AID, ...PPE]}
    groups={[
      { title: 'Safety data sheet', fields: SHEET },
      { title: 'Label', fields: LABEL },
      { title: 'Limits', fields: LIMITS },
      { title: 'First aid stated by the supplier', fields: FIRST_AID },
      { title: 'PPE stated by the supplier', fields: PPE },
    ]}
    wide={['casNumbers', 'hazardStatements', 'precautions', 'pictograms', 'sheet', 'limits']}
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
          kind="hazard"
          known={HAZARD_STATEMENTS}
          onChange={(codes) => {
            props.onChange(codes)
            set(clpLabelForStatements(codes as string[]))
          }}
        />
      ),
      precautions: (props) => (
        <ClpStatementCodesInput
          {...props}
          label="Precautionary statements"
          kind="precaution"
          known={PRECAUTIONARY_STATEMENTS}
        />
      ),
      casNumbers: (props) => <CasNumbersInput {...props} />,
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

/**
 * Input for CAS numbers, each with the name of its ingredient. Several can be pasted, one per line or separated by
 * semicolons.
 */
function CasNumbersInput({ id, value, onChange, onBlur, error, readOnly }: FieldInputProps) {
  const entries = Array.isArray(value) ? value.map(String) : []
  return (
    <TagsInput
      {...(id ? { id } : {})}
      label="CAS numbers"
      description="One for each ingredient, with its name if it is known: “67-64-1 Acetone”. Press Enter after each."
      value={entries}
      onChange={(next) => onChange(normaliseCasNumbers(next))}
      splitChars={[';', '\n']}
      acceptValueOnBlur
      onBlur={onBlur}
      error={entries.map(casNumberProblem).find(Boolean) ?? error}
      readOnly={readOnly ?? false}
      clearable={false}
    />
  )
}

type SheetInputProps = Parameters<CustomInput>[0]

/**
 * Upload field for the data sheet, with the values that can be read from it. A new file replaces the previous file, and
 * is read at once.
 */
function SheetInput({ value, onChange, error, readOnly, id, store }: SheetInputProps) {
  const iri = linkedRecordIri(value)
  const [readIri, setReadIri] = useState<string>()
  // The values are compared with those in the form.
  useDebouncedValues(store)
  return (
    <>
      <fieldset id={id} tabIndex={-1} className={css.limit}>
        <legend>Safety data sheet</legend>
        {error && <ErrorText>{error}</ErrorText>}
        <UploadedFilesField
          place="sheet"
          value={iri ? [iri] : []}
          readOnly={readOnly ?? false}
          onChange={(files) => {
            const next = linkedRecordIri(files.at(-1)) ?? null
            onChange(next)
            setReadIri(next ?? undefined)
          }}
        />
        {iri && iri !== readIri && !readOnly && (
          <Button variant="default" className={css.use ?? ''} onClick={() => setReadIri(iri)}>
            Find values in the data sheet
          </Button>
        )}
      </fieldset>
      {iri && iri === readIri && (
        <SheetProposals
          key={iri}
          sheet={iri}
          form={{ read: (name) => store.get([name]), write: store.replace }}
          into="substance"
        />
      )}
    </>
  )
}

interface ClpStatementCodesInputProps extends FieldInputProps {
  readonly label: string
  readonly kind: ClpStatementKind
  readonly known: readonly { readonly code: string; readonly text: string }[]
}

/**
 * Input for label statements, searchable by code or text. Codes can be typed and pasted in any notation, with their
 * wording. Unreadable text remains in the box with an error.
 */
function ClpStatementCodesInput({
  id,
  label,
  kind,
  known,
  value,
  onChange,
  onBlur,
  error,
  readOnly,
}: ClpStatementCodesInputProps) {
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState<string>()
  const codes = Array.isArray(value) ? value.map(String) : []
  const texts = new Map(known.map((s) => [s.code, s.text]))
  const change = (next: readonly string[]) => {
    setWrong(next.map((code) => clpStatementCodeProblem(code, kind)).find(Boolean))
    onChange([...new Set(next)])
  }
  /**
   * Adds the codes of a text. The rest remains in the box; when the user leaves the box, it becomes an entry that can't
   * be saved.
   */
  const add = (text: string, isLeft = false) => {
    if (!text.trim()) return
    const { codes: read, unread, others } = readClpStatementCodes(text, kind)
    const rest = [...unread, ...others].join(' ')
    change([...codes, ...read, ...(isLeft && rest ? [rest] : [])])
    setTyped(isLeft ? '' : rest)
    if (rest) setWrong(clpStatementCodeProblem(text, kind))
  }
  const addOnKey = (e: KeyboardEvent<HTMLInputElement>) => {
    if (e.key !== 'Enter' && e.key !== ',') return
    // Never submits the form. Enter on an option of the list chooses that option.
    e.preventDefault()
    if (!e.currentTarget.getAttribute('aria-activedescendant')) add(typed)
  }
  return (
    <div
      onPasteCapture={(e) => {
        e.preventDefault()
        e.stopPropagation()
        if (!readOnly) add(`${typed} ${e.clipboardData.getData('text/plain')}`)
      }}
    >
      <TagsInput
        {...(id ? { id } : {})}
        label={label}
        description="Enter codes or part of a statement, or paste them from the data sheet."
        data={known.map((s) => s.code)}
        value={codes}
        onChange={change}
        searchValue={typed}
        onSearchChange={setTyped}
        onKeyDown={addOnKey}
        acceptValueOnBlur={false}
        onBlur={() => {
          add(typed, true)
          onBlur?.()
        }}
        error={wrong ?? error}
        readOnly={readOnly ?? false}
        clearable={false}
        filter={({ options, search, limit }) => {
          const isFound = createTextMatcher(search)
          return options.filter((o) => 'value' in o && isFound(o.value, texts.get(o.value) ?? '')).slice(0, limit)
        }}
        limit={40}
        renderOption={({ option }) => `${option.value} ${texts.get(option.value) ?? ''}`}
      />
    </div>
  )
}
