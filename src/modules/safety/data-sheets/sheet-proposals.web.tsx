import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toText } from '#kernel/text.ts'
import { callApi } from '#web/api/client.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { ErrorText } from '#web/ui/error-text.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { PHYSICAL_FORMS } from '../substances/banding.ts'
import { clpLabelForStatements, clpStatementText } from '../substances/labels.ts'
import { type ExposureLimit, formatExposureLimit } from '../substances/limits.ts'
import { SUPPLIER_ADVICE, SUPPLIER_ADVICE_NAMES, type SupplierAdviceName } from '../substances/substance.ts'
import css from '../substances/substances.module.css'
import type { SheetField, SheetLimit, SheetProposal } from './sheet-labels.ts'

/** Values of a form, which a proposal changes when a person uses it. */
export interface ProposalForm {
  readonly read: (name: string) => unknown
  readonly write: (values: Readonly<Record<string, unknown>>) => void
}

/** Value in the form that a proposal changes: a value of its own, an entry in a list, or a line in a text. */
interface Target {
  readonly name: string
  readonly label: string
  readonly kind: 'value' | 'code' | 'limit' | 'line'
  /** Words added before a line in a text that covers several subjects. */
  readonly prefix?: string
  /** Label of the field to which a line is added, if it differs from `label`. */
  readonly field?: string
}

type Targets = Partial<Readonly<Record<SheetField, Target>>>

const inNotes = (label: string, prefix = label): Target => ({
  name: 'notes',
  label,
  kind: 'line',
  prefix: `${prefix}: `,
})

const AFTER_COLON = /^.*: ./

/** Targets for each first aid measure and each kind of PPE. */
const adviceTargets = (target: (label: string, name: SupplierAdviceName) => Target): Targets =>
  Object.fromEntries(SUPPLIER_ADVICE_NAMES.map((name) => [name, target(SUPPLIER_ADVICE[name], name)]))

/** Returns a label without its group: “Hands” for “PPE: hands”. */
const shortLabel = (label: string) => label.replace(AFTER_COLON, (group) => group.slice(-1).toUpperCase())

/** Targets in a substance of the library. */
const SUBSTANCE_TARGETS: Targets = {
  name: { name: 'name', label: 'Name', kind: 'value' },
  supplier: { name: 'supplier', label: 'Supplier', kind: 'value' },
  sheetDate: { name: 'sheetDate', label: 'Data sheet date', kind: 'value' },
  hazardStatements: { name: 'hazardStatements', label: 'Hazard statement', kind: 'code' },
  unclassified: { name: 'unclassified', label: 'Not classified as hazardous to health', kind: 'value' },
  precautions: { name: 'precautions', label: 'Precautionary statement', kind: 'code' },
  form: { name: 'form', label: 'Physical form', kind: 'value' },
  boilingPoint: { name: 'boilingPoint', label: 'Boiling point', kind: 'value' },
  limits: { name: 'limits', label: 'Exposure limit', kind: 'limit' },
  casNumbers: { name: 'casNumbers', label: 'CAS number', kind: 'code' },
  ...adviceTargets((label, name) => ({ name, label, kind: 'line' })),
  ppe: inNotes('PPE'),
  firstAid: inNotes('First aid'),
  storage: inNotes('Storage'),
  disposal: inNotes('Disposal'),
  transport: inNotes('Transport'),
  legislation: inNotes('Legislation'),
}

const EQUIPMENT_NOTES = {
  name: 'equipmentNotes',
  kind: 'line',
  field: 'Types of glove and filter, and when to change them',
} as const

/** Targets in a COSHH assessment that uses the substance. */
const ASSESSMENT_TARGETS: Targets = {
  ...adviceTargets((label, name) => ({
    ...(name.startsWith('ppe') ? EQUIPMENT_NOTES : ({ name: 'firstAid', kind: 'line', field: 'First aid' } as const)),
    label,
    prefix: `${shortLabel(label)}: `,
  })),
  ppe: { ...EQUIPMENT_NOTES, label: 'PPE' },
  storage: { name: 'storage', label: 'Storage', kind: 'line' },
  disposal: { name: 'disposal', label: 'Disposal', kind: 'line' },
  firstAid: { name: 'firstAid', label: 'First aid', kind: 'line' },
}

const TARGETS = { substance: SUBSTANCE_TARGETS, assessment: ASSESSMENT_TARGETS } as const

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const limitsOf = (value: unknown) => listOf(value) as readonly ExposureLimit[]
const linesOf = (value: unknown) => toText(value).split('\n')
const isLimit = (value: SheetProposal['value']): value is SheetLimit => typeof value === 'object'

