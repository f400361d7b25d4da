import { violation } from '#kernel/errors.ts'
import { choice, date, flag, instant, integer, json, link, longText, rows, text } from '#kernel/fields.ts'
import { sanitiseAnswer } from '#kernel/forms/clean.ts'
import { tooLongViolation } from '#kernel/forms/losses.ts'
import { isPlainObject, toRowObjects } from '#kernel/forms/rows.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { toText } from '#kernel/text.ts'
import { raiseActionSpec } from '#modules/actions/corrective-action.ts'
import {
  DOCUMENT_AUTHOR_ROLES,
  DOCUMENT_READER_ROLES,
  DOCUMENT_ROW_ACCESS_RULES,
  TEMPLATE_MANAGER_ROLES,
} from '#modules/documents/rights.ts'
import type { StoredFieldRules } from '#modules/documents/types/kind.ts'
import { defineDocumentKind } from '#modules/documents/types/kind.ts'
import { client } from '#modules/portal/clients/client.ts'
import { coshhInfo } from '../coshh/coshh-info.ts'
import { SHARED_HAZARD_FIELDS } from '../grid/line.ts'
import { countRequiredRiskAnswers, riskAssessmentCompletionProblems } from '../grid/problems.ts'
import { CONTROL_TIERS, hazard, hazardControl } from '../library/hazard.ts'
import { riskMatrix, riskMatrixForClient } from '../risk-matrix/risk-matrix.ts'
import { createEmptyJobContacts } from '../shared-fields/contacts.ts'
import { jobSearchFields } from '../shared-fields/fields.ts'
import { methodStatementFieldRules } from '../shared-fields/stored-method.ts'
import {
  EMPTY_METHOD_STATEMENT,
  loadDefaultMethodStatement,
  methodStatementField,
} from '../statements/method-statement.ts'

import { riskAssessmentForm } from './form.ts'
import { toRiskAssessmentPdfBody } from './pdf-body.ts'
import { prepareRiskLines } from './prepare-lines.ts'
import { riskAssessmentInfo } from './risk-info.ts'

/** Risk assessments to which a job's document refers (safety specification, section 2). */
export const associatedRiskAssessmentsField = {
  label: 'Associated Risk Assessments',
  to: [riskAssessmentInfo.kind],
  files: true,
  revision: 'chosen',
} as const

const MAX_ITEMS = 200

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''
const unreadable = (what: string, path: string) => violation(path, `${what} can’t be read`)

const tooManyItems = (path: string) => violation(path, `Please choose at most ${MAX_ITEMS} items of PPE`, 'too_long')

/**
 * Rules for the stored IDs of protective equipment. The IDs are stored as numbers, although older API clients send a
 * string such as `1,4,9`.
 */
const ppe: StoredFieldRules = {
  clean: (value) => sanitiseAnswer({ name: 'ppe', kind: 'imageCards', label: 'PPE' }, value),
  wrong: (value, path) => {
    if (isEmpty(value)) return []
    const given = typeof value === 'string' ? value.split(',', MAX_ITEMS + 1) : value
    if (Array.isArray(given) && given.length > MAX_ITEMS) return [tooManyItems(path)]
    const ids = Array.isArray(given) ? given.map(Number) : [Number.NaN]
    return ids.every((id) => Number.isSafeInteger(id) && id > 0) ? [] : [unreadable('PPE', path)]
  },
}

/** Rules for the copies of the protective equipment, made when the equipment was chosen. */
const ppeItems: StoredFieldRules = {
  clean: (value) =>
    (Array.isArray(value) ? value : []).filter(isPlainObject).map(({ id, label, image, iso7010 }) => ({
      id: Number(id),
      label: toText(label),
      image: toText(image),
      iso7010: toText(iso7010) || null,
    })),
  wrong: (value, path) => {
    if (isEmpty(value)) return []
    if (!Array.isArray(value)) return [unreadable('PPE', path)]
    if (value.length > MAX_ITEMS) return [tooManyItems(path)]
    return value.flatMap((item: unknown, i) => {
      const at = `${path}[${i}]`
      if (!isPlainObject(item) || !Number.isSafeInteger(Number(item.id))) return [unreadable('PPE', at)]
      return tooLongViolation('PPE', toText(item.label), 255, `${at}.label`) ?? []
    })
  },
}

const riskStoredFields = { ppe, ppeItems, methodStatement: methodStatementFieldRules } as const

/** Returns the label of a stored assessment line for error messages. */
const riskLineName = (row: Readonly<Record<string, unknown>>): string =>
  `its line ${Number(row.position) + 1} ("${toText(row.control_name) || toText(row.hazard_name)}")`

/**
 * Line of an assessment's table: either a hazard, or one of the hazard's controls. Every line repeats its hazard's
 * rating. `ranking` is always probability × severity.
 */
