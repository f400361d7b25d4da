import { isRow } from '#kernel/forms/rows.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { textOf } from '#kernel/text.ts'
import type { Compared } from '#modules/documents/types/compared.ts'

const FINGERPRINT = 8

/** A paper as two packs are compared by: what it is, in which revision, and what is noted of it. */
function paper({ target, file, notes }: Values): Values {
  if (isRow(target))
    return {
      name: `${textOf(target.documentNumber)} ${textOf(target.title) || 'A document that is not for you'}`,
      revision: target.revision,
      notes,
    }
  const of = isRow(file) ? file : {}
  return { name: textOf(of.label) || textOf(of.name), fingerprint: textOf(of.checksum).slice(0, FINGERPRINT), notes }
}

/** How two packs are compared: paper by paper. */
export const ramsCompared: Compared = {
  rows: (field, rows) => (field === 'papers' ? rows.map(paper) : rows),
}
