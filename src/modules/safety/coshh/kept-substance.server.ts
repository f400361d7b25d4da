import { iriOf, type RowOf } from '#kernel/resource.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import type { Context } from '#server/engine/types.ts'
import { copiedLimitValues } from '../substances/limit-words.ts'
import { type substance, substanceLimit } from '../substances/substance.ts'
import type { SubstanceUse } from './substances-used.ts'

/** A library substance in the shape an assessment saves, with ids. */
export async function readLibrarySubstance(c: Context, found: RowOf<typeof substance>): Promise<SubstanceUse> {
  return {
    substance: found.id,
    name: found.name,
    supplier: found.supplier,
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
    limits: (await c.find(substanceLimit, { substance: found.id })).map(copiedLimitValues),
  }
}