export const riskItem = resource({
  type: 'RiskItem',
  service: 'safety',
  path: 'risk_items',
  table: 'risk_item',
  tenant: 'own or template',
  order: ['position'],
  unpaginated: true,
  fields: {
    document: link((): Resource => riskAssessment.resource, { required: true, filter: true }),
    documentNumber: text({
      readonly: true,
      filter: true,
      help: 'Assessment number. The filter returns the lines of the newest revision; for an older revision, use `document`.',
    }),
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    position: integer({ default: 0, order: true }),
    group: text({ column: 'group_name', default: '' }),
    hazard: link(() => hazard, { filter: true }),
    hazardName: text({ default: '', max: 500 }),
    description: longText({ default: '' }),
    control: link(() => hazardControl, { filter: true }),
    controlName: text({ default: '', max: 1000 }),
    /** Description of the control in the library when the control was chosen. */
    controlDescription: longText({ default: '' }),
    tier: choice(CONTROL_TIERS),
    persons: text({ default: '', max: 500 }),
    probability: integer({ default: 5, min: 1, max: 5 }),
    severity: integer({ default: 5, min: 1, max: 5 }),
    ranking: integer({ readonly: true, filter: true, order: true }),
    /**
     * False until someone sets the probability and severity. Until then, the initial 5 × 5 is not treated as a rating.
     */
    judged: flag(),
    residualProbability: integer({ min: 1, max: 5 }),
    residualSeverity: integer({ min: 1, max: 5 }),
    residualRanking: integer({ readonly: true, filter: true, order: true }),
    /** ID of the responsible employee, or 0 for other people. `responsible` is the name as entered or chosen. */
    responsibility: integer({ default: 0, min: 0 }),
    responsible: text({ default: '' }),
    implemented: choice(['yes', 'no'], { default: 'yes' }),
    /**
     * True until an author states whether the control is in place. Until then, `implemented` is only the start value that
     * the specification sets (section 4), and is not printed.
     */
    implementedUnknown: flag({ default: true }),
    plannedFor: date(),
    ppeReason: longText({ default: '', max: 1000 }),
    /** Reason for accepting the residual risk. */
    residualReason: longText({ default: '', max: 1000 }),
    /**
     * True for a copied line that is not yet confirmed for this document. A line is confirmed by setting this field to
     * false, or by rating the line again.
     */
    unconfirmed: flag(),
    confirmedBy: text({ editable: 'nobody', default: '' }),
    confirmedAt: instant({ editable: 'nobody' }),
    retired: flag({ filter: true }),
    /** ID of the hazard line with which this control was retired. */
    retiredWith: integer({ editable: 'nobody' }),
  },
  allow: {
    read: DOCUMENT_READER_ROLES,
    create: DOCUMENT_AUTHOR_ROLES,
    update: DOCUMENT_AUTHOR_ROLES,
    whileImpersonating: ['create', 'update'],
    allTenants: TEMPLATE_MANAGER_ROLES,
    rows: DOCUMENT_ROW_ACCESS_RULES,
  },
  pack: 'safety',
  actions: { raiseAction: raiseActionSpec },
})

/** Risk assessment: hazards, controls and safe working methods. */
export const riskAssessment = defineDocumentKind({
  ...riskAssessmentInfo,
  type: 'RiskAssessment',
  path: 'risk_assessments',
  prefix: 'RA',
  title: { field: 'description', label: 'Description', required: 'Please enter what is being assessed' },
  schema: riskAssessmentForm,
  fields: {
    controls: rows(() => riskItem, { by: 'document', filter: true, label: 'Hazards and controls' }),
    /** IDs of the protective equipment. `ppeItems` contains copies of the items from when they were chosen. */
    ppe: json({ inJson: 'content' }),
    ppeItems: json({ inJson: 'content' }),
    methodStatement: methodStatementField,
    reviewReason: text({ inJson: 'content', max: 1000 }),
    parentDocumentNumber: text({ inJson: 'content', editable: 'nobody' }),
    /** IRI of the main picture of the work. This picture is printed first. */
    image: json({ inJson: 'content' }),
    /** True if the assessment covers only part of the work. */
    partial: flag({ inJson: 'content' }),
    /** Axis names and bands used for the ratings, sealed with the assessment. */
    matrix: json({ inJson: 'content', editable: 'nobody', label: 'Risk matrix' }),
    highRisk: flag({
      readonly: true,
      filter: true,
      sql: 'risk_left_high(t.client_id, t.id, t.complete, t.content)',
      label: 'High residual risk',
      help: 'The assessment is complete and has a residual risk that is high according to the assessment’s own risk bands.',
    }),
  },
  sealedRows: { controls: { named: riskLineName, without: ['document_number'] } },
  fieldOptions: jobSearchFields,
  references: {
    associated: associatedRiskAssessmentsField,
    coshh: {
      label: 'Associated COSHH Assessments',
      to: [coshhInfo.kind],
      revision: 'in force',
      from: {
        url: '/api/safety/coshh_assessments',
        list: 'associated_list',
        called: 'Substance Name',
        by: 'substanceNames',
      },
    },
  },
  kept: riskStoredFields,
  settings: {
    matrix: { of: () => riskMatrix, inUse: (rows, clientId) => riskMatrixForClient(rows, clientId) },
  },
  picture: 'image',
  reviewMonths: 12,
  pdf: { template: 'src/modules/safety/risk/risk-assessment.typ', body: toRiskAssessmentPdfBody },
  problems: riskAssessmentCompletionProblems,
  asked: countRequiredRiskAnswers,
  settle: prepareRiskLines,
  called: {
    controls: {
      row: ({ hazardName, controlName }) => `${toText(hazardName)}\n${toText(controlName)}`,
      of: ({ hazardName }) => toText(hazardName),
      shared: SHARED_HAZARD_FIELDS,
    },
  },
  namedEmployees: { 'controls.responsible': 'responsibility' },
  follows: { ppe: ({ ppeItems }) => toRowObjects(ppeItems).map(({ id }) => id) },
  confirms: ['ppe', 'methodStatement', 'equipment'],
  begun: { methodStatement: loadDefaultMethodStatement },
  blank: () => ({
    emergencyContact: createEmptyJobContacts(),
    methodStatement: EMPTY_METHOD_STATEMENT,
    ppe: [],
    ppeItems: [],
    controls: [],
    associated: [],
    coshh: [],
    uploadedDocuments: [],
  }),
})
