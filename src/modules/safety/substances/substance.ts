import { choice, date, decimal, flag, instant, integer, link, longText, rows, strings, text } from '#kernel/fields.ts'
import { type Resource, type RowOf, resource } from '#kernel/resource.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import { client } from '#modules/portal/clients/client.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { keepBothField } from '../statements/keep-both-flag.ts'
import { templateKey } from '../statements/statement.ts'
import { PHYSICAL_FORMS } from './banding.ts'
import { PICTOGRAMS, SIGNAL_WORDS } from './labels.ts'
import { LIMIT_CONFIDENCE_OPTIONS } from './limits.ts'

export const EXPOSURE_ROUTES = [
  { value: 'inhalation', label: 'Inhalation' },
  { value: 'skin', label: 'Skin contact' },
  { value: 'absorption', label: 'Absorption through the skin' },
  { value: 'eyes', label: 'Eye contact' },
  { value: 'ingestion', label: 'Ingestion' },
  { value: 'injection', label: 'Injection: sharps, high pressure, broken skin' },
] as const

/** First aid and PPE as a supplier's data sheet states them, with their labels. */
export const SUPPLIER_ADVICE = {
  firstAidInhalation: 'First aid: inhalation',
  firstAidSkin: 'First aid: skin contact',
  firstAidEyes: 'First aid: eye contact',
  firstAidIngestion: 'First aid: ingestion',
  ppeHands: 'PPE: hands',
  ppeEyes: 'PPE: eyes and face',
  ppeBreathing: 'PPE: breathing',
  ppeBody: 'PPE: skin and body',
} as const

/** Name of a field with advice from the supplier. */
export type SupplierAdviceName = keyof typeof SUPPLIER_ADVICE

export const SUPPLIER_ADVICE_NAMES = Object.keys(SUPPLIER_ADVICE) as SupplierAdviceName[]

const advice = (name: SupplierAdviceName, help?: string) =>
  longText({ default: '', max: 2000, label: SUPPLIER_ADVICE[name], ...(help ? { help } : {}) })

/** Fields for first aid and PPE as a data sheet states them, in the library and in assessments. */
export const supplierAdviceFields = {
  firstAidInhalation: advice('firstAidInhalation'),
  firstAidSkin: advice('firstAidSkin'),
  firstAidEyes: advice('firstAidEyes'),
  firstAidIngestion: advice('firstAidIngestion'),
  ppeHands: advice('ppeHands', 'Glove material, thickness, breakthrough time and standard, such as EN ISO 374-1.'),
  ppeEyes: advice('ppeEyes', 'Type and standard, such as goggles to EN 166.'),
  ppeBreathing: advice('ppeBreathing', 'Type, filter and standard, such as a half mask to EN 140 with filter A2.'),
  ppeBody: advice('ppeBody'),
}

/** Roles that manage their company's substances. ROLE_CLIENTS_ADMIN manages the provider's templates. */
const KEEPERS = [...DOCUMENT_AUTHOR_ROLES, 'ROLE_CLIENTS_ADMIN'] as const

const library = {
  service: 'safety',
  tenant: 'own or template',
  pack: 'safety',
  allow: { read: 'member', create: KEEPERS, update: KEEPERS, whileImpersonating: ['create', 'update'] },
} as const

/** Workplace exposure limit for a substance or an ingredient. A product can have several limits. */
export const substanceLimit = resource({
  ...library,
  type: 'SubstanceLimit',
  path: 'substance_limits',
  table: 'substance_limit',
  order: ['position'],
  unpaginated: true,
  title: 'agent',
  fields: {
    substance: link((): Resource => substance, { required: true, filter: true }),
    position: integer({ default: 0 }),
    agent: text({
      required: 'Please enter the substance covered by the limit',
      filter: 'partial',
      label: 'Substance covered by the limit',
    }),
    longPpm: decimal({ min: 0, label: '8 hours, ppm' }),
    longMgM3: decimal({ min: 0, label: '8 hours, mg/m³' }),
    shortPpm: decimal({ min: 0, label: '15 minutes, ppm' }),
    shortMgM3: decimal({ min: 0, label: '15 minutes, mg/m³' }),
    source: text({ default: '', label: 'Source' }),
    confidence: choice(LIMIT_CONFIDENCE_OPTIONS, { label: 'Confidence', help: 'Reliability of the figures.' }),
    composed: flag({
      label: 'Not yet checked against the data sheet',
      help: 'This limit is assumed to apply to the product. The product’s data sheet takes precedence.',
    }),
    notes: text({ default: '', max: 500 }),
  },
})

