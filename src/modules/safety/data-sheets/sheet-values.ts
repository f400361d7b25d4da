import type { SupplierAdviceName } from '../substances/substance.ts'
import { proposeCasNumbers, proposeStatements } from './sheet-codes.ts'
import { proposeDate } from './sheet-date.ts'
import {
  findLabelledTexts,
  findLabelledValue,
  isHeading,
  joinLines,
  proposeText,
  type SheetProposal,
  saysNoData,
  sourceOf,
  type TextLabels,
  textAfterLabel,
} from './sheet-labels.ts'
import { proposeLimits } from './sheet-limits.ts'
import { cellsOf, type PdfLine, readSheetText, type SheetLine, type UnreadableSheetText } from './sheet-lines.ts'

const MAX_NAME_CHARACTERS = 200
const MAX_PROPOSALS_PER_FIELD = 40
const MAX_PART_LINES = 30

const NAME_LABELS = [
  'trade name/designation',
  'trade name or designation of the mixture',
  'product name',
  'trade name',
  'name of product',
  'name of the product',
  'commercial product name',
  'commercial name',
  'identification of the product',
  'identification of the mixture',
  'substance name',
  'chemical name',
  'mixture name',
  'material name',
  'product identifier',
  'product description',
  'product',
  'name',
]
const SUPPLIER_LABELS = [
  'name of supplier',
  'supplier name',
  'supplier/manufacturer',
  'manufacturer/supplier',
  'manufacturer or supplier',
  'manufacturer / supplier',
  'company name of supplier',
  'company name',
  'supplier (manufacturer/importer/downstream user/distributor)',
  'supplier company name',
  'registered company name',
  'manufacturer/distributor',
  'producer/supplier',
  'uk supplier',
  'supplier',
  'manufacturer',
  'company',
  'importer',
  'distributor',
  'producer',
  'firm',
]
/** Labels in section 1 whose line contains neither a name nor a supplier. */
const OTHER_LABELS = [
  'address',
  'street',
  'telephone',
  'tel',
  'phone',
  'fax',
  'e-mail',
  'email',
  'website',
  'product code',
  'product number',
  'product no',
  'product type',
  'ufi',
  'cas number',
  'cas no',
  'ec number',
  'reach registration number',
  'registration number',
  'synonyms',
  'relevant identified uses',
  'contact person',
]

const FIRST_AID: TextLabels = [
  ['General advice', ['general information', 'general advice', 'general notes', 'general measures', 'general']],
  [
    'Inhalation',
    ['following inhalation', 'after inhalation', 'in case of inhalation', 'if inhaled', 'if breathed in', 'inhalation'],
  ],
  [
    'Skin contact',
    [
      'following skin contact',
      'after skin contact',
      'after contact with skin',
      'in case of skin contact',
      'in case of contact with skin',
      'if on skin',
      'contact with skin',
      'skin contact',
      'skin',
    ],
  ],
  [
    'Eye contact',
    [
      'following eye contact',
      'after eye contact',
      'after contact with the eyes',
      'after contact with eyes',
      'in case of eye contact',
      'if in eyes',
      'contact with eyes',
      'eye contact',
      'eyes contact',
      'eyes',
    ],
  ],
  [
    'Ingestion',
    ['following ingestion', 'after ingestion', 'after swallowing', 'in case of ingestion', 'if swallowed', 'ingestion'],
  ],
  [
    'Protection of first-aiders',
    ['protection of first-aiders', 'protection of first aiders', 'self-protection of the first aider', 'first-aiders'],
  ],
  [
    '',
    [
      'most important symptoms',
      'indication of any immediate',
      'notes to physician',
      'note to physician',
      'notes for the doctor',
    ],
  ],
]

const PPE: TextLabels = [
  [
    'Eye and face protection',
    [
      'eye/face protection',
      'eye / face protection',
      'eye and face protection',
      'eye protection',
      'eyes/face protection',
    ],
  ],
  ['Hand protection', ['hand protection', 'protection of hands', 'protective gloves']],
  [
    'Skin and body protection',
    [
      'other skin and body protection',
      'skin and body protection',
      'other skin protection',
      'skin protection',
      'body protection',
      'protective clothing',
    ],
  ],
  [
    'Respiratory protection',
    ['respiratory protection', 'protection of the respiratory tract', 'breathing protection', 'breathing equipment'],
  ],
  [
    '',
    [
      'thermal hazards',
      'environmental exposure controls',
      'hygiene measures',
      'general hygiene',
      'general protective and hygienic measures',
      'appropriate engineering controls',
      'engineering controls',
      'engineering measures',
      'personal protective equipment',
      'individual protection measures',
      'individual protective measures',
      'other information',
      'additional information',
    ],
  ],
]