const FIGURES = ['longPpm', 'longMgM3', 'shortPpm', 'shortMgM3'] as const
const isSameLimit = (a: ExposureLimit, b: SheetLimit) =>
  a.agent === b.agent && FIGURES.every((name) => (a[name] ?? null) === b[name])

/** Returns the proposed value in the form's format. */
const valueToEnter = ({ value }: SheetProposal, { kind, prefix = '' }: Target): unknown => {
  if (isLimit(value)) return { ...value, notes: '', source: 'Safety data sheet', confidence: null, composed: false }
  return kind === 'line' ? `${prefix}${toText(value)}` : value
}

function isEntered(current: unknown, proposal: SheetProposal, target: Target): boolean {
  const { value } = proposal
  if (isLimit(value)) return limitsOf(current).some((limit) => isSameLimit(limit, value))
  if (target.kind === 'code') return listOf(current).includes(value)
  if (target.kind === 'line') return linesOf(current).includes(toText(valueToEnter(proposal, target)))
  return current === value
}

/** Returns the form's value with the proposal entered. */
function enter(current: unknown, proposal: SheetProposal, target: Target): unknown {
  const value = valueToEnter(proposal, target)
  if (isLimit(proposal.value)) {
    const { agent } = proposal.value
    const others = limitsOf(current).filter((limit) => !agent || limit.agent !== agent)
    return [...others, value]
  }
  if (target.kind === 'code') return [...listOf(current), value]
  if (target.kind === 'line') return [...linesOf(current).filter(Boolean), value].join('\n')
  return value
}

/** Returns the form's value without the entered proposal. `before` is the value that the proposal replaced. */
function withdraw(current: unknown, proposal: SheetProposal, target: Target, before: unknown): unknown {
  const { value } = proposal
  if (isLimit(value)) {
    const replaced = limitsOf(before).filter((limit) => value.agent && limit.agent === value.agent)
    return [...limitsOf(current).filter((limit) => !isSameLimit(limit, value)), ...replaced]
  }
  if (target.kind === 'code') return listOf(current).filter((one) => one !== value)
  if (target.kind === 'line')
    return linesOf(current)
      .filter((line) => line !== valueToEnter(proposal, target))
      .join('\n')
  return before
}

const formatValue = (field: SheetField, value: unknown): string => {
  switch (field) {
    case 'sheetDate':
      return formatIsoAsUkDate(toText(value))
    case 'hazardStatements':
    case 'precautions':
      return clpStatementText(toText(value))
    case 'form':
      return PHYSICAL_FORMS.find((form) => form.value === value)?.label ?? toText(value)
    case 'boilingPoint':
      return value === null || value === undefined || value === '' ? '' : `${toText(value)} °C`
    case 'unclassified':
      return value === true ? 'Yes' : ''
    case 'limits':
      return [(value as ExposureLimit).agent, formatExposureLimit(value as ExposureLimit)].filter(Boolean).join('. ')
    default:
      return toText(value)
  }
}

/** Returns the text of the value that a proposal would replace; empty if there is none. */
function replacedText(current: unknown, { field, value }: SheetProposal, { kind }: Target): string {
  if (isLimit(value)) {
    const limit = limitsOf(current).find(({ agent }) => value.agent && agent === value.agent)
    return limit ? formatValue('limits', limit) : ''
  }
  return kind === 'value' ? formatValue(field, current) : ''
}

/** Response with the values of a data sheet. */
interface DataSheetValues {
  readonly pictures: readonly number[]
  readonly values: readonly SheetProposal[]
}

const ASK_AGAIN_MS = 1000

/** Requests the values until the server has read the data sheet. */
async function readValues(url: string, signal: AbortSignal): Promise<DataSheetValues> {
  for (;;) {
    const answer = await callApi<DataSheetValues | { readonly message: string }>('GET', url, undefined, { signal })
    if ('values' in answer) return answer
    await new Promise((later) => setTimeout(later, ASK_AGAIN_MS))
  }
}

interface Props {
  /** `@id` of the data sheet. */
  readonly sheet: string
  readonly form: ProposalForm
  readonly into: keyof typeof TARGETS
}

/**
 * Values read from a safety data sheet, each with its source line. A value is entered only when the person presses its
 * button, and can be undone.
 */