/** Returns a limit's values, to copy them to another substance. */
export const copyExposureLimitValues = (limit: RowOf<typeof substanceLimit>) => ({
  position: limit.position,
  agent: limit.agent,
  longPpm: limit.longPpm,
  longMgM3: limit.longMgM3,
  shortPpm: limit.shortPpm,
  shortMgM3: limit.shortMgM3,
  source: limit.source,
  confidence: limit.confidence,
  composed: limit.composed,
  notes: limit.notes,
})

/** Product or substance that can harm health, with the values from its label and data sheet. */
export const substance = resource({
  ...library,
  type: 'Substance',
  path: 'substances',
  table: 'substance',
  title: 'name',
  order: ['name'],
  bulk: ['retire'],
  fields: {
    name: text({ required: 'Please enter a name', filter: 'partial', order: true, search: true }),
    supplier: text({ default: '', filter: 'partial', order: true, search: true }),
    casNumbers: strings({ default: [], max: 100, search: true, label: 'CAS numbers' }),
    industry: text({ default: '', filter: true, max: 100, label: 'Industry' }),
    form: choice(PHYSICAL_FORMS, {
      filter: true,
      label: 'Physical form',
      required: 'Field required, select an option',
    }),
    hazardStatements: strings({ default: [], filter: true }),
    precautions: strings({ default: [], label: 'Precautionary statements' }),
    unclassified: flag({
      label: 'Not classified as hazardous to health',
      help: 'As stated in section 2 of the data sheet. If this is off and there is no hazard statement, the hazard is unknown.',
    }),
    pictograms: strings({ default: [], options: PICTOGRAMS.map((p) => ({ value: p.code, label: p.name })) }),
    signalWord: choice(SIGNAL_WORDS, { filter: true }),
    boilingPoint: decimal({
      label: 'Boiling point, °C',
      min: -300,
      max: 5000,
      help: 'See section 9 of the data sheet.',
    }),
    routes: strings({ default: [], options: EXPOSURE_ROUTES, label: 'Routes of exposure' }),
    ...supplierAdviceFields,
    limits: rows(() => substanceLimit, { by: 'substance', label: 'Workplace exposure limits' }),
    sheet: link(() => uploadedDocument, { label: 'Data sheet', embed: ['name', 'label'] }),
    sheetDate: date({ label: 'Data sheet date', filter: true, order: true }),
    notes: longText({ default: '' }),
    source: text({ default: '', max: 500, readonly: true, label: 'Source' }),
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    templateKey,
    author: text({ readonly: true, stamp: 'author' }),
    updatedAt: instant({ readonly: true, stamp: 'updated', order: true }),
    retired: flag({ filter: true }),
    keepBoth: keepBothField,
  },
})

/** Returns a substance's first aid and PPE, to copy them to another substance or to an assessment. */
export const supplierAdviceIn = (of: RowOf<typeof substance>): Record<SupplierAdviceName, string> => ({
  firstAidInhalation: of.firstAidInhalation,
  firstAidSkin: of.firstAidSkin,
  firstAidEyes: of.firstAidEyes,
  firstAidIngestion: of.firstAidIngestion,
  ppeHands: of.ppeHands,
  ppeEyes: of.ppeEyes,
  ppeBreathing: of.ppeBreathing,
  ppeBody: of.ppeBody,
})

/** Age in months from which a newer data sheet should be requested. */
export const MAX_DATA_SHEET_AGE_MONTHS = 36

/** Returns the status of a data sheet on a given date: missing, undated, out of date or valid. */
export function dataSheetStatus(
  { sheet, sheetDate }: { readonly sheet?: unknown; readonly sheetDate?: unknown },
  today: string,
): 'none' | 'undated' | 'old' | 'good' {
  if (!sheet && !sheetDate) return 'none'
  if (typeof sheetDate !== 'string' || !sheetDate) return 'undated'
  const due = Temporal.PlainDate.from(sheetDate.slice(0, 10)).add({ months: MAX_DATA_SHEET_AGE_MONTHS }).toString()
  return due <= today ? 'old' : 'good'
}