/** Words of a physical state, each with the form that COSHH Essentials uses. */
const FORMS: readonly (readonly [form: string, words: RegExp])[] = [
  ['aerosol', /\b(?:aerosol|spray)\b/i],
  ['paste', /\b(?:paste|gel|cream|viscous)\b/i],
  ['powder', /\bpowder(?:ed)?\b/i],
  ['gas', /\bgas(?:eous)?\b/i],
  ['liquid', /\b(?:liquid|fluid)\b/i],
  ['solid', /\b(?:solid|granul\w{0,6}|pellets?|tablets?|flakes|crystal\w{0,6})\b/i],
]

/** Proposals from a data sheet, or the reason why the text can't be read as one. */
export type DataSheetReading = { readonly proposals: readonly SheetProposal[] } | UnreadableSheetText

/**
 * Reads the values of a data sheet in English: sections 1 to 4, 7 to 9 and 13 to 15. Nothing is decided here: each
 * value is a proposal with its source. The text is untrusted, so the work must be proportional to its length.
 */
export function readDataSheet(lines: readonly PdfLine[]): DataSheetReading {
  const sheet = readSheetText(lines)
  if ('unreadable' in sheet) return sheet
  const section = (number: number) => sheet.sections.get(number) ?? []
  const proposals = [
    ...proposeName(section(1)),
    ...proposeSupplier(section(1)),
    ...proposeDate([...sheet.loose, ...section(1), ...section(16)]),
    ...proposeStatements(section(2)),
    ...proposeCasNumbers([...section(3), ...section(1).filter(({ part }) => part <= 1)]),
    ...proposeForm(section(9)),
    ...proposeBoilingPoint(section(9)),
    ...proposeLimits(section(8)),
    ...proposeAdvice('firstAid', partOf(section(4), 1), FIRST_AID),
    ...proposeAdvice('ppe', partOf(section(8), 2), PPE),
    ...proposePart('storage', section(7), 2),
    ...proposePart('disposal', section(13), 1),
    ...proposeTransport(section(14)),
    ...proposePart('legislation', section(15), 1),
  ]
  return { proposals: limitPerField(proposals) }
}

/** Fields of a substance for the labelled texts of sections 4 and 8. */
const ADVICE_FIELDS: Readonly<Record<string, SupplierAdviceName>> = {
  Inhalation: 'firstAidInhalation',
  'Skin contact': 'firstAidSkin',
  'Eye contact': 'firstAidEyes',
  Ingestion: 'firstAidIngestion',
  'Hand protection': 'ppeHands',
  'Eye and face protection': 'ppeEyes',
  'Respiratory protection': 'ppeBreathing',
  'Skin and body protection': 'ppeBody',
}

/** Proposes first aid or PPE. A text without a field of its own is proposed with its label. */
const proposeAdvice = (
  field: 'firstAid' | 'ppe',
  lines: readonly SheetLine[],
  labels: TextLabels,
): readonly SheetProposal[] =>
  findLabelledTexts(lines, labels).map(({ name, text, lines: from }) => {
    const own = ADVICE_FIELDS[name]
    return own ? proposeText(own, text, from) : proposeText(field, `${name}: ${text}`, from)
  })

function limitPerField(proposals: readonly SheetProposal[]): SheetProposal[] {
  const seen = new Set<string>()
  const count = new Map<string, number>()
  return proposals.filter((one) => {
    const key = JSON.stringify([one.field, one.value])
    const times = (count.get(one.field) ?? 0) + 1
    if (seen.has(key) || times > MAX_PROPOSALS_PER_FIELD) return false
    seen.add(key)
    count.set(one.field, times)
    return true
  })
}

/** Returns a subsection; the whole section if it has no subsections. */
const partOf = (lines: readonly SheetLine[], part: number): readonly SheetLine[] =>
  lines.some((line) => line.part > 0) ? lines.filter((line) => line.part === part) : lines

function proposeName(lines: readonly SheetLine[]): SheetProposal[] {
  const own = lines.filter(({ part }) => part <= 1)
  const found = NAME_LABELS.map((label) => findLabelledValue(own, [label], [...NAME_LABELS, ...OTHER_LABELS])).find(
    (one) => one !== undefined,
  )
  return found ? [{ field: 'name', value: nameIn(found.value), ...sourceOf(found.lines) }] : []
}

const nameIn = (text: string) => joinLines([text]).slice(0, MAX_NAME_CHARACTERS).trim()

