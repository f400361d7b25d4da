import { problem, type Violation, violation } from '#kernel/errors.ts'
import { isPlainObject } from '#kernel/forms/rows.ts'
import { idFromResourceIri } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { addSystemTemplates } from '#modules/documents/lifecycle/revisions.server.ts'
import { document } from '#modules/documents/types/document.ts'
import type { DocumentContent } from '#modules/documents/types/kind.ts'
import type { RowPreparer, RowValidator } from '#modules/documents/types/kinds.server.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { filterReadableIds } from '#server/data/access-sql.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import type { Context } from '#server/engine/types.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { riskIndustry } from '../industry.ts'
import { ppe } from '../library/ppe.ts'
import { normaliseCasNumbers, normaliseClpStatementCodes, validateSubstanceLabel } from '../substances/codes.ts'
import { copyExposureLimitValues, substance, substanceLimit, supplierAdviceIn } from '../substances/substance.ts'
import { coshhAssessment, coshhSubstance } from './coshh-assessment.ts'
import type { CoshhEquipment } from './equipment.ts'
import { addProposedEquipment, proposeEquipment } from './equipment-proposals.ts'
import { COSHH_SITE_PLACEHOLDER } from './form.ts'
import { changedLibraryFields, currentLibraryFields } from './library-changes.ts'
import { proposeApproachForSubstanceUse, type SubstanceUse, substanceUsesInRecord } from './substances-used.ts'

/** Converts a library substance, with its IDs, to the format saved in an assessment. */
export async function loadLibrarySubstance(c: Context, found: RowOf<typeof substance>): Promise<SubstanceUse> {
  return {
    substance: found.id,
    name: found.name,
    supplier: found.supplier,
    casNumbers: found.casNumbers,
    ...supplierAdviceIn(found),
    form: found.form,
    hazardStatements: found.hazardStatements,
    precautions: found.precautions,
    unclassified: found.unclassified,
    pictograms: found.pictograms,
    signalWord: found.signalWord,
    boilingPoint: found.boilingPoint,
    routes: found.routes,
    sheet: found.sheet === null ? '' : iriOf(uploadedDocument, found.sheet),
    sheetDate: found.sheetDate,
    limits: (await c.find(substanceLimit, { substance: found.id })).map(copyExposureLimitValues),
  }
}

interface Template {
  readonly name: string
  readonly industry: string
  readonly process: string
  readonly frequency: string
  readonly duration: string
  readonly groups: readonly string[]
  readonly substances: readonly {
    /** Name of a system substance. */
    readonly of: string
    readonly quantity?: number
    readonly unit?: string
    readonly level?: string
    /** Physical form in this task, if it differs from the substance's own. */
    readonly form?: string
    readonly notes?: string
    /** Approach chosen instead of the proposal; `reason` says why. */
    readonly other?: number
    readonly reason?: string
  }[]
  readonly controls: readonly (readonly [tier: string, text: string])[]
  /** Equipment by its name in `coshh-equipment.json`. It must be proposed for the substances. */
  readonly ppe: readonly string[]
  readonly lev?: boolean
}

/** The provider's COSHH templates. They are in force and sealed, and can only be copied. */
export const coshhTemplateReferenceData: ReferenceData = {
  name: 'COSHH templates',
  needs: ['library', 'substances', 'document templates'],
  edition: 2,
  load: async (c) => {
    const { templates }: { readonly templates: readonly Template[] } = readReferenceFile('coshh-templates.json')
    const industries = new Map((await c.find(riskIndustry, {})).map((i) => [i.name, i.id]))
    const library = (await c.find(ppe, { isStandardCoshh: true, retired: false })).map(equipmentOf)
    const words: DocumentContent[] = []
    for (const { industry, groups, substances, controls, ppe: worn, lev = false, ...said } of templates) {
      const rows = await Promise.all(substances.map((one) => used(c, one)))
      words.push({
        ...said,
        industry: industries.get(industry) ?? null,
        location: COSHH_SITE_PLACEHOLDER,
        groupsAffected: groups,
        substances: rows,
        measures: controls.map(([tier, text]) => ({ tier, text })),
        lev: lev ? 'yes' : 'no',
        worn: equipmentFor(rows, worn, library),
        emergencyContact: [1, 2, 3].map(() => ({ name: '', number: '' })),
        uploadedDocuments: [],
      })
    }
    await addSystemTemplates(c, coshhAssessment, words)
  },
}