export function SheetProposals({ sheet, form, into }: Props) {
  const url = `${sheet}/data_sheet`
  const found = useQuery({
    queryKey: [url],
    queryFn: ({ signal }) => readValues(url, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (found.isError) return <ErrorText>{errorSentence(found.error)}</ErrorText>
  if (!found.data) return <p role="status">Reading the safety data sheet…</p>
  const { values, pictures } = found.data
  return <ProposalList values={values} pictures={pictures} form={form} targets={TARGETS[into]} />
}

interface ListProps {
  readonly values: readonly SheetProposal[]
  readonly pictures: readonly number[]
  readonly form: ProposalForm
  readonly targets: Targets
}

function ProposalList({ values, pictures, form, targets }: ListProps) {
  // Values that were used since the sheet was read, each with the value that it replaced.
  const [used, setUsed] = useState<ReadonlyMap<SheetProposal, unknown>>(new Map())
  const shown = values.flatMap((proposal) => {
    const target = targets[proposal.field]
    return target ? [{ proposal, target }] : []
  })
  const missing = Object.entries(targets).flatMap(([field, { label }]) =>
    field === 'unclassified' || shown.some(({ proposal }) => proposal.field === field) ? [] : [label],
  )
  const write = (target: Target, value: unknown) =>
    form.write({
      [target.name]: value,
      ...(target.name === 'hazardStatements' ? clpLabelForStatements(listOf(value).map(String)) : {}),
    })
  const use = (proposal: SheetProposal, target: Target) => {
    const before = form.read(target.name)
    write(target, enter(before, proposal, target))
    setUsed(new Map(used).set(proposal, before))
  }
  const undo = (proposal: SheetProposal, target: Target) => {
    write(target, withdraw(form.read(target.name), proposal, target, used.get(proposal)))
    setUsed(new Map([...used].filter(([one]) => one !== proposal)))
  }
  return (
    <section aria-label="Values in the safety data sheet" className={css.proposals}>
      <h3>Values in the safety data sheet</h3>
      <p role="status">
        {shown.length
          ? `${shown.length} ${shown.length === 1 ? 'value was' : 'values were'} found. Compare each with the line quoted from the data sheet. If it is right, choose “Use”.`
          : 'No values were found. Please enter them yourself.'}
      </p>
      {pictures.length > 0 && (
        <p>
          {pictures.length === 1
            ? `Page ${pictures[0]} is a picture and was not read. Check it yourself.`
            : `Pages ${new Intl.ListFormat('en-GB').format(pictures.map(String))} are pictures and were not read. Check them yourself.`}
        </p>
      )}
      <ul>
        {shown.map(({ proposal, target }, i) => (
          <Proposal
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is read once and never changes
            key={i}
            proposal={proposal}
            target={target}
            current={form.read(target.name)}
            isUsed={used.has(proposal)}
            onUse={() => use(proposal, target)}
            onUndo={() => undo(proposal, target)}
          />
        ))}
      </ul>
      {missing.length > 0 && (
        <p>{`The portal did not find: ${new Intl.ListFormat('en-GB').format(missing)}. Look for these in the data sheet.`}</p>
      )}
    </section>
  )
}

interface ProposalProps {
  readonly proposal: SheetProposal
  readonly target: Target
  readonly current: unknown
  readonly isUsed: boolean
  readonly onUse: () => void
  readonly onUndo: () => void
}

function Proposal({ proposal, target, current, isUsed, onUse, onUndo }: ProposalProps) {
  const { field, value, line, page, note } = proposal
  const entered = isEntered(current, proposal, target)
  const text = formatValue(field, value)
  const replaced = entered ? '' : replacedText(current, proposal, target)
  const canUndo = isUsed && entered
  return (
    <li>
      <div className={css.found}>
        <span className={css.from}>{target.label}</span>
        <strong>{text}</strong>
        <q cite={`#page=${page}`}>{line}</q>
        <span className={css.from}>{`Safety data sheet, page ${page}`}</span>
        {note && <em>{note}</em>}
        {replaced && <span>{`Replaces: ${replaced}`}</span>}
        {!entered && target.field && <span>{`“Use” adds a line to “${target.field}”`}</span>}
        {canUndo && <StatusChip meaning="safe">{`Entered from page ${page} of the data sheet`}</StatusChip>}
      </div>
      {entered && !isUsed ? (
        <StatusChip meaning="info">Already entered</StatusChip>
      ) : (
        <Button
          variant={canUndo ? 'subtle' : 'default'}
          className={css.use ?? ''}
          aria-label={`${canUndo ? 'Undo' : 'Use'} ${target.label}: ${text}`}
          onClick={canUndo ? onUndo : onUse}
        >
          {canUndo ? 'Undo' : 'Use'}
        </Button>
      )}
    </li>
  )
}