function proposeSupplier(lines: readonly SheetLine[]): SheetProposal[] {
  const hasParts = lines.some(({ part }) => part === 3)
  const own = hasParts ? lines.filter(({ part }) => part === 3) : lines
  const labelled = findLabelledValue(own, SUPPLIER_LABELS, OTHER_LABELS)
  if (labelled) return [{ field: 'supplier', value: nameIn(labelled.value), ...sourceOf(labelled.lines) }]
  const known = [...SUPPLIER_LABELS, ...OTHER_LABELS]
  const first = hasParts
    ? own.find(
        (line) =>
          !isHeading(line) &&
          textAfterLabel(line, known) === undefined &&
          !/^(?:data )?sheet:?$|^details of the supplier/i.test(line.text) &&
          /\p{L}{3}/u.test(line.text),
      )
    : undefined
  return first ? [{ field: 'supplier', value: nameIn(cellsOf(first)[0] ?? ''), ...sourceOf([first]) }] : []
}

const FORM_LABELS = [
  'physical state',
  'state of matter',
  'physical form',
  'aggregate state',
  'appearance',
  'form',
  'state',
]

function proposeForm(lines: readonly SheetLine[]): SheetProposal[] {
  for (const label of FORM_LABELS) {
    const found = findLabelledValue(lines, [label])
    const form = found && FORMS.find(([, words]) => words.test(found.value))?.[0]
    if (found && form) return [{ field: 'form', value: form, ...sourceOf(found.lines) }]
  }
  return []
}

const BOILING_LABELS = [
  'boiling point or initial boiling point and boiling range',
  'initial boiling point and boiling range',
  'initial boiling point/boiling range',
  'boiling point/boiling range',
  'boiling point/range',
  'initial boiling point',
  'boiling point',
  'boiling range',
]
const CELSIUS =
  /(?<![\d.,])(-?\d{1,4}(?:[.,]\d{1,2})?)(?: ?(?:-|to|–) ?(-?\d{1,4}(?:[.,]\d{1,2})?))? ?(?:°|deg\.? ?|º ?) ?C/i

function proposeBoilingPoint(lines: readonly SheetLine[]): SheetProposal[] {
  const found = findLabelledValue(lines, BOILING_LABELS)
  const [, low, high] = (found && CELSIUS.exec(found.value)) ?? []
  if (!found || low === undefined) return []
  const note = high
    ? 'The sheet states a range. This is the lowest temperature.'
    : /[<>≥≤~]|approx|about|circa/i.test(found.value)
      ? 'The sheet gives this as a minimum, a maximum or an approximate temperature.'
      : ''
  const value = Number(low.replace(',', '.'))
  return [{ field: 'boilingPoint', value, ...sourceOf(found.lines), ...(note ? { note } : {}) }]
}

/** Proposes the text of a subsection without its heading. */
function proposePart(
  field: 'storage' | 'disposal' | 'legislation',
  lines: readonly SheetLine[],
  part: number,
): SheetProposal[] {
  const own = partOf(lines, part)
  // A heading can continue on the next line: “… specific for the substance or / mixture”.
  const isRestOfHeading = (line: SheetLine, i: number) =>
    i === 1 && own[0] !== undefined && isHeading(own[0]) && /^[a-z]/.test(line.text) && line.text.length < 60
  const from = own.filter((line, i) => !isHeading(line) && !isRestOfHeading(line, i)).slice(0, MAX_PART_LINES)
  const text = joinLines(from.map((line) => line.text))
  return text && !saysNoData(text) ? [proposeText(field, text, from)] : []
}

const UN_NUMBER = /\bUN[ -]?(?:no\.? ?|number ?)?:? ?(\d{4})(?!\d)/i
const UN_LABELS = ['un number or id number', 'un/id number', 'un-number', 'un number', 'un no', 'un no.', 'un']
const NO_GOODS = /\bnot (?:regulated|classified|restricted|subject|dangerous|hazardous|considered)\b/i

function proposeTransport(lines: readonly SheetLine[]): SheetProposal[] {
  const line = lines.find(({ text }) => UN_NUMBER.test(text))
  const number = line && UN_NUMBER.exec(line.text)?.[1]
  if (line && number) return [{ field: 'transport', value: `UN ${number}`, ...sourceOf([line]) }]
  const labelled = findLabelledValue(lines, UN_LABELS)
  const bare = labelled && /(?<!\d)(\d{4})(?!\d)/.exec(labelled.value)?.[1]
  if (labelled && bare) return [{ field: 'transport', value: `UN ${bare}`, ...sourceOf(labelled.lines) }]
  const none = lines.find(({ text }) => NO_GOODS.test(text))
  return none ? [proposeText('transport', joinLines([none.text]), [none])] : []
}