/** Returns a system substance and its use in a template. Throws if the substance doesn't exist. */
async function used(c: Context, { of, other, reason, ...use }: Template['substances'][number]): Promise<SubstanceUse> {
  const found = (await c.find(substance, { name: of })).find((one) => one.clientId === PROVIDER_CLIENT_ID)
  if (!found) throw new Error(`There is no substance "${of}"`)
  const row: SubstanceUse = { ...(await loadLibrarySubstance(c, found)), ...use }
  return {
    ...row,
    ...(other ? { approach: other, reason: reason ?? '' } : { confirmed: proposeApproachForSubstanceUse(row).formula }),
  }
}

const equipmentOf = ({ id, name, description, image, coshhValue }: RowOf<typeof ppe>): CoshhEquipment => ({
  id,
  label: name,
  coshhValue,
  standard: description,
  image,
})

/** Returns the proposed equipment that a template names. Throws for equipment that isn't proposed for its substances. */
function equipmentFor(
  rows: readonly SubstanceUse[],
  names: readonly string[],
  library: readonly CoshhEquipment[],
): readonly CoshhEquipment[] {
  const proposals = proposeEquipment(rows, library)
  return names.reduce<readonly CoshhEquipment[]>((worn, name) => {
    const wanted = proposals.filter((one) => one.name === name)
    if (!wanted.length) throw new Error(`"${name}" is not proposed for ${rows.map((row) => row.name).join(', ')}`)
    return wanted.reduce(addProposedEquipment, worn)
  }, [])
}

/**
 * Prepares a revision's substances for saving. A library substance gets the library's current data, unless its data
 * matches an earlier saved row. Any other substance must meet the same rules as library substances; otherwise throws
 * 422.
 */
export const prepareCoshhSubstances: RowPreparer = async (c, { next, before }) => {
  if (!Array.isArray(next.substances)) return {}
  const former = substanceUsesInRecord(before ?? {})
  const rows = (await fromLibrary(c, substanceUsesInRecord(next))).map((row) =>
    row.substance || isIn(former, row) ? row : written(row),
  )
  const own = rows.flatMap((row, i) =>
    row.substance || isIn(former, row) ? [] : [[row, `substances[${i}].`] as const],
  )
  const today = londonDate(c.now).toString()
  const wrong = [
    ...rows.flatMap(({ limits }, i) =>
      Array.isArray(limits ?? []) && (limits ?? []).every(isPlainObject)
        ? []
        : [
            violation(
              `substances[${i}].limits`,
              'The exposure limits can’t be read. Please choose the substance again',
            ),
          ],
    ),
    ...own.flatMap(([row, at]) => validateSubstanceLabel(row, today, at)),
    ...(await sheetProblems(c, own)),
  ]
  if (wrong.length) throw problem.invalid(wrong)
  return { substances: rows }
}

/**
 * Overwrites the data of library substances with the library's data. Rows that match a previously saved row are left
 * unchanged.
 */
async function fromLibrary(c: Context, rows: readonly SubstanceUse[]): Promise<readonly SubstanceUse[]> {
  const ids = idsIn(rows)
  if (!ids.length) return rows
  const kept = (await c.find(coshhSubstance, { substance: ids })) as SubstanceUse[]
  const library = await libraryOf(c, ids)
  return rows.map((row) => {
    const now = library.get(row.substance)
    const isKept = kept.some((one) => one.substance === row.substance && !changedLibraryFields(row, one).length)
    return !now || isKept ? row : { ...row, ...currentLibraryFields(now) }
  })
}

const idsIn = (rows: readonly SubstanceUse[]) => [
  ...new Set(rows.flatMap(({ substance: id }) => (typeof id === 'number' ? [id] : []))),
]

/** Returns library substances by ID, in the format saved in an assessment. */
async function libraryOf(c: Context, ids: readonly number[]): Promise<ReadonlyMap<unknown, SubstanceUse>> {
  const library = new Map<unknown, SubstanceUse>()
  if (ids.length)
    for (const found of await c.find(substance, { id: ids }))
      library.set(found.id, await loadLibrarySubstance(c, found))
  return library
}

