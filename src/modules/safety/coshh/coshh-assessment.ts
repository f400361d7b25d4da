import { choice, date, decimal, flag, integer, json, link, longText, rows, strings, text } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { DOCUMENT_PART_ACCESS_RULES, DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { defineDocumentKind } from '#modules/documents/types/kind.ts'
import { AIRBORNE_LEVELS, PHYSICAL_FORMS, QUANTITY_UNITS } from '../substances/banding.ts'
import { EXPOSURE_ROUTES, substance, supplierAdviceFields } from '../substances/substance.ts'
import { coshhInfo } from './coshh-info.ts'
import { coshhEquipmentRules } from './equipment.ts'
import { coshhForm } from './form.ts'
import { toCoshhPdfInput } from './pdf-body.ts'
import { addControlApproachProposals, coshhCompletionProblems, countRequiredCoshhAnswers } from './substances-used.ts'

/** A substance used in the task: library data, amount used and control approach. */
export const coshhSubstance = resource({
  type: 'CoshhSubstance',
  service: 'safety',
  path: 'coshh_substances',
  table: 'coshh_substance',
  tenant: 'own or template',
  order: ['position'],
  unpaginated: true,
  fields: {
    document: link((): Resource => coshhAssessment.resource, { required: true, filter: true }),
    position: integer({ default: 0 }),
    substance: link(() => substance, { filter: true }),
    name: text({ default: '', filter: 'partial' }),
    supplier: text({ default: '' }),
    casNumbers: strings({ default: [], max: 100, label: 'CAS numbers' }),
    form: choice(PHYSICAL_FORMS, { label: 'Physical form' }),
    hazardStatements: strings({ default: [] }),
    precautions: strings({ default: [], label: 'Precautionary statements' }),
    unclassified: flag({ label: 'Not classified as hazardous to health' }),
    pictograms: strings({ default: [] }),
    signalWord: text({ max: 20 }),
    boilingPoint: decimal({ label: 'Boiling point, °C' }),
    routes: strings({ default: [], options: EXPOSURE_ROUTES, label: 'Routes of exposure' }),
    ...supplierAdviceFields,
    /** Exposure limits copied from the library: `[{agent, longPpm, …, source, confidence, composed}]`. */
    limits: json({ max: 50, label: 'Workplace exposure limits' }),
    /** `@id` of the data sheet. */
    sheet: text({ default: '', label: 'Data sheet' }),
    sheetDate: date({ label: 'Data sheet date' }),
    quantity: decimal({ min: 0, label: 'Amount used each time' }),
    unit: choice(QUANTITY_UNITS),
    level: choice(AIRBORNE_LEVELS, { label: 'Dustiness or volatility' }),
    notes: longText({ default: '', max: 2000 }),
    /** Derivation of the COSHH Essentials proposal. `proposed` is the proposed approach: 1 to 4, or "?". */
    proposal: text({ default: '', max: 1000, editable: 'nobody' }),
    proposed: text({ default: '', max: 1, editable: 'nobody', filter: true, label: 'Proposed approach' }),
    confirmed: text({ default: '', max: 1000, help: 'Text of the proposal that the author confirmed.' }),
    approach: integer({ min: 1, max: 4, filter: true, label: 'Chosen approach' }),
    reason: longText({ default: '', max: 2000, label: 'Why this approach is sufficient' }),
  },
  allow: { read: DOCUMENT_READER_ROLES, rows: DOCUMENT_PART_ACCESS_RULES },
  pack: 'safety',
})

/** COSHH assessment: how a task's hazardous substances can harm people, and how exposure is controlled. */
export const coshhAssessment = defineDocumentKind({
  ...coshhInfo,
  type: 'CoshhAssessment',
  path: 'coshh_assessments',
  prefix: 'CO',
  title: { field: 'name', label: 'Name', required: 'Please describe the task' },
  schema: coshhForm,
  fields: {
    substances: rows(() => coshhSubstance, { by: 'document', filter: true, label: 'Substances' }),
    /** Substance names, for use in lists. */
    substanceNames: text({ inJson: 'content', max: 20_000, editable: 'nobody', search: true, label: 'Substances' }),
    worn: json({ inJson: 'content', label: 'Protective equipment' }),
  },
  listed: ['substanceNames'],
  sealedRows: { substances: { named: (row) => `its substance ${Number(row.position) + 1} ("${String(row.name)}")` } },
  fieldOptions: { location: { filter: 'partial', order: true, search: true } },
  kept: { worn: coshhEquipmentRules },
  reviewMonths: 12,
  pdf: { template: 'src/modules/safety/coshh/coshh-assessment.typ', body: toCoshhPdfInput },
  problems: coshhCompletionProblems,
  asked: countRequiredCoshhAnswers,
  settle: addControlApproachProposals,
  // Fields that must be confirmed again in a copy. A substance's properties are the same everywhere, but its use and
  // controls depend on the place.
  confirms: [
    'process',
    'frequency',
    'duration',
    'measures',
    'lev',
    'levExamined',
    'worn',
    'equipmentNotes',
    'monitoring',
    'monitoringReason',
    'surveillance',
    'storage',
    'adequate',
    'adequateReason',
    'actions',
  ],
  openInTemplates: ['expectant', 'young', 'levExamined', 'adequate', 'adequateReason'],
  blank: () => ({
    substances: [],
    worn: [],
    measures: [],
    actions: [],
    emergencyContact: [1, 2, 3].map(() => ({ name: '', number: '' })),
    uploadedDocuments: [],
  }),
})