const DATA_SHEET_FIELDS = ['hazardStatements', 'precautions', 'casNumbers', 'sheet', 'sheetDate'] as const
const saidOf = (row: SubstanceUse) => JSON.stringify(DATA_SHEET_FIELDS.map((name) => row[name] ?? null))
/**
 * Returns true if a row for an unlisted substance with the same label data is already saved. Such rows are not
 * validated, so that they don't block other changes.
 */
const isIn = (former: readonly SubstanceUse[], row: SubstanceUse) =>
  former.some((one) => !one.substance && saidOf(one) === saidOf(row))

const sheetOf = ({ sheet }: SubstanceUse) => (sheet ? (idFromResourceIri(uploadedDocument, sheet) ?? 0) : undefined)

const written = (row: SubstanceUse): SubstanceUse => {
  const sheet = sheetOf(row)
  return {
    ...row,
    hazardStatements: normaliseClpStatementCodes(row.hazardStatements ?? [], 'hazard'),
    precautions: normaliseClpStatementCodes(row.precautions ?? [], 'precaution'),
    casNumbers: normaliseCasNumbers(row.casNumbers ?? []),
    ...(sheet ? { sheet: iriOf(uploadedDocument, sheet) } : {}),
  }
}

/** Returns violations for data sheets that are not files the user may read. */
async function sheetProblems(
  c: Context,
  rows: readonly (readonly [row: SubstanceUse, at: string])[],
): Promise<Violation[]> {
  const named = rows.flatMap(([row, at]) => {
    const id = sheetOf(row)
    return id === undefined ? [] : [{ id, at }]
  })
  if (!named.length) return []
  const ids = named.map(({ id }) => id)
  const readable = await filterReadableIds(c.work.tx, c.actor, uploadedDocument, ids)
  return named.flatMap(({ id, at }) =>
    readable.has(id) ? [] : [violation(`${at}sheet`, 'This file is not available. Please choose the data sheet again')],
  )
}

/**
 * Validates substances on completion, because some were saved before validation existed. A library substance must match
 * the library or a sealed assessment. Any other substance must meet the library's rules.
 */
export const validateCoshhSubstances: RowValidator = async (c, revision) => {
  const rows = substanceUsesInRecord(revision)
  const sealed = await sealedRows(c, rows, revision)
  const own = rows.flatMap((row, i) =>
    row.substance || isIn(sealed, row) ? [] : [[row, `substances[${i}].`] as const],
  )
  const today = londonDate(c.now).toString()
  return [
    ...(await otherThanLibrary(c, rows, sealed)),
    ...own.flatMap(([row, at]) => validateSubstanceLabel(row, today, at)),
    ...(await sheetProblems(c, own)),
  ]
}

/** Returns rows from sealed documents: those with the same library substances, and those of the previous revision. */
async function sealedRows(
  c: Context,
  rows: readonly SubstanceUse[],
  { id: own, parent }: Readonly<Record<string, unknown>>,
): Promise<readonly SubstanceUse[]> {
  const ids = idsIn(rows)
  const found = [
    ...(ids.length ? await c.find(coshhSubstance, { substance: ids }) : []),
    ...(typeof parent === 'number' ? await c.find(coshhSubstance, { document: parent }) : []),
  ]
  const of = [...new Set(found.flatMap((row) => row.document ?? []))]
  const sealed = new Set(
    (of.length ? await c.find(document, { id: of }) : []).flatMap(({ id, seal }) => (seal && id !== own ? id : [])),
  )
  return (found as (SubstanceUse & { readonly document: number | null })[]).filter((row) =>
    sealed.has(row.document ?? 0),
  )
}

async function otherThanLibrary(
  c: Context,
  rows: readonly SubstanceUse[],
  sealed: readonly SubstanceUse[],
): Promise<Violation[]> {
  const library = await libraryOf(c, idsIn(rows))
  return rows.flatMap((row, i) => {
    const now = library.get(row.substance)
    const other = now ? changedLibraryFields(row, now) : []
    const isSealed = sealed.some((one) => one.substance === row.substance && !changedLibraryFields(row, one).length)
    if (!other.length || isSealed) return []
    const said = `${row.name ?? ''}: the library now has different data (${other.join(', ')}). Please update this substance from the library`
    return [violation(`substances[${i}].substance`, said)]
  })
}
